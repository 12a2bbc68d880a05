package lists

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
	list = append(list, r.Removed...)
	slices.SortStableFunc(list, func(a, b *register.Document) int { return b.Changed().Compare(a.Changed()) })
	query := r.Query.Encode()
	f := &feed{
		Lang: r.Query.Locale, ID: feedID(r.base, "documents", query), Title: cmp.Or(r.Text(r.settings.Title), r.Text(r.settings.Publisher.Name), r.base, "Documents"),
		Author: feedPerson{Name: cmp.Or(r.Text(r.settings.Publisher.Name), r.base, "Documents"), URI: r.settings.Publisher.ID},
		Links: []feedLink{
			{Rel: "self", Type: "application/atom+xml", Href: r.base + "/d.atom?" + query}, {Rel: "alternate", Type: "text/html", Href: r.base + "/d?" + query},
		},
	}
	if l := r.settings.Licence; l.Name != "" {
		f.Rights = strings.TrimSpace(l.Name + " " + l.URL)
	}
	for _, d := range list {
		f.Entries = append(f.Entries, r.atomEntry(d, f.Author))
	}
	return f.write(w)
}

func (r *List) atomEntry(d *register.Document, publisher feedPerson) feedEntry {
	e := r.entry(d)
	a := feedEntry{
		ID: feedID(r.base, "document", d.ID), Title: e.Title, Updated: e.ChangedAt, Published: e.PublishedAt,
		Author: publisher, Links: []feedLink{{Rel: "alternate", Type: "text/html", Href: e.URL}}, Summary: e.Description,
	}
	if o := e.Organisation; o != nil && o.Name != "" {
		a.Author = feedPerson{Name: o.Name}
	}
	switch current, _ := d.Edition(d.Current); {
	case current != nil && current.Erased != nil:
		a.Summary = current.Erased.Reason
		a.Categories = append(a.Categories, feedCategory{Term: "erased"})
	case d.Withdrawn != nil:
		a.Summary = d.Withdrawn.Reason
		a.Categories = append(a.Categories, feedCategory{Term: "withdrawn"})
	default:
		a.Links = append(a.Links, feedLink{Rel: "alternate", Type: "application/json", Href: r.base + "/d/" + d.Slug + ".json"})
		for _, term := range append([]string{e.Type}, e.Themes...) {
			if term != "" {
				a.Categories = append(a.Categories, feedCategory{Term: term})
			}
		}
	}
	return a
}

// feed is an Atom feed (RFC 4287). Its entries should have the newest first.
type feed struct {
	XMLName xml.Name `xml:"http://www.w3.org/2005/Atom feed"`
	Lang    string   `xml:"xml:lang,attr"`
	ID      string   `xml:"id"`
	Title   string   `xml:"title"`
	// Updated is set by write: to that of the first entry.
	Updated   string     `xml:"updated"`
	Author    feedPerson `xml:"author"`
	Links     []feedLink `xml:"link"`
	Rights    string     `xml:"rights,omitempty"`
	Generator string     `xml:"generator"`
	Entries   []feedEntry
}

// feedEntry is an entry of a feed.
type feedEntry struct {
	XMLName    xml.Name       `xml:"entry"`
	ID         string         `xml:"id"`
	Title      string         `xml:"title"`
	Updated    string         `xml:"updated"`
	Published  string         `xml:"published,omitempty"`
	Author     feedPerson     `xml:"author"`
	Links      []feedLink     `xml:"link"`
	Categories []feedCategory `xml:"category"`
	Summary    string         `xml:"summary,omitempty"`
}

// feedPerson is an author.
type feedPerson struct {
	Name string `xml:"name"`
	URI  string `xml:"uri,omitempty"`
}

// feedLink is the URL of a feed or an entry in a media type.
type feedLink struct {
	Rel  string `xml:"rel,attr"`
	Type string `xml:"type,attr,omitempty"`
	Href string `xml:"href,attr"`
}

// feedCategory says what an entry is about.
type feedCategory struct {
	Term string `xml:"term,attr"`
}

// write writes a feed. Entries without a time get that of 1970, since a time is required.
func (f *feed) write(w io.Writer) error {
	f.Updated = "1970-01-01T00:00:00Z"
	for i := range f.Entries {
		e := &f.Entries[i]
		e.Title, e.Summary, e.Author.Name = i18n.Clean(e.Title), i18n.Clean(e.Summary), i18n.Clean(e.Author.Name)
		e.Updated = cmp.Or(e.Updated, f.Updated)
	}
	if len(f.Entries) > 0 {
		f.Updated = f.Entries[0].Updated
	}
	f.Generator, f.Title, f.Rights, f.Author.Name = "datachain", i18n.Clean(f.Title), i18n.Clean(f.Rights), i18n.Clean(f.Author.Name)
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	if err := xml.NewEncoder(w).Encode(f); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// feedID returns an identifier (RFC 4151) that stays the same if an address changes.
func feedID(base, kind, name string) string {
	host := "localhost"
	if u, err := url.Parse(base); err == nil && u.Hostname() != "" {
		host = strings.ToLower(u.Hostname())
	}
	return "tag:" + host + ",2026:" + kind + ":" + url.PathEscape(name)
}
