package storetest

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/datachain-go/datachain/taxonomy"
)

// unknownClauses are what RunUnknownFields checks.
func unknownClauses() []clause {
	return []clause{{name: "unknown fields of the index are kept", check: checkUnknownFields, holds: unknown}}
}

// checkStates: deprecated versions have their day, sunset, successor and reason, and no others are deprecated.
func checkStates(ctx context.Context, s *subject) error {
	return s.compareIndex(ctx, s.content, compareStates)
}

// checkKeptRetired: the index still knows the versions that were retired, and with which content, so
// that their ids are never used for another.
func checkKeptRetired(ctx context.Context, s *subject) error {
	return s.compareIndex(ctx, s.content, compareRetired)
}

// checkEvolutions: the texts are loaded, and are the same to the byte.
func checkEvolutions(ctx context.Context, s *subject) error {
	return s.compareIndex(ctx, s.content, compareEvolutions)
}

// checkUnknownFields: the index has the text that it had, except for its record.
func checkUnknownFields(ctx context.Context, s *subject) error {
	return s.compareIndex(ctx, s.content, compareUnknown)
}

// compareIndex compares the index of the store with that of its content.
func (w *watched) compareIndex(ctx context.Context, c Content, compare ...func(got, want *taxonomy.Index) error) error {
	got, err := w.Index(ctx)
	if err != nil {
		return fmt.Errorf("index: %w", err)
	}
	for _, compare := range compare {
		if err := compare(got, c.Index); err != nil {
			return err
		}
	}
	return nil
}

// compareVersions returns how the versions that an index lists differ, except for their states.
func compareVersions(got, want *taxonomy.Index) error {
	g, w := got.Entries(), want.Entries()
	if len(g) != len(w) {
		return fmt.Errorf("index: %d versions are listed, want %d", len(g), len(w))
	}
	for i := range w {
		switch {
		case g[i].ID != w[i].ID:
			return fmt.Errorf("index: entry %d is %s, want %s", i, g[i].ID, w[i].ID)
		case g[i].Status != w[i].Status:
			return fmt.Errorf("index: %s: status %q, want %q", w[i].ID, g[i].Status, w[i].Status)
		case g[i].ContentHash != w[i].ContentHash:
			return fmt.Errorf("index: %s: content hash %s, want %s", w[i].ID, g[i].ContentHash, w[i].ContentHash)
		case !slices.Equal(g[i].Aliases, w[i].Aliases):
			return fmt.Errorf("index: %s: aliases %q, want %q", w[i].ID, g[i].Aliases, w[i].Aliases)
		case g[i].Released != w[i].Released:
			return fmt.Errorf("index: %s: released %q, want %q", w[i].ID, g[i].Released, w[i].Released)
		}
	}
	return nil
}

// compareStates returns how the states of versions differ.
func compareStates(got, want *taxonomy.Index) error {
	for _, w := range want.Entries() {
		g, listed := got.Lookup(w.ID.Ref())
		switch {
		case !listed:
			return fmt.Errorf("index: %s is not listed", w.ID)
		case g.State != w.State:
			return fmt.Errorf("index: %s: the state is %+v, want %+v: keep Entry.State", w.ID, g.State, w.State)
		}
	}
	return nil
}

// compareRetired returns how the retired versions differ.
func compareRetired(got, want *taxonomy.Index) error {
	for _, w := range want.Retired() {
		g, known := got.LookupRetired(w.ID)
		switch {
		case !known:
			return fmt.Errorf("index: it does not know that %s: keep Index.Retired, and give it to NewIndex or WithVersions", w)
		case g != w:
			type fields taxonomy.RetiredVersion // without its String
			return fmt.Errorf("index: retired %s: %+v, want %+v: keep all fields of Retired", w.ID, fields(g), fields(w))
		}
	}
	for _, g := range got.Retired() {
		if _, known := want.LookupRetired(g.ID); !known {
			return fmt.Errorf("index: %s, but want no such version", g)
		}
	}
	return nil
}

