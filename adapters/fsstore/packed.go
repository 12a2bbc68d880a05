package fsstore

import (
	"fmt"
	"sync/atomic"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/pack"
)

// packed is the pack of a release. It never changes.
type packed struct {
	name   string // for messages
	maxSVG int64
	// section returns a section, and reports whether there is one of that name.
	section func(name string) ([]byte, bool, error)
	icons   atomic.Pointer[pack.Table] // nil before the first icon
}

// table opens a section that is a table. A missing one is empty.
func (p *packed) table(name string) (pack.Table, error) {
	section, ok, err := p.section(name)
	if err != nil || !ok {
		return pack.Table{}, err
	}
	table, err := pack.OpenTable(section)
	if err != nil {
		return table, fmt.Errorf("%s: %w: publish the release again", p.name, err)
	}
	return table, nil
}

// symbols returns the symbols by id. The content hash shows whether one is
// missing.
func (p *packed) symbols() (map[string]string, error) {
	table, err := p.table(pack.Symbols)
	if err != nil {
		return nil, err
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

// openIcons opens the table of icons.
func (p *packed) openIcons() error {
	table, err := p.table(pack.Icons)
	if err == nil {
		p.icons.Store(&table)
	}
	return err
}

// icon returns an icon.
func (p *packed) icon(elementID, variant string) ([]byte, error) {
	if p.icons.Load() == nil {
		if err := p.openIcons(); err != nil {
			return nil, err
		}
	}
	svg, ok := p.icons.Load().Get(pack.IconKey(elementID, variant))
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
	data, ok, err := p.section(pack.Search(locale))
	if err == nil && !ok {
		err = taxonomy.ErrNotFound
	}
	return data, err
}
