package fsstore

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/datachain-go/datachain/taxonomy"
)

// writer brings releases into a store, as a list of jobs.
type writer struct {
	*publisher
	options PublishOptions
	jobs    []job

	mu          sync.Mutex // for Progress
	done, total int
}

// job is a folder to write: that of a whole release, or that of its icons.
type job struct {
	version taxonomy.Version
	// temp is where it is written, and place where it goes when it is whole.
	// What is at place and not as it should be goes to old first.
	temp, place, old string
	files            []output
}

// plan adds what has to be written for a release, which is nothing where all of
// it is there.
func (w *writer) plan(ctx context.Context, r *taxonomy.Release) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	place := releaseDir(r.Version(), r.ContentHash())
	j := job{version: r.Version(), place: place, temp: beside(newPrefix, place), old: beside(oldPrefix, place)}
	content := contentFiles(r)
	derived := []derivation{
		{iconsDir, iconFiles(r, w.options.Icon)},
		{searchDir, indexFiles(r, w.options.SearchIndex)},
	}
	whole, err := w.intact(ctx, place, content)
	if err != nil {
		return err
	}
	if whole && noneAdded(w.fsys, place, r) {
		for _, d := range derived {
			if err := w.planDerived(ctx, j, d); err != nil {
				return err
			}
		}
		return nil
	}
	j.files = content
	for _, d := range derived {
		j.files = append(j.files, d.files...)
	}
	w.add(j)
	return nil
}

// derivation is files of a release that follow from its content, in a folder of
// their own.
type derivation struct {
	dir   string
	files []output
}

// planDerived adds a folder of a release that is there, unless it is as it
// should be. The release may be in use, so only that folder is replaced: while
// it is missing, readers derive on demand what it holds.
func (w *writer) planDerived(ctx context.Context, j job, d derivation) error {
	whole, err := w.intact(ctx, j.place, d.files)
	if err != nil || whole {
		return err
	}
	j.place = path.Join(j.place, d.dir)
	// Beside the release, since that is what others may be reading.
	j.temp, j.old = j.temp+"-"+d.dir, j.old+"-"+d.dir
	for _, f := range d.files {
		j.files = append(j.files, output{strings.TrimPrefix(f.name, d.dir+"/"), f.write})
	}
	w.add(j)
	return nil
}

func (w *writer) add(j job) {
	w.jobs = append(w.jobs, j)
	w.total += len(j.files)
}

// run does the jobs and returns the versions that they were for.
func (w *writer) run(ctx context.Context) ([]taxonomy.Version, error) {
	var written []taxonomy.Version
	for _, j := range w.jobs {
		if err := w.do(ctx, j); err != nil {
			return nil, fmt.Errorf("release %s: %w", j.version, err)
		}
		written = append(written, j.version)
	}
	return written, nil
}

// do writes the folder of a job and puts it in its place.
func (w *writer) do(ctx context.Context, j job) error {
	if err := w.makeParents(j.temp); err != nil {
		return err
	}
	err := w.fill(ctx, j)
	if err == nil {
		err = w.swap(j)
	}
	if err != nil {
		// If that fails, too, a later publisher collects it.
		_ = w.disk.removeAll(j.temp)
	}
	return err
}

// makeParents makes the folders that a name is in.
func (w *writer) makeParents(name string) error {
	dir := path.Dir(name)
	if dir == "." {
		return nil
	}
	if err := w.makeParents(dir); err != nil {
		return err
	}
	if err := w.disk.mkdir(dir); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	// Also where it was there: who made it may have died before this.
	return w.disk.syncDir(path.Dir(dir))
}

// fill writes the files of a job into its temporary folder, and sees all of it
// to the disk.
func (w *writer) fill(ctx context.Context, j job) error {
	if err := w.disk.removeAll(j.temp); err != nil {
		return err
	}
	dirs := append([]string{"."}, folders(j.files)...)
	for _, level := range levels(dirs) {
		if err := w.each(ctx, len(level), func(_, i int) error { return w.disk.mkdir(path.Join(j.temp, level[i])) }); err != nil {
			return err
		}
	}
	if err := w.writeFiles(ctx, j); err != nil {
		return err
	}
	return w.each(ctx, len(dirs), func(_, i int) error { return w.disk.syncDir(path.Join(j.temp, dirs[i])) })
}

// levels parts folders by how deep they are: those of one level can be made at
// a time.
func levels(dirs []string) [][]string {
	var list [][]string
	for _, dir := range dirs {
		depth := 0
		if dir != "." {
			depth = strings.Count(dir, "/") + 1
		}
		for len(list) <= depth {
			list = append(list, nil)
		}
		list[depth] = append(list[depth], dir)
	}
	return list
}

// writeFiles writes the files of a job.
func (w *writer) writeFiles(ctx context.Context, j job) error {
	buffers := make([]*bufio.Writer, w.writers)
	return w.each(ctx, len(j.files), func(worker, i int) error {
		if buffers[worker] == nil {
			buffers[worker] = bufio.NewWriterSize(nil, 1<<16)
		}
		f, buffer := j.files[i], buffers[worker]
		err := createFile(w.disk, path.Join(j.temp, f.name), func(w io.Writer) error {
			buffer.Reset(w)
			return buffered(buffer, f.write)
		})
		if err == nil {
			w.progress()
		}
		return err
	})
}

// each calls do with every number below n, several at a time, until one fails.
// It tells do which of the workers it is.
func (p *publisher) each(ctx context.Context, n int, do func(worker, i int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var wg sync.WaitGroup
	for worker := range min(p.writers, n) {
		wg.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if err := do(worker, i); err != nil {
					cancel(err)
					return
				}
			}
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}

// buffered calls write with a buffer, and empties that.
func buffered(b *bufio.Writer, write func(io.Writer) error) error {
	if err := write(b); err != nil {
		return err
	}
	return b.Flush()
}

func (w *writer) progress() {
	if w.options.Progress == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.done++
	w.options.Progress(w.done, w.total)
}

// swap puts a finished folder in its place.
func (w *writer) swap(j job) error {
	if _, err := w.root.Lstat(j.place); err == nil {
		if err := w.disk.removeAll(j.old); err != nil {
			return err
		}
		if err := w.disk.rename(j.place, j.old); err != nil {
			return err
		}
		// If that fails, a later publisher collects it.
		defer func() { _ = w.disk.removeAll(j.old) }()
	}
	if err := w.disk.rename(j.temp, j.place); err != nil {
		return err
	}
	return w.disk.syncDir(path.Dir(j.place))
}
