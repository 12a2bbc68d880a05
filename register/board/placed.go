package board

import (
	"cmp"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/history"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/pages/summary"
)

// placed is what a document says by a placement, in texts with notes.
type placed struct {
	id         string // of the element in the newest schema version
	title, own string
	// context is the label of its context value, and contextKey what that is called in the newest
	// schema version.
	context, contextKey string
	values              []value
}

// value is that of a variable.
type value struct{ label, text string }

// placed returns what a document says by a placement in a category.
func (b *builder) placed(column int, category string, entry *summary.Entry) *placed {
	e := entry.Element
	p := &placed{id: b.now(column, history.ID{Kind: codes.IDElement, ID: e.ID}), title: b.pick(e.Title)}
	if label := entry.Placement.Label; label != nil {
		p.own = b.pick(phrases.OfLabel(*label))
	}
	if entry.Context != nil {
		p.context, p.contextKey = b.pick(entry.Context.Label), b.contextNow(column, category, entry.Context)
	}
	for i := range entry.Placement.Variables {
		v := &entry.Placement.Variables[i]
		if text := b.pick(phrases.ValueOf(e, v)); text != "" {
			p.values = append(p.values, value{cmp.Or(b.pick(phrases.VariableOf(e, v.ID).Label), v.ID), text})
		}
	}
	return p
}

// isTold reports whether all of it is among the texts that were told before.
func (p *placed) isTold(told map[string]bool) bool {
	is := func(text string) bool { return text == "" || told[phrases.Plain(text)] }
	return is(p.title) && is(p.own) && is(p.context) && !slices.ContainsFunc(p.values, func(v value) bool { return !is(v.text) })
}

// line writes it without what was told before, which is nil to write all.
func (p *placed) line(told map[string]bool) string {
	var line strings.Builder
	switch {
	case p.own == "" || told[phrases.Plain(p.own)]:
		line.WriteString(p.title)
	default:
		line.WriteString(p.own + " (" + p.title + ")")
	}
	if p.context != "" && !told[phrases.Plain(p.context)] {
		line.WriteString(": " + p.context)
	}
	for _, v := range p.values {
		if !told[phrases.Plain(v.text)] {
			line.WriteString(" – " + v.label + ": " + v.text)
		}
	}
	return line.String()
}

// key is equal for placements with the same line, whatever the versions of the taxonomy call them.
func (p *placed) key(told map[string]bool) string {
	key := p.id
	if own := phrases.Plain(p.own); own != "" && !told[own] {
		key += "\x00" + own
	}
	if p.context != "" && !told[phrases.Plain(p.context)] {
		key += "\x00" + p.contextKey
	}
	var values []string
	for _, v := range p.values {
		if text := phrases.Plain(v.text); !told[text] {
			values = append(values, text)
		}
	}
	slices.Sort(values)
	return key + "\x00" + strings.Join(values, "\x00")
}
