package icons

import (
	"cmp"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/datachain-go/datachain/taxonomy"
)

// BakeOptions configures [Bake]. A nil *BakeOptions is the defaults.
type BakeOptions struct {
	// Workers is the number of goroutines, by default one per CPU.
	Workers int
	// Progress is called from time to time, and at the end, with the number of icons
	// done and the total. Calls are serialised.
	Progress func(done, total int)
	// Interrupt is called before each element, by several goroutines. If it returns
	// an error, Bake stops and returns it.
	Interrupt func() error
}

// bakeBatch is the number of elements that a worker takes at a time.
const bakeBatch = 64

// Bake composes every variant of every element of a release and passes each icon to
// emit, in no particular order and from several goroutines. The bytes are those of
// [Set.Icon] and are valid until emit returns.
//
// Bake stops at the first error, of a symbol or of emit, and returns it.
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

// baker is the state of one call of Bake.
type baker struct {
	set      *Set
	elements []*taxonomy.Element
	emit     func(e *taxonomy.Element, variant string, svg []byte) error
	options  BakeOptions
	next     atomic.Int64 // the first element that no worker has taken

	mu          sync.Mutex
	done, total int
	err         error
}

// work bakes batches until there are none left.
func (b *baker) work() {
	var buffer []byte
	var err error
	for err == nil {
		end := int(b.next.Add(bakeBatch))
		start := end - bakeBatch
		if start >= len(b.elements) {
			return
		}
		done := 0
		for _, e := range b.elements[start:min(end, len(b.elements))] {
			if buffer, err = b.element(buffer, e); err != nil {
				b.next.Store(int64(len(b.elements))) // stop the others
				break
			}
			done += len(e.IconVariants)
		}
		b.report(done, err)
	}
}

// element bakes the icons of one element.
func (b *baker) element(buffer []byte, e *taxonomy.Element) ([]byte, error) {
	if b.options.Interrupt != nil {
		if err := b.options.Interrupt(); err != nil {
			return buffer, err
		}
	}
	for _, variant := range e.IconVariants {
		key, err := b.set.find(e.ID, variant)
		if err != nil {
			return buffer, err
		}
		if buffer, err = b.set.append(buffer[:0], key, nil); err != nil {
			return buffer, err
		}
		if err := b.emit(e, variant, buffer); err != nil {
			return buffer, err
		}
	}
	return buffer, nil
}

// report records the outcome of a batch.
func (b *baker) report(done int, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.done += done
	switch {
	case err != nil && b.err == nil:
		b.err = err
	case err == nil && b.options.Progress != nil:
		b.options.Progress(b.done, b.total)
	}
}
