package enginetest_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/datachain-go/datachain/internal/publish"
	"github.com/datachain-go/datachain/taxonomy/storetest"
)

// The names of the clauses.
const (
	empty     = "a new target is empty"
	index     = "the index is the last one"
	stale     = "a stale revision conflicts"
	files     = "files are what was written"
	replaces  = "writing replaces a directory"
	failed    = "a failed write can be repeated"
	stored    = "stored releases are listed"
	adding    = "adding adds or replaces a file"
	trimming  = "trimming removes files of a release"
	creating  = "a file is created once"
	others    = "other files are replaced and deleted"
	bound     = "stable versions stay bound"
	touching  = "touching sets the time"
	removing  = "removing removes one release"
	usedAgain = "what is used again is not removed"
	canceled  = "canceled contexts end calls"
	whole     = "a release is published whole"
	packed    = "a packed release is published whole"
	repaired  = "damaged releases are repaired"
	repacked  = "damaged packs are repaired"
	converted = "releases change their layout"
	collected = "unused releases are collected"
	emptied   = "unused packs are collected"
	several   = "several publishers lose nothing"
)

// defect is a defective target, with clauses that catch it.
type defect struct {
	name   string
	caught []string
	spoil  func(d *defective)
}

var defects = []defect{
	{"has no name", []string{empty}, func(d *defective) { d.name = func() string { return "" } }},
	{"gives a missing index a revision", []string{empty}, func(d *defective) {
		d.index = func(ctx context.Context) ([]byte, publish.Revision, error) {
			text, rev, err := d.MemoryTarget.Index(ctx)
			return text, "r" + rev, err
		}
		d.replace = func(ctx context.Context, text []byte, rev publish.Revision) error {
			return d.MemoryTarget.ReplaceIndex(ctx, text, publish.Revision(strings.TrimPrefix(string(rev), "r")))
		}
	}},
	{"fails without an index", []string{empty}, func(d *defective) {
		d.index = func(ctx context.Context) ([]byte, publish.Revision, error) {
			text, rev, err := d.MemoryTarget.Index(ctx)
			if text == nil && err == nil {
				err = errors.New("no index")
			}
			return text, rev, err
		}
	}},
	{"has one revision for all", []string{index, stale}, func(d *defective) {
		d.index = func(ctx context.Context) ([]byte, publish.Revision, error) {
			text, rev, err := d.MemoryTarget.Index(ctx)
			if rev != "" {
				rev = "same"
			}
			return text, rev, err
		}
		d.replace = func(ctx context.Context, text []byte, rev publish.Revision) error {
			_, now, err := d.MemoryTarget.Index(ctx)
			if err == nil && (rev == "") == (now == "") {
				rev = now
			}
			return d.MemoryTarget.ReplaceIndex(ctx, text, rev)
		}
	}},
	{"replaces any index", []string{stale}, func(d *defective) {
		d.replace = func(ctx context.Context, text []byte, _ publish.Revision) error {
			_, rev, err := d.MemoryTarget.Index(ctx)
			if err != nil {
				return err
			}
			return d.MemoryTarget.ReplaceIndex(ctx, text, rev)
		}
	}},
	{"replaces any index if there was none", []string{stale}, func(d *defective) {
		d.replace = func(ctx context.Context, text []byte, rev publish.Revision) error {
			if _, now, err := d.MemoryTarget.Index(ctx); err == nil && rev == "" {
				rev = now
			}
			return d.MemoryTarget.ReplaceIndex(ctx, text, rev)
		}
	}},
	{"loses what others publish", []string{several}, func(d *defective) {
		n := len(storetest.Publications())
		var reading sync.WaitGroup // until all publishers have found no index
		reading.Add(n)
		var calls atomic.Int32
		d.index = func(ctx context.Context) ([]byte, publish.Revision, error) {
			text, rev, err := d.MemoryTarget.Index(ctx)
			if int(calls.Add(1)) <= n {
				reading.Done()
				reading.Wait()
			}
			return text, rev, err
		}
		d.replace = func(ctx context.Context, text []byte, rev publish.Revision) error {
			for {
				err := d.MemoryTarget.ReplaceIndex(ctx, text, rev)
				if !errors.Is(err, publish.ErrConflict) {
					return err
				}
				_, rev, _ = d.MemoryTarget.Index(ctx)
			}
		}
	}},
	{"conflicts in words of its own", []string{stale}, func(d *defective) {
		d.replace = func(ctx context.Context, text []byte, rev publish.Revision) error {
			err := d.MemoryTarget.ReplaceIndex(ctx, text, rev)
			if errors.Is(err, publish.ErrConflict) {
				err = errors.New("412 Precondition Failed")
			}
			return err
		}
	}},
	{"replaces the index in spite of a conflict", []string{stale}, func(d *defective) {
		d.replace = func(ctx context.Context, text []byte, rev publish.Revision) error {
			err := d.MemoryTarget.ReplaceIndex(ctx, text, rev)
			if errors.Is(err, publish.ErrConflict) {
				_, now, indexErr := d.MemoryTarget.Index(ctx)
				err = errors.Join(err, indexErr, d.MemoryTarget.ReplaceIndex(ctx, text, now))
			}
			return err
		}
	}},
	{"keeps the caller's index", []string{index}, func(d *defective) {
		var text []byte
		d.replace = func(ctx context.Context, now []byte, rev publish.Revision) error {
			err := d.MemoryTarget.ReplaceIndex(ctx, now, rev)
			if err == nil {
				text = now
			}
			return err
		}
		d.index = func(ctx context.Context) ([]byte, publish.Revision, error) {
			_, rev, err := d.MemoryTarget.Index(ctx)
			return bytes.Clone(text), rev, err
		}
	}},
	{"hands out its own index", []string{index}, func(d *defective) {
		var text []byte
		d.replace = func(ctx context.Context, now []byte, rev publish.Revision) error {
			err := d.MemoryTarget.ReplaceIndex(ctx, now, rev)
			if err == nil {
				text = bytes.Clone(now)
			}
			return err
		}
		d.index = func(ctx context.Context) ([]byte, publish.Revision, error) {
			_, rev, err := d.MemoryTarget.Index(ctx)
			return text, rev, err
		}
	}},
	{"has empty files for missing ones", []string{empty}, func(d *defective) {
		d.open = func(ctx context.Context, name string) (io.ReadCloser, error) {
			r, err := d.MemoryTarget.Open(ctx, name)
			if err != nil && ctx.Err() == nil {
				return io.NopCloser(strings.NewReader("")), nil
			}
			return r, err
		}
	}},
	{"cuts long files", []string{files}, func(d *defective) {
		d.open = func(ctx context.Context, name string) (io.ReadCloser, error) {
			r, err := d.MemoryTarget.Open(ctx, name)
			if err != nil {
				return nil, err
			}
			return io.NopCloser(io.LimitReader(r, 1<<20)), nil
		}
	}},
	{"lists by prefix", []string{files}, func(d *defective) {
		d.list = func(ctx context.Context, dir string) ([]string, error) {
			version := path.Dir(dir)
			if strings.Count(dir, "/") > 2 {
				version = path.Dir(version)
			}
			all, err := d.MemoryTarget.List(ctx, version)
			var names []string
			for _, name := range all {
				if rest, ok := strings.CutPrefix(version+"/"+name, dir); ok {
					names = append(names, strings.TrimPrefix(rest, "/"))
				}
			}
			return names, err
		}
	}},
	{"lists only files directly in a directory", []string{files, replaces, whole}, func(d *defective) {
		d.list = func(ctx context.Context, dir string) ([]string, error) {
			names, err := d.MemoryTarget.List(ctx, dir)
			return slices.DeleteFunc(names, func(name string) bool { return strings.Contains(name, "/") }), err
		}
	}},
	{"fails to list a missing directory", []string{empty, removing}, func(d *defective) {
		d.list = func(ctx context.Context, dir string) ([]string, error) {
			names, err := d.MemoryTarget.List(ctx, dir)
			if err == nil && len(names) == 0 {
				err = errors.New("no such directory")
			}
			return names, err
		}
	}},
	{"adds to a directory", []string{replaces, repaired}, func(d *defective) {
		d.write = func(ctx context.Context, dir string, files []publish.File) error {
			old, err := d.MemoryTarget.List(ctx, dir)
			if err != nil {
				return err
			}
			for _, name := range old {
				if slices.ContainsFunc(files, func(f publish.File) bool { return f.Name == name }) {
					continue
				}
				r, err := d.MemoryTarget.Open(ctx, dir+"/"+name)
				if err != nil {
					return err
				}
				files = append(files, publish.File{Name: name, Write: func(w io.Writer) error { _, err := io.Copy(w, r); return err }})
			}
			return d.MemoryTarget.Write(ctx, dir, files)
		}
	}},
	{"never replaces a directory", []string{replaces, repaired}, func(d *defective) {
		d.write = func(ctx context.Context, dir string, files []publish.File) error {
			if old, err := d.MemoryTarget.List(ctx, dir); err == nil && len(old) > 0 {
				return nil
			}
			return d.MemoryTarget.Write(ctx, dir, files)
		}
	}},
	{"files by content hash alone", []string{replaces, stored, whole}, func(d *defective) {
		place := func(dir string) string { return strings.Replace(dir, "-stable/", "-beta/", 1) }
		d.write = func(ctx context.Context, dir string, files []publish.File) error {
			return d.MemoryTarget.Write(ctx, place(dir), files)
		}
		d.open = func(ctx context.Context, name string) (io.ReadCloser, error) {
			return d.MemoryTarget.Open(ctx, place(name))
		}
		d.list = func(ctx context.Context, dir string) ([]string, error) { return d.MemoryTarget.List(ctx, place(dir)) }
	}},
	{"ignores files that fail", []string{failed}, func(d *defective) {
		d.write = func(ctx context.Context, dir string, files []publish.File) error {
			files = slices.Clone(files)
			for i, f := range files {
				files[i].Write = func(w io.Writer) error { _ = f.Write(w); return nil }
			}
			return d.MemoryTarget.Write(ctx, dir, files)
		}
	}},
	{"is stuck after a failed write", []string{failed}, func(d *defective) {
		var stuck error
		d.write = func(ctx context.Context, dir string, files []publish.File) error {
			if stuck == nil {
				stuck = d.MemoryTarget.Write(ctx, dir, files)
			}
			return stuck
		}
	}},
	{"forgets when releases were written", []string{stored, touching}, func(d *defective) {
		d.stored = func(ctx context.Context) ([]publish.Stored, error) {
			list, err := d.MemoryTarget.Stored(ctx)
			for i := range list {
				list[i].Since = time.Time{}
			}
			return list, err
		}
		d.remove = func(ctx context.Context, s publish.Stored) error { return d.MemoryTarget.Remove(ctx, fresh(ctx, d, s)) }
	}},
	{"lists one release of a version", []string{stored, touching, removing}, func(d *defective) {
		d.stored = func(ctx context.Context) ([]publish.Stored, error) {
			list, err := d.MemoryTarget.Stored(ctx)
			slices.SortFunc(list, func(a, b publish.Stored) int { return strings.Compare(a.Dir, b.Dir) })
			return slices.CompactFunc(list, func(a, b publish.Stored) bool { return a.Version == b.Version }), err
		}
	}},
	{"lists subdirectories", []string{stored, whole}, func(d *defective) {
		d.stored = func(ctx context.Context) ([]publish.Stored, error) {
			list, err := d.MemoryTarget.Stored(ctx)
			for _, s := range list {
				if names, _ := d.MemoryTarget.List(ctx, s.Dir+"/icons"); len(names) > 0 {
					s.Dir += "/icons"
					list = append(list, s)
				}
			}
			return list, err
		}
	}},
	{"does not touch", []string{touching, usedAgain}, func(d *defective) { d.touch = func(ctx context.Context, _ string) error { return ctx.Err() } }},
	{"fails to touch what is missing", []string{empty}, func(d *defective) {
		d.touch = func(ctx context.Context, dir string) error {
			if names, _ := d.MemoryTarget.List(ctx, dir); len(names) == 0 && ctx.Err() == nil {
				return errors.New("no such directory")
			}
			return d.MemoryTarget.Touch(ctx, dir)
		}
	}},
	{"removes nothing", []string{removing, collected, emptied}, func(d *defective) {
		d.remove = func(ctx context.Context, _ publish.Stored) error { return ctx.Err() }
	}},
	{"removes the whole version", []string{removing, collected}, func(d *defective) {
		d.remove = func(ctx context.Context, s publish.Stored) error {
			err := d.MemoryTarget.Remove(ctx, s)
			if err != nil {
				return err
			}
			list, err := d.MemoryTarget.Stored(ctx)
			for _, other := range list {
				if other.Version == s.Version {
					err = errors.Join(err, d.MemoryTarget.Remove(ctx, other))
				}
			}
			return err
		}
	}},
	{"fails to remove twice", []string{removing}, func(d *defective) {
		var mu sync.Mutex
		removed := map[string]bool{}
		d.remove = func(ctx context.Context, s publish.Stored) error {
			mu.Lock()
			defer mu.Unlock()
			if removed[s.Dir] {
				return errors.New("no such directory")
			}
			removed[s.Dir] = true
			return d.MemoryTarget.Remove(ctx, s)
		}
	}},
	{"removes what is used again", []string{usedAgain}, func(d *defective) {
		d.remove = func(ctx context.Context, s publish.Stored) error { return d.MemoryTarget.Remove(ctx, fresh(ctx, d, s)) }
	}},
	{"removes in spite of a conflict", []string{usedAgain}, func(d *defective) {
		d.remove = func(ctx context.Context, s publish.Stored) error {
			err := d.MemoryTarget.Remove(ctx, s)
			if errors.Is(err, publish.ErrConflict) {
				err = errors.Join(err, d.MemoryTarget.Remove(ctx, fresh(ctx, d, s)))
			}
			return err
		}
	}},
}

// fresh returns what is stored now, so that Remove finds no conflict.
func fresh(ctx context.Context, d *defective, s publish.Stored) publish.Stored {
	list, _ := d.MemoryTarget.Stored(ctx)
	for _, now := range list {
		if now.Dir == s.Dir {
			return now
		}
	}
	return s
}
