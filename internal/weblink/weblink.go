// Package weblink makes links of addresses that come from documents and taxonomies, if
// they are safe to follow.
package weblink

import (
	"net/url"
	"slices"
	"strings"
)

// Link is a link to an absolute web address.
type Link struct {
	// URL is the address, or "" if it is not safe to follow.
	URL string
	// Host is its host as shown: in Unicode, unless it could be mistaken for another.
	Host string
}

// New returns a link to an absolute web address with one of the schemes, in lower case.
// It must have a host and must not have a user or invalid characters.
func New(address string, schemes ...string) Link {
	address = strings.TrimSpace(address)
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.User != nil || strings.ContainsAny(address, "\\\"<>`") {
		return Link{}
	}
	sent, shown, ok := hostOf(u)
	if !ok {
		return Link{}
	}
	scheme := strings.ToLower(u.Scheme)
	if !slices.Contains(schemes, scheme) {
		return Link{}
	}
	u.Scheme, u.Host = scheme, sent
	return Link{u.String(), shown}
}
