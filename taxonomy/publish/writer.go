package publish

import (
	"context"
	"fmt"
	"io"
	"path"
	"slices"
	"sync"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/layout"
)

// writer writes releases into a target, as far as they are not there yet.
type writer struct {
	target    Target
	options   Options
	comparers [readers]comparer
	// written are the versions that files were written for, in all attempts.
	written []taxonomy.Version

	mu          sync.Mutex // for Progress
	done, total int
}

func newWriter(t Target, o *Options) *writer {
	return &writer{target: t, options: o.withDefaults()}
}

// job is a part of a release to write.
type job struct {
	version taxonomy.Version
	part
}

// write writes what is missing or damaged of releases. Nothing is written before
// all of them have been checked.
func (w *writer) write(ctx context.Context, now *taxonomy.Index, releases []*taxonomy.Release) error {
	var jobs []job
	for _, r := range releases {
		missing, err := w.missing(ctx, now, r)
		if err != nil {
			return fmt.Errorf("release %s: %w", r.Version(), err)
		}
		jobs = append(jobs, missing...)
	}
	w.done, w.total = 0, 0
	for _, j := range jobs {
		w.total += len(j.files)
	}
	for _, j := range jobs {
		if w.options.Progress != nil {
			for i := range j.files {
				j.files[i].Write = w.counted(j.files[i].Write)
			}
		}
		if err := w.target.Write(ctx, j.dir, j.files); err != nil {
			return fmt.Errorf("release %s: %w", j.version, err)
		}
		if !slices.Contains(w.written, j.version) {
			w.written = append(w.written, j.version)
		}
	}
	return nil
}

// missing returns what has to be written of a release: all of it if its content
// is not intact, or else each part of derived files that is not. Readers may use
// a release whose content is intact, so it stays in place; while a derived part
// is replaced, they derive its files on demand.
func (w *writer) missing(ctx context.Context, now *taxonomy.Index, r *taxonomy.Release) ([]job, error) {
	dir := layout.Dir(r.Version(), r.ContentHash())
	all := part{dir, content(r)}
	intact, err := w.intactContent(ctx, r, all)
	if err == nil && intact && !names(now, r.Version(), r.ContentHash()) {
		// It may be about to be removed, so first keep it from that.
		if err = w.target.Touch(ctx, dir); err == nil {
			intact, err = w.intactContent(ctx, r, all)
		}
	}
	if err != nil {
		return nil, err
	}
	parts := derived(r, &w.options)
	if !intact {
		for _, p := range parts {
			for _, f := range p.files {
				all.files = append(all.files, File{path.Join(p.dir, f.Name), f.Write})
			}
		}
		return []job{{r.Version(), all}}, nil
	}
	var jobs []job
	for _, p := range parts {
		p.dir = path.Join(dir, p.dir)
		intact, err := w.intact(ctx, p)
		if err != nil {
			return nil, err
		}
		if !intact {
			jobs = append(jobs, job{r.Version(), p})
		}
	}
	return jobs, nil
}

// counted returns a Write that reports its first success to Progress.
func (w *writer) counted(write func(io.Writer) error) func(io.Writer) error {
	var once sync.Once
	return func(out io.Writer) error {
		err := write(out)
		if err == nil {
			once.Do(func() {
				w.mu.Lock()
				defer w.mu.Unlock()
				w.done++
				w.options.Progress(w.done, w.total)
			})
		}
		return err
	}
}
