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

	"github.com/datachain-go/datachain/internal/concurrent"
	"github.com/datachain-go/datachain/internal/published"
	"github.com/datachain-go/datachain/taxonomy"
)

// found is what an index says of a release.
type found struct {
	dir string
	// named reports whether the index names this content of the version, and
	// pack is its pack, zero if it is stored as files.
	named bool
	pack  taxonomy.Hash
}

func find(now *taxonomy.Index, r *taxonomy.Release) found {
	f := found{dir: published.Dir(r.Version(), r.ContentHash())}
	if f.named = names(now, r.Version(), r.ContentHash()); f.named {
		e, _ := now.Lookup(r.Version().Ref())
		f.pack = e.Pack
	}
	return f
}

// examine returns what has to be done for a release. What readers may use stays
// in place until the index names something else, unless it is damaged.
func (w *writer) examine(ctx context.Context, now *taxonomy.Index, r *taxonomy.Release) (work, error) {
	at := find(now, r)
	switch {
	case w.dir == nil:
		return w.examineShared(ctx, at, r)
	case w.layout(at, r.Version()) == LayoutPack:
		return w.examinePacked(ctx, at, r)
	case !at.pack.IsZero():
		return w.examineUnpacked(ctx, at, r)
	}
	return w.examineFiles(ctx, at, r)
}

// layout returns the layout in which a release is to be stored.
func (w *writer) layout(at found, v taxonomy.Version) Layout {
	if !w.keepLayout {
		return w.options.Layout
	}
	if w.layouts[v] == "" {
		w.layouts[v] = LayoutFiles
		if !at.pack.IsZero() {
			w.layouts[v] = LayoutPack
		}
	}
	return w.layouts[v]
}

// examineFiles finds what is missing of a release in files: all of it if its
// content is not intact, or else each part of derived files that is not. While a
// derived part is replaced, readers derive its files on demand.
func (w *writer) examineFiles(ctx context.Context, at found, r *taxonomy.Release) (work, error) {
	todo := work{release: r}
	all := part{at.dir, content(r)}
	intact, err := w.usable(ctx, at, func() (bool, error) { return w.intactContent(ctx, r, all) })
	if err != nil {
		return todo, err
	}
	if !intact {
		todo.jobs = []part{w.whole(at, r)}
		return todo, nil
	}
	todo.jobs, err = w.damaged(ctx, at, r, derived(r, &w.options))
	return todo, err
}

// examineUnpacked finds what is missing of a packed release that becomes files.
// They are written beside the pack.
func (w *writer) examineUnpacked(ctx context.Context, at found, r *taxonomy.Release) (work, error) {
	todo := work{release: r}
	intact, err := w.intact(ctx, part{at.dir, []File{releaseJSON(r)}})
	if err != nil {
		return todo, err
	}
	if !intact {
		todo.jobs = []part{w.whole(at, r)}
		return todo, nil
	}
	todo.jobs, err = w.damaged(ctx, at, r, append([]part{symbols(r)}, derived(r, &w.options)...))
	return todo, err
}

// examinePacked finds what is missing of a packed release.
func (w *writer) examinePacked(ctx context.Context, at found, r *taxonomy.Release) (work, error) {
	base, err := w.base(ctx, at, r)
	if err != nil {
		return work{}, err
	}
	todo := work{release: r, pack: &packed{release: r, options: &w.options, base: base, advance: w.advance}}
	all := part{at.dir, todo.pack.files(ctx)}
	w.count(nil) // comparing is not counted
	intact, err := w.usable(ctx, at, func() (bool, error) { return w.intact(ctx, all) })
	if err != nil || intact {
		return todo, err
	}
	good := at.named
	if good && at.pack.IsZero() {
		good, err = w.intactContent(ctx, r, part{at.dir, content(r)})
	} else if good {
		good, err = w.goodPack(ctx, at, r)
	}
	switch {
	case err != nil:
	case !good:
		todo.jobs = []part{all}
	case at.pack.IsZero():
		todo.adds = all.files[1:] // readers use the files until the index names it
	default:
		todo.unpack = true
		todo.jobs, err = w.damaged(ctx, at, r, []part{symbols(r)})
	}
	return todo, err
}

// examineShared finds which of the two files of a release are missing in a [Shared]
// target, or damaged. The pack has a name of its own, so nothing that readers may use
// is replaced.
func (w *writer) examineShared(ctx context.Context, at found, r *taxonomy.Release) (work, error) {
	base, err := w.base(ctx, at, r)
	if err != nil {
		return work{}, err
	}
	todo := work{release: r, pack: &packed{release: r, options: &w.options, base: base, advance: w.advance}}
	w.count(nil) // only what is written is counted
	if err := todo.pack.write(ctx, io.Discard); err != nil {
		return todo, err
	}
	sum := todo.pack.sum
	if !at.named || at.pack != sum {
		// What is there may be about to be removed. Keep it from that first.
		if err := w.target.Touch(ctx, at.dir); err != nil {
			return todo, err
		}
	}
	files := todo.pack.files(ctx)
	files[1].Name = published.PackOf(sum)
	if ok, err := w.intact(ctx, part{at.dir, files[:1]}); err != nil {
		return todo, err
	} else if !ok {
		todo.adds = append(todo.adds, files[0])
	}
	if ok, err := w.hasSum(ctx, path.Join(at.dir, files[1].Name), sum); err != nil {
		return todo, err
	} else if !ok {
		todo.adds = append(todo.adds, files[1])
	}
	return todo, nil
}

// usable reports whether stored files are intact. If the index does not name
// them, they may be about to be removed, so it first keeps them from that.
func (w *writer) usable(ctx context.Context, at found, intact func() (bool, error)) (bool, error) {
	ok, err := intact()
	if err != nil || !ok || at.named {
		return ok, err
	}
	if err := w.target.Touch(ctx, at.dir); err != nil {
		return false, err
	}
	return intact()
}

// damaged returns the subdirectories of a release that are not intact.
func (w *writer) damaged(ctx context.Context, at found, r *taxonomy.Release, parts []part) (jobs []part, err error) {
	for _, p := range parts {
		isSymbols := p.dir == published.Symbols
		p.dir = path.Join(at.dir, p.dir)
		intact, err := w.intact(ctx, p)
		if err == nil && intact && isSymbols {
			intact, err = w.onlySymbols(ctx, r, p.dir)
		}
		if err != nil {
			return nil, err
		}
		if !intact {
			jobs = append(jobs, p)
		}
	}
	return jobs, nil
}

// whole returns all files of a release that is not packed.
func (w *writer) whole(at found, r *taxonomy.Release) part {
	all := part{at.dir, content(r)}
	for _, p := range derived(r, &w.options) {
		for _, f := range p.files {
			all.files = append(all.files, File{path.Join(p.dir, f.Name), f.Write})
		}
	}
	return all
}

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
	err := concurrent.Each(ctx, readers, len(p.files), func(worker, i int) error {
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
func (w *writer) base(ctx context.Context, at found, r *taxonomy.Release) (*published.Container, error) {
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
		if p, err := published.OpenContainer(data.Bytes()); err == nil {
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
