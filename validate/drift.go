package validate

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

var drift = &Rule{
	Name:  "drift",
	Doc:   "The snapshot is what resolving would embed today, if the pinned version is published.",
	Codes: []issue.Code{codes.SnapshotDrift, codes.SnapshotNotCompared},
	// That no placement uses a part is reported only if all are known.
	DespiteShape: true,
	Needs:        Limits,
	Run: func(_ context.Context, p *Pass) error {
		if p.Live == nil {
			p.warn(codes.SnapshotNotCompared, pinPath,
				fmt.Sprintf("The snapshot was not compared with %s, because that version is not published.", wording.Clip(p.Instance.SchemaVersion)),
				"check schema_version, or upgrade to a published version")
			return nil
		}
		typ, _ := p.Document.Find(snapshotPath.Key("datachain_type"))
		if !sameJSON(typ, p.Live.TypeJSON()) {
			p.reportDrift(snapshotPath.Key("datachain_type"), "The datachain type differs from the one in %s.", p.Live.Version())
		}
		snapshot, _ := p.Document.Find(snapshotPath)
		for m := range snapshot.All() {
			if key := m.Key(); key != "datachain_type" && key != "categories" && key != "elements" {
				p.reportDrift(snapshotPath.Key(key), "A snapshot can't have a field %q.", wording.Clip(key))
			}
		}
		categories, elements := p.liveSlice()
		p.compare("categories", "category", categories, p.Live.CategoryJSON)
		p.compare("elements", "element", elements, p.Live.ElementJSON)
		return nil
	},
}

var snapshotPath = issue.Root.Key("schema_snapshot")

func (p *Pass) reportDrift(at issue.Path, format string, args ...any) {
	p.fail(codes.SnapshotDrift, at, fmt.Sprintf(format, args...), "resolve the document again")
}

// expectation is whether a part of the published version belongs in the snapshot.
type expectation int

const (
	unwanted expectation = iota
	allowed
	required
	seen // found in the snapshot
)

// partSet are the parts of one kind that belong in the snapshot.
type partSet struct {
	ids      []string // in the order of the placements
	expected map[string]expectation
}

func (l *partSet) add(id string, w expectation) {
	if l.expected == nil {
		l.expected = make(map[string]expectation)
	}
	if l.expected[id] == unwanted {
		l.ids = append(l.ids, id)
	}
	l.expected[id] = max(l.expected[id], w)
}

// liveSlice returns the parts of the published version that resolving would embed. The
// category of a suggested element is allowed too, since it defines the contexts of its
// placements.
func (p *Pass) liveSlice() (categories, elements partSet) {
	for i := range p.placed {
		placed := &p.placed[i]
		if e, ok := p.Live.Element(placed.ElementID); ok {
			elements.add(e.ID, required)
			categories.add(e.CategoryID, required)
		} else if e := placed.Element; e != nil {
			categories.add(e.CategoryID, allowed)
		}
	}
	return categories, elements
}

// compare compares a list of the snapshot with the parts that belong in it.
func (p *Pass) compare(key, what string, parts partSet, live func(id string) string) {
	list, _ := p.Document.Find(snapshotPath.Key(key))
	for part := range list.All() {
		if !p.Next() {
			return
		}
		value, _ := part.Get("id")
		id := value.Text()
		switch text := live(id); {
		case text == "":
			p.reportDrift(part.Path(), "The %s %s is not in %s.", what, ident.Name(id), p.Live.Version())
		case parts.expected[id] == unwanted && p.unknown.has(AllElements):
		case parts.expected[id] == unwanted:
			p.reportDrift(part.Path(), "The %s %s is in the snapshot, but no placement uses it.", what, ident.Name(id))
		case parts.expected[id] == seen:
			p.reportDrift(part.Path(), "The %s %s is in the snapshot twice.", what, ident.Name(id))
		default:
			parts.expected[id] = seen
			if !sameJSON(part, text) {
				p.reportDrift(part.Path(), "The %s %s differs from the one in %s.", what, ident.Name(id), p.Live.Version())
			}
		}
	}
	for _, id := range parts.ids {
		if parts.expected[id] == required {
			p.reportDrift(snapshotPath.Key(key), "The %s %s is not in the snapshot, but a placement uses it.", what, ident.Name(id))
		}
	}
}

// sameJSON reports whether a value equals canonical JSON, ignoring the order of locales. Most
// values that are not canonical are only formatted differently, so that is tried first.
func sameJSON(v document.Value, canonical string) bool {
	if string(v.Raw()) == canonical || string(v.AppendCanonical(make([]byte, 0, len(canonical)))) == canonical {
		return true
	}
	doc, err := document.Parse([]byte(canonical))
	return err == nil && same(v, doc.Root())
}

func same(a, b document.Value) bool {
	if a.Kind() != b.Kind() || a.Len() != b.Len() {
		return false
	}
	switch a.Kind() {
	case '{':
		for m := range a.All() {
			if other, ok := b.Get(m.Key()); !ok || !same(m, other) {
				return false
			}
		}
		return true
	case '[':
		return slices.EqualFunc(byLocale(a), byLocale(b), same)
	case '"':
		return a.Text() == b.Text()
	}
	return bytes.Equal(a.AppendCanonical(nil), b.AppendCanonical(nil))
}

// byLocale returns the items of an array, those of a localized text by locale.
func byLocale(array document.Value) []document.Value {
	locale := func(item document.Value) string {
		value, _ := item.Get("value")
		locale, _ := item.Get("locale")
		if value.Kind() != '"' {
			return ""
		}
		return locale.Text()
	}
	items := slices.Collect(array.All())
	if !slices.ContainsFunc(items, func(item document.Value) bool { return locale(item) == "" }) {
		slices.SortStableFunc(items, func(a, b document.Value) int { return strings.Compare(locale(a), locale(b)) })
	}
	return items
}
