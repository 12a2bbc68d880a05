// Package web holds what the servers of this module have in common: the URL at which people
// reach one, the paths that it is asked for, the limits of its options, what identifies a
// request across servers (its id and its W3C Trace Context), and Atom feeds (RFC 4287).
package web

import (
	"cmp"
	"context"
	"encoding/xml"
	"fmt"
	"io"
	"net/url"
	"path"
	"strings"
	"time"
)

// Limit returns a limit of the options of a server: 0 is the default, and a negative one
// is no limit.
func Limit[T int | int64 | time.Duration](of, standard, none T) T {
	if of < 0 {
		return none
	}
	return cmp.Or(of, standard)
}

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

// A Trace identifies the request on whose behalf something is done.
type Trace struct {
	// RequestID is the value of X-Request-Id.
	RequestID string
	// Parent and State are the values of traceparent and tracestate, or "".
	Parent, State string
}

// maxState is the length of the longest tracestate that is passed on.
const maxState = 512

// ReadTrace returns the trace that the headers of a request describe. A traceparent
// that is not valid is ignored, and with it the tracestate.
func ReadTrace(requestID string, header map[string][]string) Trace {
	t := Trace{RequestID: requestID}
	if parents := header["Traceparent"]; len(parents) == 1 && validParent(parents[0]) {
		t.Parent = parents[0]
		if states := header["Tracestate"]; len(states) == 1 && len(states[0]) <= maxState {
			t.State = states[0]
		}
	}
	return t
}

// Write sets the headers of a request that is made on behalf of another.
func (t Trace) Write(header map[string][]string) {
	for name, value := range map[string]string{"X-Request-Id": t.RequestID, "Traceparent": t.Parent, "Tracestate": t.State} {
		if value != "" {
			header[name] = []string{value}
		}
	}
}

// ID returns the id of the trace in hexadecimal digits, or "".
func (t Trace) ID() string {
	if t.Parent == "" {
		return ""
	}
	return t.Parent[3:35]
}

// validParent reports whether a traceparent has the form of version 00,
// 00-{32 digits}-{16 digits}-{2 digits}, with ids that are not zero.
func validParent(parent string) bool {
	if len(parent) != 55 || parent[:3] != "00-" || parent[35] != '-' || parent[52] != '-' {
		return false
	}
	return hexadecimal(parent[3:35], true) && hexadecimal(parent[36:52], true) && hexadecimal(parent[53:], false)
}

// hexadecimal reports whether a text is lower-case digits, and not all zero if it
// must not be.
func hexadecimal(s string, nonzero bool) bool {
	zero := true
	for i := range len(s) {
		switch c := s[i]; {
		case '1' <= c && c <= '9', 'a' <= c && c <= 'f':
			zero = false
		case c != '0':
			return false
		}
	}
	return !nonzero || !zero
}

// TraceKey is the key of a [Trace] in a context, for contexts that answer it
// themselves.
type TraceKey struct{}

// WithTrace returns a context that carries a trace.
func WithTrace(ctx context.Context, t Trace) context.Context {
	return context.WithValue(ctx, TraceKey{}, t)
}

// TraceFrom returns the trace that a context carries, or the zero value.
func TraceFrom(ctx context.Context) Trace {
	t, _ := ctx.Value(TraceKey{}).(Trace)
	return t
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
