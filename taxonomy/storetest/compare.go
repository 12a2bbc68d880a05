package storetest

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/datachain-go/datachain/taxonomy"
)

// compareIndex returns how an index differs from that of the publications.
func compareIndex(got *taxonomy.Index, pubs []taxonomy.Publication) error {
	want, err := new(taxonomy.Index).With(pubs...)
	if err != nil {
		return err
	}
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

// compareRelease returns how a release differs from the published one.
func compareRelease(got, want *taxonomy.Release) error {
	switch {
	case got.Version() != want.Version():
		return fmt.Errorf("the version is %s", got.Version())
	case got.ContentHash() != want.ContentHash():
		return fmt.Errorf("the content hash is %s, want %s", got.ContentHash(), want.ContentHash())
	case !bytes.Equal(text(got), text(want)):
		return fmt.Errorf("the release.json differs: %s, want %s", text(got), text(want))
	case !slices.Equal(got.SymbolIDs(), want.SymbolIDs()):
		return fmt.Errorf("the symbols are %q, want %q", got.SymbolIDs(), want.SymbolIDs())
	}
	for _, id := range want.SymbolIDs() {
		g, _ := got.Symbol(id)
		if w, _ := want.Symbol(id); g != w {
			return fmt.Errorf("the symbol %s is %q, want %q", id, g, w)
		}
	}
	return nil
}

func text(r *taxonomy.Release) []byte {
	var b bytes.Buffer
	_, _ = r.WriteTo(&b) // a Buffer never fails
	return b.Bytes()
}

// wrongError is the error for a call that should have returned another error, and
// nothing else.
func wrongError(what string, got, want error) error {
	if got == nil {
		return fmt.Errorf("%s: no error, want one that wraps: %w", what, want)
	}
	return fmt.Errorf("%s: %w, want only an error that wraps: %w", what, got, want)
}
