package explorer

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/register/export"
	"github.com/datachain-go/datachain/taxonomy"
)

// feedPath is the path of the feed of a datachain type.
func feedPath(typ string) string { return taxonomiesPath + "/" + typ + feedExtension }

const feedExtension = ".atom"

// maxFeed limits the entries of a feed. Releases are read for their notes.
const maxFeed = 50

// feed returns the link to the feed of a datachain type, for programs.
func (q *request) feed(typ string) choice {
	return choice{Name: "Atom", Note: "application/atom+xml", URL: q.to(feedPath(typ), nil)}
}

// buildFeed tells programs which versions of a datachain type were released, deprecated and
// retired.
func buildFeed(q *request) (*content, error) {
	entries := q.feedEntries()
	if len(entries) == 0 {
		return nil, noPage()
	}
	base, path := q.explorer.baseURL(), feedPath(q.id)
	feed := &export.Feed{
		Lang: q.locale, ID: export.FeedID(base, "releases:"+q.locale, q.id), Title: q.id, Author: export.FeedPerson{Name: q.id},
		Links: []export.FeedLink{{Rel: "self", Type: "application/atom+xml", Href: q.shared(path)}},
	}
	for _, t := range q.explorer.overview(q.ctx, q.index).types {
		if t.id != q.id {
			continue
		}
		feed.Links = append(feed.Links, export.FeedLink{Rel: "alternate", Type: "text/html", Href: q.shared(catalogPath(t.latest.ID))})
		if t.schema != nil {
			own, m := q.about(t.schema.Release()), t.schema.Release().Manifest()
			feed.Title, feed.Rights = own.name(m.Title, q.id).Plain, m.Licence
			feed.Author.Name = cmp.Or(strings.TrimSpace(m.Attribution), feed.Title)
		}
	}
	for _, e := range entries[:min(len(entries), maxFeed)] {
		feed.Entries = append(feed.Entries, q.feedEntry(&e, base, feed.Author))
	}
	var b bytes.Buffer
	err := export.WriteFeed(&b, feed)
	return &content{Path: path, Type: export.FeedType, Body: b.Bytes(), Caching: registerCaching}, err
}

// shared returns the address of a page with the host, if that is known.
func (q *request) shared(path string) string {
	return cmp.Or(q.links.canonical(path, nil, q.asked), q.to(path, nil))
}

// milestone is something that happened to a version on a day.
type milestone struct {
	kind    string // release, deprecation or retirement
	day     string
	version taxonomy.Version
	state   taxonomy.State
}

// feedEntries returns what happened to the versions of the type, the newest first.
func (q *request) feedEntries() []milestone {
	var list []milestone
	for _, e := range q.index.Entries() {
		if e.ID.Type() != q.id {
			continue
		}
		list = append(list, milestone{"release", q.released(e.ID), e.ID, taxonomy.State{}})
		if e.Deprecated != "" {
			list = append(list, milestone{"deprecation", e.Deprecated, e.ID, e.State})
		}
	}
	for _, r := range q.index.Retired() {
		if r.ID.Type() == q.id {
			list = append(list, milestone{"retirement", cmp.Or(r.At, r.ID.Date()), r.ID, taxonomy.State{Reason: r.Reason}})
		}
	}
	slices.SortStableFunc(list, func(a, b milestone) int { return cmp.Compare(b.day, a.day) })
	return list
}

// feedEntry returns a milestone with its words: the notes of a release, and why a version is
// deprecated or was retired, and what to use instead.
func (q *request) feedEntry(e *milestone, base string, author export.FeedPerson) export.FeedEntry {
	w, id := q.words, e.version.String()
	var title string
	var text []string
	switch e.kind {
	case "release":
		title = q.releasedOn(e.version)
		if schema, err := q.explorer.service.Open(q.ctx, id); err == nil { // else it is listed without notes
			own := q.about(schema.Release())
			text = append(text, own.text(schema.Release().Manifest().Notes).Plain)
		}
	case "deprecation":
		title = w.Word("layout.deprecated")
		text = append(text, w.Word("catalog.deprecated", w.Day(e.day)))
		if e.state.Sunset != "" {
			text = append(text, w.Word("catalog.sunset", w.Day(e.state.Sunset)))
		}
	default:
		title = w.Word("catalog.retired", w.Day(e.day))
	}
	text = append(text, e.state.Reason)
	var links []export.FeedLink
	link := func(rel, path string) {
		links = append(links, export.FeedLink{Rel: rel, Type: "text/html", Href: q.shared(path)})
	}
	if e.kind == "retirement" {
		link("alternate", q.taxonomies()) // the version has no page any more
	} else {
		link("alternate", catalogPath(e.version))
	}
	if next, known := q.index.Successor(e.version); known && e.kind != "release" {
		text = append(text, w.Word("catalog.upgrade")+" "+next.String()+".")
		link("related", catalogPath(next))
	}
	entry := export.FeedEntry{
		ID: export.FeedID(base, e.kind, id), Title: id + w.Word("colon") + " " + title, Updated: e.day + "T00:00:00Z", Author: author,
		Links: links, Categories: []export.FeedCategory{{Term: e.kind}},
	}
	entry.Summary = strings.Join(slices.DeleteFunc(text, func(s string) bool { return strings.TrimSpace(s) == "" }), "\n")
	return entry
}
