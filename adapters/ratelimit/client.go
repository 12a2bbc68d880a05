package ratelimit

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

const (
	// maxName is the length of the longest client name.
	maxName = 64
	// maxHops is how many addresses of a forwarding header are read. No chain
	// of proxies is that long, but a hostile header may be.
	maxHops = 64
)

// ClientName returns the name that a client gives itself in the Service-Client
// header: 1 to 64 visible ASCII characters. It returns "" for anything else, and
// if the header is repeated.
func ClientName(h http.Header) string {
	values := h["Service-Client"]
	if len(values) != 1 || len(values[0]) > maxName {
		return ""
	}
	for i := range len(values[0]) {
		if c := values[0][i]; c <= ' ' || c > '~' {
			return ""
		}
	}
	return values[0]
}

// ClientAddr returns the address of the client that made a request: the one of
// the connection (remoteAddr, as in [http.Request]) or, if that is a trusted
// proxy, the one that the proxy forwards for.
//
// Proxies append to X-Forwarded-For or Forwarded (RFC 7239), so these are read
// from the end, past trusted proxies, to the first address that is not trusted.
// Everything before it may be forged. If an entry is malformed, the last valid
// address counts. If both headers are present and disagree, one of them came from
// the client, so the address of the connection counts: configure proxies to set
// one and remove the other.
//
// Write trusted IPv4 networks as IPv4. The result has no zone, is never an
// IPv4-mapped address, and is the zero address if remoteAddr is not an address,
// as for a Unix socket.
func ClientAddr(remoteAddr string, h http.Header, trusted []netip.Prefix) netip.Addr {
	remote, ok := parseNode(remoteAddr)
	if !ok || !contains(trusted, remote) {
		return remote
	}
	xff, forwarded := h.Values("X-Forwarded-For"), h.Values("Forwarded")
	switch {
	case len(forwarded) == 0:
		return walk(remote, trusted, xff, lastListed)
	case len(xff) == 0:
		return walk(remote, trusted, forwarded, lastForwarded)
	}
	a := walk(remote, trusted, xff, lastListed)
	if a != walk(remote, trusted, forwarded, lastForwarded) {
		return remote
	}
	return a
}

func contains(trusted []netip.Prefix, a netip.Addr) bool {
	return slices.ContainsFunc(trusted, func(p netip.Prefix) bool { return p.Contains(a) })
}

// walk goes back from the nearest proxy to the client. cut removes the last entry
// of a header line and parses its address.
func walk(last netip.Addr, trusted []netip.Prefix, lines []string, cut func(string) (rest string, a netip.Addr, ok bool)) netip.Addr {
	hops := 0
	for _, line := range slices.Backward(lines) {
		for rest := line; rest != ""; {
			var a netip.Addr
			var ok bool
			rest, a, ok = cut(rest)
			if hops++; !ok || hops > maxHops {
				return last
			}
			if last = a; !contains(trusted, a) {
				return a
			}
		}
	}
	return last
}

// lastListed cuts the last address of an X-Forwarded-For line.
func lastListed(line string) (rest string, a netip.Addr, ok bool) {
	i := strings.LastIndexByte(line, ',')
	a, ok = parseNode(strings.Trim(line[i+1:], " \t"))
	return line[:max(i, 0)], a, ok
}

// parseNode parses an address with or without a port: 192.0.2.1, 192.0.2.1:80,
// 2001:db8::1, [2001:db8::1], [2001:db8::1]:80. A port may be any token, as RFC
// 7239 allows.
func parseNode(s string) (netip.Addr, bool) {
	host, port := s, ""
	if inner, bracketed := strings.CutPrefix(s, "["); bracketed {
		var closed bool
		if host, port, closed = strings.Cut(inner, "]"); !closed || !strings.Contains(host, ":") {
			return netip.Addr{}, false
		}
	} else if i := strings.IndexByte(s, ':'); i >= 0 && i == strings.LastIndexByte(s, ':') {
		host, port = s[:i], s[i:]
	}
	if port != "" && (port[0] != ':' || !isToken(port[1:])) {
		return netip.Addr{}, false
	}
	a, err := netip.ParseAddr(host)
	return plain(a), err == nil
}

func isToken(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c|0x20 && c|0x20 <= 'z', '0' <= c && c <= '9', c == '.', c == '_', c == '-':
		default:
			return false
		}
	}
	return s != ""
}

// lastForwarded cuts the last element of a Forwarded line (RFC 7239) and parses
// its "for". It reads from the end, so that a quotation mark that a client left
// open cannot swallow what a proxy appended.
func lastForwarded(line string) (rest string, a netip.Addr, ok bool) {
	i := lastOutside(line, ',')
	node, ok := forOf(line[i+1:])
	if ok {
		a, ok = parseNode(node)
	}
	return line[:max(i, 0)], a, ok
}

// forOf returns the value of "for" among the pairs of an element, which must have
// it exactly once. Quotation marks are removed; a value with an escape in it is
// not an address anyway.
func forOf(element string) (string, bool) {
	node, found := "", false
	for i := len(element); i >= 0; {
		element = element[:i]
		i = lastOutside(element, ';')
		name, value, _ := strings.Cut(strings.Trim(element[i+1:], " \t"), "=")
		if !strings.EqualFold(name, "for") {
			continue
		}
		if found {
			return "", false
		}
		if len(value) >= 2 && value[0] == '"' && value[len(value)-1] == '"' {
			value = value[1 : len(value)-1]
		}
		node, found = value, true
	}
	return node, found
}

// lastOutside returns the index of the last sep outside quotation marks, counted
// from the end, or -1.
func lastOutside(s string, sep byte) int {
	quoted := false
	for i := len(s) - 1; i >= 0; i-- {
		switch {
		case s[i] == '"':
			if escapes := i - len(strings.TrimRight(s[:i], `\`)); escapes%2 == 0 {
				quoted = !quoted
			}
		case s[i] == sep && !quoted:
			return i
		}
	}
	return -1
}
