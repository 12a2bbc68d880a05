package export

import (
	"bufio"
	"cmp"
	"encoding/xml"
	"io"
	"net/url"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/register"
)

func (r *List) writeAtom(w *bufio.Writer) error {
	var list []*register.Document
	for _, d := range r.All() {
		list = append(list, d)
	}
	list = append(list, r.Gone...)
	slices.SortStableFunc(list, func(a, b *register.Document) int { return b.Changed().Compare(a.Changed()) })
	query := r.Query.Encode()
	feed := &Feed{
		Lang: r.Query.Locale, ID: FeedID(r.base, "documents", query), Title: cmp.Or(r.Text(r.settings.Title), r.Text(r.settings.Publisher.Name), r.base, "Documents"),
		Author: FeedPerson{Name: cmp.Or(r.Text(r.settings.Publisher.Name), r.base, "Documents"), URI: r.settings.Publisher.ID},
		Links: []FeedLink{
			{Rel: "self", Type: "application/atom+xml", Href: r.base + "/d.atom?" + query}, {Rel: "alternate", Type: "text/html", Href: r.base + "/d?" + query},
		},
	}
	if l := r.settings.Licence; l.Name != "" {
		feed.Rights = strings.TrimSpace(l.Name + " " + l.URL)
	}
	for _, d := range list {
		feed.Entries = append(feed.Entries, r.atomEntry(d, feed.Author))
	}
	return WriteFeed(w, feed)
}

func (r *List) atomEntry(d *register.Document, publisher FeedPerson) FeedEntry {
	e := r.entry(d)
	a := FeedEntry{
		ID: FeedID(r.base, "document", d.ID), Title: e.Title, Updated: e.ChangedAt, Published: e.PublishedAt,
		Author: publisher, Links: []FeedLink{{Rel: "alternate", Type: "text/html", Href: e.URL}}, Summary: e.Description,
	}
	if o := e.Organisation; o != nil && o.Name != "" {
		a.Author = FeedPerson{Name: o.Name}
	}
	switch current, _ := d.Edition(d.Current); {
	case current != nil && current.Erased != nil:
		a.Summary = current.Erased.Reason
		a.Categories = append(a.Categories, FeedCategory{Term: "erased"})
	case d.Withdrawn != nil:
		a.Summary = d.Withdrawn.Reason
		a.Categories = append(a.Categories, FeedCategory{Term: "withdrawn"})
	default:
		a.Links = append(a.Links, FeedLink{Rel: "alternate", Type: "application/json", Href: r.base + "/d/" + d.Slug + ".json"})
		for _, term := range append([]string{e.Type}, e.Themes...) {
			if term != "" {
				a.Categories = append(a.Categories, FeedCategory{Term: term})
			}
		}
	}
	return a
}

// FeedType is the media type of feeds.
const FeedType = "application/atom+xml; charset=utf-8"

// Feed is an Atom feed (RFC 4287). Its entries should have the newest first.
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

// FeedLink is the URL of a feed or an entry in a media type.
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
	out.Generator, out.Title, out.Rights, out.Author.Name = "datachain", i18n.Clean(f.Title), i18n.Clean(f.Rights), i18n.Clean(f.Author.Name)
	out.Entries = append([]FeedEntry(nil), f.Entries...)
	for i := range out.Entries {
		e := &out.Entries[i]
		e.Title, e.Summary, e.Author.Name = i18n.Clean(e.Title), i18n.Clean(e.Summary), i18n.Clean(e.Author.Name)
		if e.Updated == "" {
			e.Updated = never
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
