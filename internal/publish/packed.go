package publish

import (
	"bufio"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/concurrent"
	"github.com/datachain-go/datachain/internal/published"
	"github.com/datachain-go/datachain/taxonomy"
)

// packed is the pack of a release, which is built while it is written.
type packed struct {
	release *taxonomy.Release
	options *Options
	// base is the pack that is stored, nil for none. Sections that options do
	// not build are taken from it.
	base *published.Container
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
	packing := published.NewPackWriter(out)
	for _, section := range []func(context.Context, *published.PackWriter) error{p.writeIcons, p.writeForm, p.writeSearch, p.writeSymbols} {
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
func (p *packed) keep(w *published.PackWriter, name string) error {
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

func (p *packed) writeIcons(ctx context.Context, w *published.PackWriter) error {
	if p.options.Icon == nil {
		return p.keep(w, published.IconsSection)
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
	if err := w.Begin(published.IconsSection); err != nil {
		return err
	}
	return p.icons.write(ctx, w)
}

// writeForm writes the form of the release. One that is too large has none.
func (p *packed) writeForm(_ context.Context, w *published.PackWriter) error {
	form, err := p.release.AppendForm(nil)
	if err != nil {
		return nil //nolint:nilerr // it is too large
	}
	if err := w.Begin(published.ReleaseSection); err != nil {
		return err
	}
	_, err = w.Write(form)
	return err
}

func (p *packed) writeSearch(ctx context.Context, w *published.PackWriter) error {
	locales := searchLocales(p.release)
	slices.Sort(locales)
	if p.options.SearchIndex == nil {
		for _, locale := range locales {
			if err := p.keep(w, published.SearchSection(locale)); err != nil {
				return err
			}
		}
		return nil
	}
	indexes := make([][]byte, len(locales))
	err := concurrent.Each(ctx, runtime.GOMAXPROCS(0), len(locales), func(_, i int) (err error) {
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
		if err := w.Begin(published.SearchSection(locale)); err != nil {
			return err
		}
		if _, err := w.Write(indexes[i]); err != nil {
			return err
		}
		indexes[i] = nil
	}
	return nil
}

func (p *packed) writeSymbols(_ context.Context, w *published.PackWriter) error {
	if err := w.Begin(published.SymbolsSection); err != nil {
		return err
	}
	var c published.Contents
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
	return published.WriteTable(w, c)
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

// iconTable knows which icons of a release are distinct. It does not keep the
// icons, which are drawn again when they are written.
type iconTable struct {
	draw     func(i int) ([]byte, error)
	distinct []int // the first icon with each content
	sizes    []int // of the distinct icons
	keys     []iconKey
}

// iconKey is an icon by its key, with the number of its content.
type iconKey struct {
	key    string
	number uint32
}

// drawn is what is remembered of an icon.
type drawn struct {
	element *taxonomy.Element
	variant string
	sum     [sha256.Size]byte
	size    int
}

// drawIcons draws every icon of a release.
func drawIcons(ctx context.Context, r *taxonomy.Release, icon IconFunc, advance func(n int)) (*iconTable, error) {
	var all []drawn
	for _, e := range r.Elements() {
		for _, variant := range e.IconVariants {
			all = append(all, drawn{element: e, variant: variant})
		}
	}
	t := &iconTable{draw: func(i int) ([]byte, error) {
		svg, err := icon(r, all[i].element, all[i].variant)
		if err != nil {
			return nil, fmt.Errorf("icon of %s as %s: %w", all[i].element.ID, all[i].variant, err)
		}
		return svg, nil
	}}
	const batch = 256
	workers := runtime.GOMAXPROCS(0)
	sums := make([]summer, workers)
	err := concurrent.Each(ctx, workers, (len(all)+batch-1)/batch, func(worker, b int) error {
		end := min((b+1)*batch, len(all))
		for i := b * batch; i < end; i++ {
			svg, err := t.draw(i)
			if err != nil {
				return err
			}
			all[i].sum, all[i].size = sums[worker].sum(svg), len(svg)
		}
		advance(end - b*batch)
		return nil
	})
	if err != nil {
		return nil, err
	}
	t.number(all)
	return t, nil
}

// summer computes hashes. Elements usually share the memory of equal icons, so it
// remembers the hashes of some.
type summer struct {
	known map[view][sha256.Size]byte
	bytes int // of memory that is kept because of known
}

// view is where an icon is in memory.
type view struct {
	first *byte
	size  int
}

// maxKept limits the memory that a summer keeps.
const maxKept = 32 << 20

func (s *summer) sum(svg []byte) [sha256.Size]byte {
	if len(svg) == 0 {
		return sha256.Sum256(nil)
	}
	at := view{&svg[0], len(svg)}
	sum, known := s.known[at]
	if !known {
		sum = sha256.Sum256(svg)
		if s.known == nil {
			s.known = make(map[view][sha256.Size]byte)
		}
		if s.bytes += len(svg); s.bytes <= maxKept {
			s.known[at] = sum
		}
	}
	return sum
}

// number numbers the distinct icons, in order, and sorts the keys.
func (t *iconTable) number(all []drawn) {
	numbers := make(map[[sha256.Size]byte]uint32)
	t.keys = make([]iconKey, len(all))
	for i := range all {
		number, known := numbers[all[i].sum]
		if !known {
			number = uint32(len(t.distinct))
			numbers[all[i].sum] = number
			t.distinct, t.sizes = append(t.distinct, i), append(t.sizes, all[i].size)
		}
		t.keys[i] = iconKey{published.IconKey(all[i].element.ID, all[i].variant), number}
	}
	slices.SortFunc(t.keys, func(a, b iconKey) int { return strings.Compare(a.key, b.key) })
}

// write writes the icons as a table.
func (t *iconTable) write(ctx context.Context, w io.Writer) error {
	c := published.Contents{
		Keys: make([]string, len(t.keys)), Shares: make([]uint32, len(t.keys)), Sizes: t.sizes,
		WriteValues: func(w io.Writer) error { return t.writeDistinct(ctx, w) },
	}
	for i, k := range t.keys {
		c.Keys[i], c.Shares[i] = k.key, k.number
	}
	return published.WriteTable(w, c)
}

// writeDistinct draws the distinct icons, many at a time, and writes them in
// order.
func (t *iconTable) writeDistinct(ctx context.Context, w io.Writer) error {
	const batch = 1024
	icons := make([][]byte, min(batch, len(t.distinct)))
	for start := 0; start < len(t.distinct); start += batch {
		some := icons[:min(batch, len(t.distinct)-start)]
		err := concurrent.Each(ctx, runtime.GOMAXPROCS(0), len(some), func(_, i int) (err error) {
			some[i], err = t.draw(t.distinct[start+i])
			return err
		})
		if err != nil {
			return err
		}
		for i, svg := range some {
			if len(svg) != t.sizes[start+i] {
				return fmt.Errorf("an icon was drawn with %d bytes and then with %d: Options.Icon must always return the same bytes", t.sizes[start+i], len(svg))
			}
			if _, err := w.Write(svg); err != nil {
				return err
			}
		}
	}
	return nil
}
