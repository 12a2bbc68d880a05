package publish

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/pack"
	"github.com/datachain-go/datachain/internal/parallel"
	"github.com/datachain-go/datachain/taxonomy"
)

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
	err := parallel.Each(ctx, workers, (len(all)+batch-1)/batch, func(worker, b int) error {
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
		t.keys[i] = iconKey{pack.IconKey(all[i].element.ID, all[i].variant), number}
	}
	slices.SortFunc(t.keys, func(a, b iconKey) int { return strings.Compare(a.key, b.key) })
}

// write writes the icons as a table.
func (t *iconTable) write(ctx context.Context, w io.Writer) error {
	c := pack.Contents{
		Keys: make([]string, len(t.keys)), Shares: make([]uint32, len(t.keys)), Sizes: t.sizes,
		WriteValues: func(w io.Writer) error { return t.writeDistinct(ctx, w) },
	}
	for i, k := range t.keys {
		c.Keys[i], c.Shares[i] = k.key, k.number
	}
	return pack.WriteTable(w, c)
}

// writeDistinct draws the distinct icons, many at a time, and writes them in
// order.
func (t *iconTable) writeDistinct(ctx context.Context, w io.Writer) error {
	const batch = 1024
	icons := make([][]byte, min(batch, len(t.distinct)))
	for start := 0; start < len(t.distinct); start += batch {
		some := icons[:min(batch, len(t.distinct)-start)]
		err := parallel.Each(ctx, runtime.GOMAXPROCS(0), len(some), func(_, i int) (err error) {
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
