package upgrade

import (
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// reworded is a text that says something else in the new version.
type reworded struct {
	what        string
	locale      string
	before, now string
}

// compare returns a text that differs in a language that both versions have, the first
// in the order of the new version. A translation that was added or removed does not
// change what a document says.
func (m *move) compare(what string, before, now taxonomy.Localized) []reworded {
	return m.compareBy(prose.SameWords, what, before, now)
}

// compareBy compares texts of which some that differ say the same.
func (m *move) compareBy(same func(before, now string) bool, what string, before, now taxonomy.Localized) []reworded {
	for _, t := range now {
		if old, ok := before.Get(t.Locale); ok && !same(old, t.Value) {
			return []reworded{{what, t.Locale, old, t.Value}}
		}
	}
	return nil
}

// reword notes that something that a document uses was reworded, once for each thing.
func (m *move) reword(kind Kind, at document.Value, thing string, texts ...[]reworded) {
	var parts []string
	for _, list := range texts {
		for _, t := range list {
			now, before := differing(t.now, t.before)
			parts = append(parts, fmt.Sprintf("the %s is now %q (%s, before: %q)", t.what, now, t.locale, before))
		}
	}
	if key := string(kind) + " " + thing; len(parts) > 0 && !m.said[key] {
		if m.said == nil {
			m.said = make(map[string]bool)
		}
		m.said[key] = true
		m.note(note{at: at, Entry: Entry{
			Kind: kind, Class: Review,
			Message: fmt.Sprintf("%s was reworded: %s.", prose.Sentence(thing), prose.And(parts)),
			FixHint: "check that it still says what is meant",
		}})
	}
}

// differing returns what a message repeats of two texts: their beginning, or if that is
// the same for long, the part from a few words before the difference.
func differing(a, b string) (string, string) {
	const most, before = 80, 20
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	start := strings.LastIndexByte(a[:max(same-before, 0)], ' ') + 1
	if start == 0 || max(utf8.RuneCountInString(a), utf8.RuneCountInString(b)) <= most {
		return prose.Clip(a), prose.Clip(b)
	}
	return "…" + prose.Clip(a[start:]), "…" + prose.Clip(b[start:])
}

func (m *move) rewordedElement(p *placed) {
	if p.old == nil || p.old == p.element {
		return
	}
	m.reword(KindElementReworded, p.member("element_id"), "the element "+name(p.target),
		m.compareBy(p.same, "title", p.old.Title, p.element.Title),
		m.compareBy(p.same, "description", p.old.Description, p.element.Description))
}

// same reports whether a text says the same in both versions. A text that names a variable
// by its new id does, and one with another full stop at its end.
func (p *placed) same(before, now string) bool {
	keep := func(id string) string { return id }
	return prose.SameWords(taxonomy.RenameVariables(now, keep), taxonomy.RenameVariables(before, func(id string) string {
		if _, renamed := named(p.element.Variables, id, ofVariable); len(renamed) == 1 {
			return renamed[0].ID
		}
		return id
	}))
}

func (m *move) rewordedVariable(v *value, next *taxonomy.Variable) {
	if v.old == nil || v.old == next {
		return
	}
	m.reword(KindVariableReworded, v.member("id"), fmt.Sprintf("the variable %s of %s", name(next.ID), name(v.target)),
		m.compare("label", v.old.Label, next.Label))
}

func (m *move) rewordedOption(v *value, at document.Value, before, now *taxonomy.Option) {
	if before == nil || before == now {
		return
	}
	m.reword(KindOptionReworded, at, fmt.Sprintf("the option %s of the variable %s of %s", name(now.ID), name(cmp.Or(v.renamed[v.given.ID], v.given.ID)), name(v.target)),
		m.compare("label", before.Label, now.Label),
		m.compare("description", before.Description, now.Description))
}

func (m *move) rewordedContext(p *placed, before, now *taxonomy.ContextValue) {
	if before == nil || before == now {
		return
	}
	was, _ := m.old.Category(p.old.CategoryID)
	m.reword(KindContextReworded, p.member("context_type_id"), "the context of the category "+name(p.category.ID),
		m.compare("name", was.Context.Name, p.category.Context.Name),
		m.compare("description", was.Context.Description, p.category.Context.Description))
	m.reword(KindContextReworded, p.member("context_type_id"), fmt.Sprintf("the context value %s of the category %s", name(now.ID), name(p.category.ID)),
		m.compare("label", before.Label, now.Label),
		m.compare("description", before.Description, now.Description))
}
