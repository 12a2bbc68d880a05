package publish

import (
	"bufio"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"

	"github.com/datachain-go/datachain/internal/pack"
	"github.com/datachain-go/datachain/internal/parallel"
	"github.com/datachain-go/datachain/internal/published"
	"github.com/datachain-go/datachain/taxonomy"
)

// packed is the pack of a release, which is built while it is written.
type packed struct {
	release *taxonomy.Release
	options *Options
	// base is the pack that is stored, nil for none. Sections that options do
	// not build are taken from it.
	base *pack.Pack
	// advance reports that so many of [packed.steps] are done.
	advance func(n int)

	icons *iconTable    // nil before they are drawn
	sum   taxonomy.Hash // of what was written last
}

// steps returns how many pieces the pack consists of, for [Options.Progress].
func (p *packed) steps() int {
	n := 1
	if p.options.Icon != nil {
		for _, e := range p.release.Elements() {
			n += len(e.IconVariants)
		}
	}
	if p.options.SearchIndex != nil {
		n += len(searchLocales(p.release))
	}
	return n
}

// files returns the files of a packed release.
func (p *packed) files(ctx context.Context) []File {
	return []File{releaseJSON(p.release), {published.PackFile, func(w io.Writer) error { return p.write(ctx, w) }}}
}

// write writes the pack. Icons are drawn twice, first to know which are distinct,
// so that memory does not depend on their size.
func (p *packed) write(ctx context.Context, w io.Writer) error {
	sum := sha256.New()
	out := bufio.NewWriterSize(io.MultiWriter(sum, w), 1<<16)
	packing := pack.NewWriter(out)
	for _, section := range []func(context.Context, *pack.Writer) error{p.writeIcons, p.writeForm, p.writeSearch, p.writeSymbols} {
		if err := section(ctx, packing); err != nil {
			return err
		}
	}
	if err := packing.Close(); err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return err
	}
	p.sum = taxonomy.Hash(sum.Sum(nil))
	p.advance(1)
	return nil
}

// keep copies a section of the stored pack, if it has it.
func (p *packed) keep(w *pack.Writer, name string) error {
	if p.base == nil {
		return nil
	}
	data, ok := p.base.Section(name)
	if !ok {
		return nil
	}
	if err := w.Begin(name); err != nil {
		return err
	}
	_, err := w.Write(data)
	return err
}

func (p *packed) writeIcons(ctx context.Context, w *pack.Writer) error {
	if p.options.Icon == nil {
		return p.keep(w, pack.Icons)
	}
	if p.icons == nil {
		icons, err := drawIcons(ctx, p.release, p.options.Icon, p.advance)
		if err != nil {
			return err
		}
		p.icons = icons
	} else {
		p.advance(len(p.icons.keys))
	}
	if err := w.Begin(pack.Icons); err != nil {
		return err
	}
	return p.icons.write(ctx, w)
}

// writeForm writes the form of the release. One that is too large has none.
func (p *packed) writeForm(_ context.Context, w *pack.Writer) error {
	form, err := p.release.AppendForm(nil)
	if errors.Is(err, taxonomy.ErrForm) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := w.Begin(pack.Release); err != nil {
		return err
	}
	_, err = w.Write(form)
	return err
}

func (p *packed) writeSearch(ctx context.Context, w *pack.Writer) error {
	locales := searchLocales(p.release)
	slices.Sort(locales)
	if p.options.SearchIndex == nil {
		for _, locale := range locales {
			if err := p.keep(w, pack.Search(locale)); err != nil {
				return err
			}
		}
		return nil
	}
	indexes := make([][]byte, len(locales))
	err := parallel.Each(ctx, runtime.GOMAXPROCS(0), len(locales), func(_, i int) (err error) {
		if indexes[i], err = p.options.SearchIndex(p.release, locales[i]); err != nil {
			return fmt.Errorf("search index for %s: %w", locales[i], err)
		}
		p.advance(1)
		return nil
	})
	if err != nil {
		return err
	}
	for i, locale := range locales {
		if err := w.Begin(pack.Search(locale)); err != nil {
			return err
		}
		if _, err := w.Write(indexes[i]); err != nil {
			return err
		}
		indexes[i] = nil
	}
	return nil
}

func (p *packed) writeSymbols(_ context.Context, w *pack.Writer) error {
	if err := w.Begin(pack.Symbols); err != nil {
		return err
	}
	var c pack.Contents
	var distinct []string
	numbers := make(map[string]uint32)
	for _, id := range p.release.SymbolIDs() {
		svg, _ := p.release.Symbol(id)
		number, known := numbers[svg]
		if !known {
			number = uint32(len(distinct))
			numbers[svg] = number
			distinct, c.Sizes = append(distinct, svg), append(c.Sizes, len(svg))
		}
		c.Keys, c.Shares = append(c.Keys, id), append(c.Shares, number)
	}
	c.WriteValues = func(w io.Writer) error {
		for _, svg := range distinct {
			if _, err := io.WriteString(w, svg); err != nil {
				return err
			}
		}
		return nil
	}
	return pack.WriteTable(w, c)
}

// searchLocales returns the locales that search indexes are stored for. Servers
// build the others on demand.
func searchLocales(r *taxonomy.Release) (locales []string) {
	for _, locale := range r.Locales() {
		if _, ok := published.SearchIndex(locale); ok {
			locales = append(locales, locale)
		}
	}
	return locales
}
