package fsstore

import (
	"bufio"
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
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
	content, icons := contentFiles(r), iconFiles(r, w.options.Icon)
	whole, err := intact(w.fsys, place, content)
	if err != nil {
		return err
	}
	if whole && noneAdded(w.fsys, place, r) {
		baked, err := intact(w.fsys, place, icons)
		if err != nil || baked {
			return err
		}
		// The release may be in use, so only the icons are replaced: while
		// there are none, they are drawn on demand.
		j.place = path.Join(place, iconsDir)
		for _, f := range icons {
			j.files = append(j.files, output{strings.TrimPrefix(f.name, iconsDir+"/"), f.write})
		}
	} else {
		j.files = slices.Concat(content, icons)
	}
	w.jobs = append(w.jobs, j)
	w.total += len(j.files)
	return nil
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
	for _, dir := range dirs {
		if err := w.disk.mkdir(path.Join(j.temp, dir)); err != nil {
			return err
		}
	}
	if err := w.writeFiles(ctx, j); err != nil {
		return err
	}
	for _, dir := range dirs {
		if err := w.disk.syncDir(path.Join(j.temp, dir)); err != nil {
			return err
		}
	}
	return nil
}

// writeFiles writes the files of a job, several at a time, until one fails.
func (w *writer) writeFiles(ctx context.Context, j job) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(w.writers, len(j.files)) {
		wg.Go(func() {
			buffer := bufio.NewWriterSize(nil, 1<<16)
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(j.files) {
					return
				}
				f := j.files[i]
				err := createFile(w.disk, path.Join(j.temp, f.name), func(w io.Writer) error {
					buffer.Reset(w)
					return buffered(buffer, f.write)
				})
				if err != nil {
					cancel(err)
					return
				}
				w.progress()
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
