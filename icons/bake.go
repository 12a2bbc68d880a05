package icons

import (
	"cmp"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/datachain-go/datachain/taxonomy"
)

// BakeOptions say how [Bake] works. A nil *BakeOptions is the defaults.
type BakeOptions struct {
	// Workers is how many icons are composed at a time; by default one for
	// each processor.
	Workers int
	// Progress is told now and then, and at the end, how many icons of how
	// many are done. Calls come one at a time.
	Progress func(done, total int)
	// Interrupt is asked now and then whether to go on; an error ends the
	// work, which returns it. It is called by several goroutines at once.
	Interrupt func() error
}

// bakeBatch is how many elements a worker takes at a time.
const bakeBatch = 64

// Bake composes the icons of a release, every variant of every element, and
// hands each to emit, in no particular order and to several goroutines at once.
// The bytes are those of [Set.Icon] and are emit's only until it returns.
//
// The first error, of a symbol or of emit, ends the work.
func Bake(r *taxonomy.Release, emit func(e *taxonomy.Element, variant string, svg []byte) error, o *BakeOptions) error {
	b := &baker{set: NewSet(r, &SetOptions{MaxBytes: -1}), elements: r.Elements(), emit: emit}
	if o != nil {
		b.options = *o
	}
	for _, e := range b.elements {
		b.total += len(e.IconVariants)
	}
	workers := cmp.Or(max(b.options.Workers, 0), runtime.GOMAXPROCS(0))
	var wg sync.WaitGroup
	for range min(workers, len(b.elements)/bakeBatch+1) {
		wg.Go(b.work)
	}
	wg.Wait()
	return b.err
}

// baker is one baking.
type baker struct {
	set      *Set
	elements []*taxonomy.Element
	emit     func(e *taxonomy.Element, variant string, svg []byte) error
	options  BakeOptions
	next     atomic.Int64 // the first element that nobody has taken
	failed   atomic.Bool

	mu          sync.Mutex
	done, total int
	err         error
}

// work bakes batches until there are none left.
func (b *baker) work() {
	var buffer []byte
	for !b.failed.Load() {
		end := int(b.next.Add(bakeBatch))
		start := end - bakeBatch
		if start >= len(b.elements) {
			return
		}
		done := 0
		for _, e := range b.elements[start:min(end, len(b.elements))] {
			var err error
			if buffer, err = b.element(buffer, e); err != nil {
				b.fail(err)
				return
			}
			done += len(e.IconVariants)
		}
		b.report(done)
	}
}

// element bakes the icons of one element.
func (b *baker) element(buffer []byte, e *taxonomy.Element) ([]byte, error) {
	if b.options.Interrupt != nil {
		if err := b.options.Interrupt(); err != nil {
			return buffer, err
		}
	}
	for i, variant := range e.IconVariants {
		var err error
		if buffer, err = b.set.append(buffer[:0], b.set.slots[e.ID], i, nil); err != nil {
			return buffer, err
		}
		if err := b.emit(e, variant, buffer); err != nil {
			return buffer, err
		}
	}
	return buffer, nil
}

func (b *baker) fail(err error) {
	b.failed.Store(true)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err == nil {
		b.err = err
	}
}

func (b *baker) report(done int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.done += done
	if b.options.Progress != nil {
		b.options.Progress(b.done, b.total)
	}
}
