// Package web holds what the servers of this module have in common: the URL at which people
// reach one, the paths that it is asked for, the limits of its options, what identifies a
// request across servers (its id and its W3C Trace Context), and Atom feeds (RFC 4287).
package web

import (
	"encoding/xml"
	"fmt"
	"io"
	"net/url"
	"path"
	"strings"
)

// BasePath returns the path of a base URL, without a slash at its end. A base URL can be
// a path alone, and is empty for the root of a host.
func BasePath(base string) (string, error) {
	u, err := url.Parse(base)
	if err != nil || u.Host == "" && base != "" && base[0] != '/' || u.Host != "" && u.Scheme != "http" && u.Scheme != "https" {
		return "", fmt.Errorf("BaseURL %q must be an http or https URL, or a path that begins with /", base)
	}
	return strings.TrimSuffix(u.EscapedPath(), "/"), nil
}

// Segments appends the segments of the path of a URL, each decoded by itself: an encoded
// slash does not end a segment. The root has none. It fails if the path is not [Clean],
// ends with a slash, or has more segments than the slice has room for. It does not
// allocate unless the path has encoded characters.
func Segments(u *url.URL, segments []string) ([]string, bool) {
	p, encoded := u.Path, u.RawPath != ""
	if encoded {
		p = u.EscapedPath()
	}
	rest, absolute := strings.CutPrefix(p, "/")
	if !absolute || encoded && !Clean(u.Path) {
		return nil, false
	}
	for more := rest != ""; more; {
		var segment string
		segment, rest, more = strings.Cut(rest, "/")
		if encoded {
			segment, _ = url.PathUnescape(segment) // the whole path has been decoded before
		}
		if segment == "" || segment == "." || segment == ".." || len(segments) == cap(segments) {
			return nil, false
		}
		segments = append(segments, segment)
	}
	return segments, true
}

// Clean reports whether a path is absolute and has no empty or dot segments. Only the last
// segment may be empty.
func Clean(p string) bool {
	if !strings.HasPrefix(p, "/") {
		return false
	}
	return !strings.Contains(p, "//") && !strings.Contains(p, "/.") || p == path.Clean(p)
}

// FeedType is the media type of feeds.
const FeedType = "application/atom+xml; charset=utf-8"

// Feed is a feed. Its entries should have the newest first.
type Feed struct {
	XMLName xml.Name `xml:"http://www.w3.org/2005/Atom feed"`
	Lang    string   `xml:"xml:lang,attr"`
	ID      string   `xml:"id"`
	Title   string   `xml:"title"`
	// Updated is set by WriteFeed, if it is "": to that of the first entry.
	Updated   string     `xml:"updated"`
	Author    FeedPerson `xml:"author"`
	Links     []FeedLink `xml:"link"`
	Rights    string     `xml:"rights,omitempty"`
	Generator string     `xml:"generator"`
	Entries   []FeedEntry
}

// FeedEntry is an entry of a feed.
type FeedEntry struct {
	XMLName    xml.Name       `xml:"entry"`
	ID         string         `xml:"id"`
	Title      string         `xml:"title"`
	Updated    string         `xml:"updated"`
	Published  string         `xml:"published,omitempty"`
	Author     FeedPerson     `xml:"author"`
	Links      []FeedLink     `xml:"link"`
	Categories []FeedCategory `xml:"category"`
	Summary    string         `xml:"summary,omitempty"`
}

// FeedPerson is an author.
type FeedPerson struct {
	Name string `xml:"name"`
	URI  string `xml:"uri,omitempty"`
}

// FeedLink leads to another form of a feed or of an entry.
type FeedLink struct {
	Rel  string `xml:"rel,attr"`
	Type string `xml:"type,attr,omitempty"`
	Href string `xml:"href,attr"`
}

// FeedCategory says what an entry is about.
type FeedCategory struct {
	Term string `xml:"term,attr"`
}

// WriteFeed writes a feed. Entries without a time get that of 1970, since a time is required.
func WriteFeed(w io.Writer, f *Feed) error {
	const never = "1970-01-01T00:00:00Z"
	out := *f
	out.Generator = "datachain"
	out.Entries = append([]FeedEntry(nil), f.Entries...)
	for i := range out.Entries {
		if out.Entries[i].Updated == "" {
			out.Entries[i].Updated = never
		}
	}
	if out.Updated == "" {
		out.Updated = never
		if len(out.Entries) > 0 {
			out.Updated = out.Entries[0].Updated
		}
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	if err := xml.NewEncoder(w).Encode(out); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// FeedID returns an identifier (RFC 4151) that stays the same if an address changes.
func FeedID(base, kind, name string) string {
	host := "localhost"
	if u, err := url.Parse(base); err == nil && u.Hostname() != "" {
		host = strings.ToLower(u.Hostname())
	}
	return "tag:" + host + ",2026:" + kind + ":" + url.PathEscape(name)
}
