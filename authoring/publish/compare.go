package publish

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"path"
	"slices"

	"github.com/datachain-go/datachain/internal/pack"
	"github.com/datachain-go/datachain/internal/parallel"
	"github.com/datachain-go/datachain/internal/published"
	"github.com/datachain-go/datachain/taxonomy"
)

// readers is how many files are compared at a time.
const readers = 8

// intactContent reports whether the content of a release in files is intact.
func (w *writer) intactContent(ctx context.Context, r *taxonomy.Release, p part) (bool, error) {
	intact, err := w.intact(ctx, p)
	if err != nil || !intact {
		return false, err
	}
	return w.onlySymbols(ctx, r, path.Join(p.dir, published.Symbols))
}

// onlySymbols reports whether a directory has no further symbol, which readers
// would count as part of the content.
func (w *writer) onlySymbols(ctx context.Context, r *taxonomy.Release, dir string) (bool, error) {
	names, err := w.target.List(ctx, dir)
	if err != nil {
		return false, ctx.Err() // what can't be read is not intact
	}
	for _, name := range names {
		if id, ok := published.SymbolID(name); ok {
			if _, known := r.Symbol(id); !known {
				return false, nil
			}
		}
	}
	return true, nil
}

// intact reports whether the files of a part are stored with exactly their bytes.
// What can't be read is not intact.
func (w *writer) intact(ctx context.Context, p part) (bool, error) {
	err := parallel.Each(ctx, readers, len(p.files), func(worker, i int) error {
		return w.comparers[worker].compare(ctx, w.target, path.Join(p.dir, p.files[i].Name), p.files[i].Write)
	})
	if errors.Is(err, errDiffers) {
		return false, nil
	}
	return err == nil, err
}

// goodPack reports whether a packed release is intact, with the pack that the
// index names.
func (w *writer) goodPack(ctx context.Context, at found, r *taxonomy.Release) (bool, error) {
	good, err := w.hasSum(ctx, path.Join(at.dir, published.PackFile), at.pack)
	if err != nil || !good {
		return false, err
	}
	return w.intact(ctx, part{at.dir, []File{releaseJSON(r)}})
}

// hasSum reports whether a stored file has a SHA-256. What can't be read has not.
func (w *writer) hasSum(ctx context.Context, name string, want taxonomy.Hash) (bool, error) {
	sum := sha256.New()
	if err := w.read(ctx, name, sum); err != nil {
		return false, ctx.Err()
	}
	return taxonomy.Hash(sum.Sum(nil)) == want, nil
}

// base returns the stored pack of a release if it is good and some of its
// sections are kept, or nil. It remembers the pack, since the index does not name
// it while it is replaced.
func (w *writer) base(ctx context.Context, at found, r *taxonomy.Release) (*pack.Pack, error) {
	if at.pack.IsZero() || w.options.Icon != nil && w.options.SearchIndex != nil {
		return w.bases[r.Version()], nil
	}
	name := published.PackFile
	if w.dir == nil {
		name = published.PackOf(at.pack)
	}
	var data bytes.Buffer
	err := w.read(ctx, path.Join(at.dir, name), &data)
	if err == nil && sha256.Sum256(data.Bytes()) == at.pack {
		if p, err := pack.Open(data.Bytes()); err == nil {
			w.bases[r.Version()] = p
		}
	}
	return w.bases[r.Version()], ctx.Err()
}

// read copies a stored file.
func (w *writer) read(ctx context.Context, name string, to io.Writer) error {
	stored, err := w.target.Open(ctx, name)
	if err != nil {
		return err
	}
	defer func() { _ = stored.Close() }() // it was only read
	_, err = io.Copy(to, stored)
	return err
}

var errDiffers = errors.New("the file differs")

// comparer is an io.Writer that accepts only what a stored file contains.
type comparer struct {
	stored  io.Reader
	differs bool
	buf     []byte
	out     *bufio.Writer // into the comparer
}

// compare returns errDiffers unless a stored file has the bytes that write
// writes.
func (c *comparer) compare(ctx context.Context, t Target, name string, write func(io.Writer) error) error {
	stored, err := t.Open(ctx, name)
	if err != nil {
		return cmp.Or(ctx.Err(), errDiffers)
	}
	defer func() { _ = stored.Close() }() // it was only read
	c.stored, c.differs = stored, false
	if c.out == nil {
		c.out = bufio.NewWriterSize(c, 1<<16)
	}
	c.out.Reset(c)
	if err = write(c.out); err == nil {
		err = c.out.Flush()
	}
	if err != nil && !c.differs {
		return err
	}
	if _, err := io.CopyN(io.Discard, stored, 1); c.differs || !errors.Is(err, io.EOF) {
		return cmp.Or(ctx.Err(), errDiffers)
	}
	return nil
}

// Write compares p with the next bytes of the stored file.
func (c *comparer) Write(p []byte) (int, error) {
	c.buf = slices.Grow(c.buf[:0], len(p))[:len(p)]
	if _, err := io.ReadFull(c.stored, c.buf); err != nil || !bytes.Equal(p, c.buf) {
		c.differs = true
		return 0, errDiffers
	}
	return len(p), nil
}
