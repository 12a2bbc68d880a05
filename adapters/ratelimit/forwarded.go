package ratelimit

import (
	"net/netip"
	"strings"
)

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
