package explorer

import (
	"context"
	"slices"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/taxonomy"
)

// overview is what an index lists, by datachain type.
type overview struct {
	index *taxonomy.Index
	types []*publishedType
	// locales are the languages of the words of pages and of the latest versions.
	locales []string
}

// publishedType is the versions of a datachain type.
type publishedType struct {
	id      string
	entries []taxonomy.Entry // newest first
	latest  taxonomy.Entry
	schema  *datachain.Schema // of the latest version, or nil if it can't be read
}

// overview returns the overview of an index. It is kept until the index changes, if all
// latest versions could be read.
func (e *Explorer) overview(ctx context.Context, index *taxonomy.Index) *overview {
	if kept := e.overviews.Load(); kept != nil && kept.index.Equal(index) {
		return kept
	}
	o := &overview{index: index, types: byType(index), locales: ownLocales()}
	complete := true
	for _, t := range o.types {
		schema, err := e.service.Open(ctx, t.latest.ID.String())
		if err != nil {
			complete = false
			continue
		}
		t.schema = schema
		complete = complete && schema.Release().ContentHash() == t.latest.ContentHash
		for _, locale := range schema.Release().Locales() {
			if !slices.Contains(o.locales, locale) {
				o.locales = append(o.locales, locale)
			}
		}
	}
	if complete {
		e.overviews.Store(o)
	}
	return o
}

// byType groups the versions of an index, which are sorted by type, then newest first.
func byType(index *taxonomy.Index) []*publishedType {
	var list []*publishedType
	for _, entry := range index.Entries() {
		if len(list) == 0 || list[len(list)-1].id != entry.ID.Type() {
			list = append(list, &publishedType{id: entry.ID.Type(), latest: entry})
		}
		t := list[len(list)-1]
		t.entries = append(t.entries, entry)
		if slices.Contains(entry.Aliases, t.id+"@"+taxonomy.AliasLatest) {
			t.latest = entry
		}
	}
	return list
}

// siblings returns the versions of the same type as the one of the request.
func (q *request) siblings() []taxonomy.Entry {
	typ := q.release().Version().Type()
	return slices.DeleteFunc(q.index.Entries(), func(e taxonomy.Entry) bool { return e.ID.Type() != typ })
}