// compareEvolutions returns how the evolutions differ.
func compareEvolutions(got, want *taxonomy.Index) error {
	g, w := got.Record().Evolutions, want.Record().Evolutions
	for _, typ := range slices.Sorted(maps.Keys(w)) {
		text, wanted := got.EvolutionJSON(typ), want.EvolutionJSON(typ)
		switch {
		case g[typ].IsZero():
			return fmt.Errorf("index: no evolution of %s: keep Index.EvolutionJSON of all types, and give it to WithEvolution", typ)
		case len(text) == 0:
			return fmt.Errorf("index: the evolution of %s is named but was not loaded: call LoadEvolutions after DecodeIndex", typ)
		case !bytes.Equal(text, wanted) || g[typ] != w[typ]:
			return fmt.Errorf("index: the evolution of %s is %q, want %q: keep its bytes, without decoding them", typ, text, wanted)
		}
	}
	for typ := range g {
		if w[typ].IsZero() {
			return fmt.Errorf("index: there is an evolution of %s, want none", typ)
		}
	}
	return nil
}

// compareUnknown returns how the texts of two indexes differ that have the same record.
func compareUnknown(got, want *taxonomy.Index) error {
	text := func(x *taxonomy.Index) ([]byte, error) {
		return taxonomy.EncodeIndex(x.WithRecord(taxonomy.Record{Evolutions: x.Record().Evolutions}))
	}
	g, err := text(got)
	if err != nil {
		return fmt.Errorf("index: %w", err)
	}
	w := must(text(want))
	if bytes.Equal(g, w) {
		return nil
	}
	prefix := 0
	for prefix < min(len(g), len(w)) && g[prefix] == w[prefix] {
		prefix++
	}
	excerpt := func(text []byte) []byte { return text[max(prefix-30, 0):min(prefix+60, len(text))] }
	return fmt.Errorf("index: its text has %q, want %q: keep the text of EncodeIndex for DecodeIndex, or change an index with WithVersions",
		excerpt(g), excerpt(w))
}

// annotations are the changes of the annotated content to which a store must react, in their order.
func annotations(c Content) []annotation {
	deprecated := c.edit("ai@2026-03-01-stable", func(e *taxonomy.Entry) {
		e.State = taxonomy.State{Deprecated: "2026-10-01", Successor: taxonomy.MustVersion("ai@2026-09-01-stable")}
	})
	restored := deprecated.edit("ai@2026-09-01-beta", func(e *taxonomy.Entry) { e.State = taxonomy.State{} })
	retired := withoutNewest(restored)
	evolved := Content{retired.Index.WithEvolution("sensor", evolution("new")).WithEvolution("ai", evolution("second")), retired.Releases}
	return []annotation{
		{"after a version was deprecated", deprecated},
		{"after a deprecation was taken back", restored},
		{"after a version was retired", retired},
		{"after evolutions changed", evolved},
	}
}

type annotation struct {
	when    string
	content Content
}

// checkAnnotations: annotations are updated like versions.
func checkAnnotations(ctx context.Context, s *subject) error {
	for _, a := range append([]annotation{{"at first", s.content}}, annotations(s.content)...) {
		if a.when != "at first" {
			s.update(a.content)
		}
		if err := s.compareIndex(ctx, a.content, compareVersions, compareStates, compareRetired, compareEvolutions); err != nil {
			return fmt.Errorf("%s: %w", a.when, err)
		}
	}
	return nil
}

// checkAnnotationsNotified: a notifier also reports changes that leave the versions as they are.
func checkAnnotationsNotified(ctx context.Context, s *subject) error {
	n, ok := s.store.(taxonomy.Notifier)
	if !ok {
		return nil
	}
	listening, stop := context.WithCancel(ctx)
	defer stop()
	changes, err := s.changes(listening, n)
	if err != nil {
		return err
	}
	for _, a := range annotations(s.content) {
		s.update(a.content)
		if err := s.awaitChange(ctx, changes); err != nil {
			return fmt.Errorf("%s: %w: compare indexes with Index.Equal", a.when, err)
		}
	}
	return nil
}
