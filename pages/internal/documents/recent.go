package documents

import (
	"fmt"
	"slices"
	"time"

	"github.com/datachain-go/datachain/pages/internal/core"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/lists"
)

// recentPage says what changed in the register, by the editions that there are.
func (d *Documents) recentPage() *core.Page {
	return &core.Page{Pattern: core.RecentPath, Params: []string{"page"}, Register: true, Heavy: true, Build: d.page(buildRecent)}
}

// maxRecent is the number of events on a page, and maxRecentChanges that of changes of which an event
// tells. The history of a document tells of all.
const maxRecent, maxRecentChanges = 25, 10

// recentList is the data of the page.
type recentList struct {
	Notice  string
	Entries []recentEntry
	Pages   *core.Pager
}

// recentEvent is something that happened to a document: to its edition at a place in the list, or to
// all of it.
type recentEvent struct {
	Op       register.Op
	At       time.Time
	Document *register.Document
	place    int
}

// recentEntry is an event on the page.
type recentEntry struct {
	recentEvent
	toldEdition        // with its changes, if it was published
	More        string // how many of them are left out, or ""
	Reason      string // why the document was withdrawn or the edition erased, or ""
}

func buildRecent(q *request) (*core.Content, error) {
	events, err := q.recentEvents()
	if err != nil {
		return nil, err
	}
	last := max(1, (len(events)+maxRecent-1)/maxRecent)
	page, notice := q.TurnTo(last)
	state := core.Paged(nil)
	d := &recentList{Notice: notice, Pages: q.Pager(core.RecentPath, state, page, last)}
	for _, e := range events[(page-1)*maxRecent : min(page*maxRecent, len(events))] {
		entry, err := q.recentEntry(e)
		if err != nil {
			return nil, err
		}
		d.Entries = append(d.Entries, entry)
	}
	return &core.Content{
		Title: q.Word("register.recent"), Description: q.Word("register.recentlead"), Path: core.RecentPath, State: state(page), Unlisted: page > 1, Section: core.RegisterPath,
		Template: recentTemplate, Data: d, Caching: caching,
		Feeds: []core.Choice{{Name: formatNames[lists.Atom], Note: "application/atom+xml", URL: q.To(core.FormatPath(string(lists.Atom)), nil)}},
	}, nil
}

// recentEvents returns all events of the register, the newest first.
func (q *request) recentEvents() (list []recentEvent, err error) {
	for _, d := range q.Register.Documents() {
		if err := q.Ctx.Err(); err != nil {
			return nil, err
		}
		for i := range d.Editions {
			e := &d.Editions[i]
			list = append(list, recentEvent{register.Published, e.Time, d, i})
			if e.Erased != nil {
				list = append(list, recentEvent{register.Erased, e.Erased.Time, d, i})
			}
		}
		if d.Withdrawn != nil {
			list = append(list, recentEvent{register.Withdrawn, d.Withdrawn.Time, d, 0})
		}
	}
	// Those of the same time stay in the order of documents and of their editions.
	slices.SortStableFunc(list, func(a, b recentEvent) int { return b.At.Compare(a.At) })
	return list, nil
}

// recentEntry tells of an event.
func (q *request) recentEntry(event recentEvent) (e recentEntry, err error) {
	e.recentEvent = event
	switch d := event.Document; event.Op {
	case register.Published:
		e.toldEdition, err = q.told(d, event.place)
		if more := len(e.Changes) - maxRecentChanges; more > 0 {
			e.Changes, e.More = e.Changes[:maxRecentChanges], fmt.Sprintf(phrases.In(q.Lang).More, more)
		}
	case register.Erased:
		e.Edition = &d.Editions[event.place]
		e.Reason = e.Erased.Reason
	case register.Withdrawn:
		e.Reason = d.Withdrawn.Reason
	}
	return e, err
}
