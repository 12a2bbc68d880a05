package web

import (
	"encoding/xml"
	"io"
	"net/url"
	"strings"
)

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
