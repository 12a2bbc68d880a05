package resolve

import (
	"errors"

	"github.com/datachain-go/datachain/internal/errname"
	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// WithSymbols returns the text of a resolved document with the symbols of its elements as its
// member symbols, as canonical JSON. Then its icons can be drawn without the release.
func WithSymbols(release *taxonomy.Release, resolved []byte) ([]byte, error) {
	if release == nil {
		return nil, errors.New("resolve: the release is nil")
	}
	doc, err := document.Parse(resolved)
	if err != nil {
		return nil, errname.Add("resolve", err)
	}
	members, symbols := make(map[string][]byte), make(map[string][]byte)
	for m := range doc.Root().All() {
		members[m.Key()] = m.AppendCanonical(nil)
	}
	snapshot, _ := doc.Root().Get(keySnapshot)
	placed, _ := snapshot.Get("elements")
	suggested, _ := doc.Root().Get(keySuggested)
	for _, list := range []document.Value{placed, suggested} {
		for e := range list.All() {
			id, _ := e.Get("symbol_id")
			if svg, ok := release.Symbol(id.Text()); ok {
				symbols[id.Text()] = jcs.AppendQuote(nil, svg)
			}
		}
	}
	members["symbols"] = jcs.AppendObject(nil, symbols)
	return jcs.AppendObject(nil, members), nil
}
