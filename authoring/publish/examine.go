package publish

import (
	"context"
	"io"
	"path"

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
