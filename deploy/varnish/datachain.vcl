# /etc/varnish/default.vcl
# Caches responses in front of one server, or of the balancer of several. The server trusts the
# address of the client that this proxy sends (DATACHAIN_TRUSTED_PROXIES=127.0.0.1). Varnish does
# not terminate TLS: put it behind a proxy that does.
vcl 4.1;

import std;

backend datachain {
	.host = "127.0.0.1";
	.port = "8080";
	.probe = {
		.url = "/api/v2/schemas";
		.interval = 2s;
		.timeout = 1s;
		.window = 3;
		.threshold = 2;
	}
}

acl purgers {
	"localhost";
}

sub vcl_recv {
	# curl -X PURGE removes one address in all languages and encodings, for example of a document
	# that was erased.
	if (req.method == "PURGE") {
		if (client.ip !~ purgers) {
			return (synth(405));
		}
		return (purge);
	}
	set req.http.X-Forwarded-For = client.ip;
	unset req.http.Forwarded;
	# Responses do not depend on cookies, which other programs on the same host may set.
	unset req.http.Cookie;
	# Pages depend on the language. Browsers send so many different values that the cache would
	# hardly ever have the right copy. List the languages of your register; a client that accepts
	# none of them gets its first language.
	if (req.http.Accept-Language ~ "(?i)(?:^|,)\s*(?:en|es|fr)(?![a-z])") {
		set req.http.Accept-Language = std.tolower(regsub(req.http.Accept-Language, "(?i)^.*?(?<![^,\s])(en|es|fr)(?![a-z]).*$", "\1"));
	} else {
		unset req.http.Accept-Language;
	}
	# An expired page is sent once more while a new one is fetched in the background, if it expired in
	# the last 10 minutes, or while the server does not answer (see beresp.grace).
	if (std.healthy(req.backend_hint)) {
		set req.grace = 10m;
	}
	if (req.url == "/mcp") {
		return (pass);
	}
}

sub vcl_backend_response {
	set beresp.grace = 1d;
	set beresp.keep = 1d; # to ask with If-None-Match
	# "no-cache" would send every request to the server: pages of taxonomies and lists of versions
	# may be a second old instead, which is how often servers look for new versions.
	if (beresp.status == 200 && beresp.http.Cache-Control == "no-cache" && beresp.http.ETag) {
		set beresp.ttl = 1s;
		set beresp.grace = 0s;
		unset beresp.http.RateLimit;
		return (deliver);
	}
	# It is about the client for which a response was fetched.
	if (beresp.ttl > 0s) {
		unset beresp.http.RateLimit;
	}
}

sub vcl_deliver {
	# RFC 9211
	if (obj.hits > 0) {
		set resp.http.Cache-Status = "varnish; hit";
	} else {
		set resp.http.Cache-Status = "varnish; fwd=miss";
	}
	unset resp.http.X-Varnish;
	unset resp.http.Via;
}
