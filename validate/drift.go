package validate

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/prose"

	"github.com/go-json-experiment/json"

	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// drift is rule R9.
var drift = &Rule{
	Name:  "drift",
	Doc:   "The snapshot is the slice of the pinned version that resolving would embed today, while that version is published (R9).",
	Codes: []issue.Code{issue.CodeSnapshotDrift},
	Run: func(p *Pass) {
		if p.Live == nil {
			return
		}
		typ, _ := p.Document.Find(snapshotPath.Key("datachain_type"))
		if !sameJSON(typ, p.Live.TypeJSON()) {
			p.drifted(snapshotPath.Key("datachain_type"), "The datachain type differs from that of %s.", p.Live.Version())
		}
		snapshot, _ := p.Document.Find(snapshotPath)
		for m := range snapshot.All() {
			if key := m.Key(); key != "datachain_type" && key != "categories" && key != "elements" {
				p.drifted(snapshotPath.Key(key), "A snapshot has no field %q.", prose.Clip(key))
			}
		}
		categories, elements := p.liveSlice()
		p.compare("categories", "category", categories, p.Live.CategoryJSON)
		p.compare("elements", "element", elements, p.Live.ElementJSON)
	},
}

var snapshotPath = issue.Root.Key("schema_snapshot")

func (p *Pass) drifted(at issue.Path, format string, args ...any) {
	p.fail(issue.CodeSnapshotDrift, at, fmt.Sprintf(format, args...), "resolve the document again")
}

// A want says whether a part of the live release belongs into the snapshot.
type want int

const (
	unwanted want = iota
	allowed       // may be there
	wanted        // must be there
	seen          // was there
)

// parts are what the snapshot should hold of one kind.
type parts struct {
	ids  []string // in the order of the placements
	want map[string]want
}

func (l *parts) add(id string, w want) {
	if l.want == nil {
		l.want = make(map[string]want)
	}
	if l.want[id] == unwanted {
		l.ids = append(l.ids, id)
	}
	l.want[id] = max(l.want[id], w)
}

// liveSlice returns what resolving would take from the live release. The
// category of a suggested element may be in the snapshot, too: without it
// nobody could tell the contexts of such a placement.
func (p *Pass) liveSlice() (categories, elements parts) {
	for i := range p.placed {
		placed := &p.placed[i]
		if e, ok := p.Live.Element(placed.ElementID); ok {
			elements.add(e.ID, wanted)
			categories.add(e.CategoryID, wanted)
		} else if e := placed.Element; e != nil {
			categories.add(e.CategoryID, allowed)
		}
	}
	return categories, elements
}

// compare compares a list of the snapshot with what it should hold.
func (p *Pass) compare(key, what string, parts parts, live func(id string) string) {
	list, _ := p.Document.Find(snapshotPath.Key(key))
	i := -1
	for part := range list.All() {
		if i++; !p.goOnAt(i) {
			return
		}
		value, _ := part.Get("id")
		id := value.Text()
		switch text := live(id); {
		case text == "":
			p.drifted(part.Path(), "The %s %s is not in %s.", what, name(id), p.Live.Version())
		case parts.want[id] == unwanted:
			p.drifted(part.Path(), "The %s %s is in the snapshot, but no placement uses it.", what, name(id))
		case parts.want[id] == seen:
			p.drifted(part.Path(), "The %s %s is in the snapshot twice.", what, name(id))
		default:
			parts.want[id] = seen
			if !sameJSON(part, text) {
				p.drifted(part.Path(), "The %s %s differs from that of %s.", what, name(id), p.Live.Version())
			}
		}
	}
	for _, id := range parts.ids {
		if parts.want[id] == wanted {
			p.drifted(snapshotPath.Key(key), "The %s %s is not in the snapshot, but a placement uses it.", what, name(id))
		}
	}
}

// sameJSON compares a value of a document with canonical JSON. The order of
// locales makes no difference.
func sameJSON(v document.Value, canonical string) bool {
	if string(v.Raw()) == canonical {
		return true
	}
	text := v.AppendCanonical(nil)
	if string(text) == canonical {
		return true
	}
	a, errA := sortLocales(text)
	b, errB := sortLocales([]byte(canonical))
	return errA == nil && errB == nil && bytes.Equal(a, b)
}

// sortLocales brings every localized string of a text into one order.
func sortLocales(text []byte) ([]byte, error) {
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		return nil, err
	}
	sortTexts(v)
	return document.MarshalCanonical(v)
}

func sortTexts(v any) {
	switch v := v.(type) {
	case map[string]any:
		for _, member := range v {
			sortTexts(member)
		}
	case []any:
		if !slices.ContainsFunc(v, func(item any) bool { return localeOf(item) == "" }) {
			slices.SortStableFunc(v, func(a, b any) int { return strings.Compare(localeOf(a), localeOf(b)) })
			return
		}
		for _, item := range v {
			sortTexts(item)
		}
	}
}

// localeOf returns the locale of a text in one language, or "" of anything else.
func localeOf(item any) string {
	text, _ := item.(map[string]any)
	if _, ok := text["value"].(string); !ok {
		return ""
	}
	locale, _ := text["locale"].(string)
	return locale
}
