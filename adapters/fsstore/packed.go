package fsstore

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/pack"
)

// packed is the pack of a release. It never changes.
type packed struct {
	name   string // for messages
	pack   *pack.Pack
	icons  pack.Table
	maxSVG int64
}

// readPack reads a pack that has the SHA-256 in the index. So everything in it is
// what was published.
func readPack(fsys fs.FS, name string, sum taxonomy.Hash, o *Options) (*packed, error) {
	data, _, err := readFile(fsys, name, o.MaxRelease)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%w: %s", err, republish)
	case err != nil:
		return nil, err
	}
	if got := taxonomy.Hash(sha256.Sum256(data)); got != sum {
		return nil, fmt.Errorf("%s: %w: its SHA-256 is %s, but the index has %s: %s",
			name, taxonomy.ErrHashMismatch, got, sum, republish)
	}
	p := &packed{name: name, maxSVG: o.MaxSVG}
	if p.pack, err = pack.Open(data); err == nil {
		p.icons, err = p.table(pack.Icons)
	}
	switch {
	case errors.Is(err, pack.ErrFormat):
		return nil, fmt.Errorf("%s: %w: use the version of this program that published it, or publish the release again", name, err)
	case err != nil:
		return nil, fmt.Errorf("%s: %w: publish the release again", name, err)
	}
	return p, nil
}

// table opens a section that is a table. A missing one is empty.
func (p *packed) table(name string) (pack.Table, error) {
	section, ok := p.pack.Section(name)
	if !ok {
		return pack.Table{}, nil
	}
	return pack.OpenTable(section)
}

// symbols returns the symbols by id. The content hash shows whether one is
// missing.
func (p *packed) symbols() (map[string]string, error) {
	table, err := p.table(pack.Symbols)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: publish the release again", p.name, err)
	}
	symbols := make(map[string]string, table.Len())
	for id, svg := range table.All() {
		if int64(len(svg)) > p.maxSVG {
			return nil, tooLarge(p.name+": symbol "+id, int64(len(svg)), p.maxSVG)
		}
		symbols[id] = string(svg)
	}
	return symbols, nil
}

// icon returns an icon.
func (p *packed) icon(elementID, variant string) ([]byte, error) {
	svg, ok := p.icons.Get(pack.IconKey(elementID, variant))
	switch {
	case !ok:
		return nil, taxonomy.ErrNotFound
	case int64(len(svg)) > p.maxSVG:
		return nil, tooLarge(p.name, int64(len(svg)), p.maxSVG)
	}
	return svg, nil
}

// searchIndex returns a search index.
func (p *packed) searchIndex(locale string) ([]byte, error) {
	data, ok := p.pack.Section(pack.Search(locale))
	if !ok {
		return nil, taxonomy.ErrNotFound
	}
	return data, nil
}
