package ratelimit

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// maxHops is how many addresses of a forwarded field are looked at. No chain of
// proxies is that long; a hostile field may be.
const maxHops = 64

// ClientAddr returns the address of the client that made a request: that of
// the connection (remoteAddr, as in [http.Request]), or, if that is a trusted
// proxy, the one for which it asks.
//
// Proxies append to X-Forwarded-For or Forwarded (RFC 7239), so these are read
// from the end: past trusted proxies to the first address that is none. What
// stands before it is hearsay. Where an entry can't be read, the last address
// that could stands for the client. If both fields are there and disagree, one
// of them came from the client, and nobody can tell which, so the
// connection's address counts: let a proxy set one and remove the other.
//
// Trusted IPv4 networks are written as IPv4. The result has no zone, is never
// IPv4 in IPv6 form, and is the zero address if remoteAddr is none, as with a
// Unix socket.
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
	a, b := walk(remote, trusted, xff, lastListed), walk(remote, trusted, forwarded, lastForwarded)
	if a != b {
		return remote
	}
	return a
}

func contains(trusted []netip.Prefix, a netip.Addr) bool {
	return slices.ContainsFunc(trusted, func(p netip.Prefix) bool { return p.Contains(a) })
}

// walk goes from the proxy next to us back to the client. cut takes the last
// entry off a line and reads its address.
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

// lastListed cuts the last of a list of addresses.
func lastListed(line string) (rest string, a netip.Addr, ok bool) {
	i := strings.LastIndexByte(line, ',')
	a, ok = parseNode(strings.Trim(line[i+1:], " \t"))
	return line[:max(i, 0)], a, ok
}

// parseNode reads an address with or without a port: 192.0.2.1, 192.0.2.1:80,
// 2001:db8::1, [2001:db8::1], [2001:db8::1]:80. What a port may be is not our
// concern, as long as there is no space or the like in it.
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

// isToken reports whether s is what a port, or a made-up one, may consist of.
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
