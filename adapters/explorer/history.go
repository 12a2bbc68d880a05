package explorer

import (
	"net/url"
	"slices"

	"github.com/datachain-go/datachain/taxonomy"
)

// event is what became of an element or a category in a version.
type event struct {
	ID, Date           string
	Status, StatusName string
	URL                string // or "" if the version does not have it
	Current            bool
	Change             badge
	CompareURL         string // with the version before, or ""
}

// maxHistory is how many versions a history shows.
const maxHistory = 24

// history tells in which versions a part exists, newest first, and how it differs from
// the version before. The function returns all that the part consists of, or "".
func (q *request) history(path func(taxonomy.Version) string, of func(*taxonomy.Release) string) []*event {
	entries := q.siblings()
	entries = entries[:min(len(entries), maxHistory)]
	var list []*event
	before, known := "", false
	var earlier taxonomy.Version
	for _, entry := range slices.Backward(entries) {
		v := entry.ID
		schema, err := q.explorer.service.Open(q.ctx, v.String())
		if err != nil {
			continue // it can't be read now
		}
		now := of(schema.Release())
		e := &event{ID: v.String(), Date: q.words.Day(q.released(v)), Status: string(v.Status()), StatusName: q.status(v.Status()), Current: v == q.release().Version()}
		if now != "" {
			e.URL = q.to(path(v), nil)
		}
		switch w := &q.words.Element; {
		case now == "" && before == "":
			e.Change = badge{"", w.Absent}
		case now == "":
			e.Change = badge{"removed", w.Removed}
		case before == "" && known:
			e.Change = badge{"added", q.words.Layout.New}
		case before == "":
			e.Change = badge{"", w.First}
		case now == before:
			e.Change = badge{"", w.Unchanged}
		default:
			e.Change = badge{"changed", q.words.Layout.Changed}
		}
		if known && now != before && q.has("/compare") {
			e.CompareURL = q.to("/compare", url.Values{"old": {earlier.String()}, "new": {v.String()}})
		}
		list = append([]*event{e}, list...)
		before, known, earlier = now, true, v
	}
	return list
}

// elementText returns all that an element consists of, its symbol included.
func elementText(r *taxonomy.Release, id string) string {
	e, ok := r.Element(id)
	if !ok {
		return ""
	}
	symbol, _ := r.Symbol(e.SymbolID)
	return r.ElementJSON(id) + symbol
}
