package ratelimit

import (
	"net/netip"
	"strings"
)

// lastForwarded cuts the last element of a Forwarded field (RFC 7239) and reads
// its "for". It looks from the end, so that an open quotation mark which a
// client sent can't swallow what a proxy appended.
func lastForwarded(line string) (rest string, a netip.Addr, ok bool) {
	i := lastOutside(line, ',')
	node, ok := forOf(line[i+1:])
	if ok {
		a, ok = parseNode(node)
	}
	return line[:max(i, 0)], a, ok
}

// forOf returns the value of the one "for" among the pairs of an element.
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
			return "", false // which one?
		}
		node, found = unquote(value), true
	}
	return node, found
}

// unquote takes the quotation marks off a value. An address needs no
// backslashes: with one it won't be taken for an address.
func unquote(s string) string {
	if len(s) >= 2 && s[0] == '"' && s[len(s)-1] == '"' {
		return s[1 : len(s)-1]
	}
	return s
}

// lastOutside returns the index of the last sep outside quotation marks, seen
// from the end, or -1.
func lastOutside(s string, sep byte) int {
	quoted := false
	for i := len(s) - 1; i >= 0; i-- {
		switch {
		case s[i] == '"' && !escaped(s[:i]):
			quoted = !quoted
		case s[i] == sep && !quoted:
			return i
		}
	}
	return -1
}

// escaped reports whether what follows s is behind a backslash that counts.
func escaped(s string) bool {
	return (len(s)-len(strings.TrimRight(s, `\`)))%2 == 1
}
