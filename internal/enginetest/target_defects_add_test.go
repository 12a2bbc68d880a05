package enginetest_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/publish"
)

// defectsOfAdding are in targets that add and trim files.
var defectsOfAdding = []defect{
	{"adds nothing", []string{adding, converted}, func(d *defective) {
		d.add = func(ctx context.Context, _ string, f publish.File) error {
			return errors.Join(ctx.Err(), f.Write(io.Discard))
		}
	}},
	{"never replaces a file", []string{adding}, func(d *defective) {
		d.add = func(ctx context.Context, dir string, f publish.File) error {
			if names, _ := d.MemoryTarget.List(ctx, dir); slices.Contains(names, f.Name) {
				return f.Write(io.Discard)
			}
			return d.MemoryTarget.Add(ctx, dir, f)
		}
	}},
	{"adds in place of a directory", []string{adding}, func(d *defective) {
		d.add = func(ctx context.Context, dir string, f publish.File) error {
			return d.MemoryTarget.Write(ctx, dir, []publish.File{f})
		}
	}},
	{"adds half a file", []string{adding}, func(d *defective) {
		d.add = func(ctx context.Context, dir string, f publish.File) error {
			var b bytes.Buffer
			err := f.Write(&b)
			return errors.Join(err, d.MemoryTarget.Add(ctx, dir, publish.File{Name: f.Name, Write: func(w io.Writer) error {
				_, err := w.Write(b.Bytes())
				return err
			}}))
		}
	}},
	{"keeps files that are deleted", []string{others}, func(d *defective) {
		d.deletes = func(ctx context.Context, _ string) error { return ctx.Err() }
	}},
	{"creates nothing", []string{creating, bound}, func(d *defective) {
		d.create = func(ctx context.Context, _ string, _ []byte) error { return ctx.Err() }
	}},
	{"creates a file again", []string{creating}, func(d *defective) {
		d.create = func(ctx context.Context, name string, text []byte) error {
			return errors.Join(d.MemoryTarget.Trim(ctx, path.Dir(name), path.Base(name)), d.MemoryTarget.Create(ctx, name, text))
		}
	}},
	{"creates a file again without saying so", []string{creating}, func(d *defective) {
		d.create = func(ctx context.Context, name string, text []byte) error {
			if err := d.MemoryTarget.Create(ctx, name, text); !errors.Is(err, fs.ErrExist) {
				return err
			}
			return nil
		}
	}},
	{"removes created files with a release", []string{creating, bound}, func(d *defective) {
		d.remove = func(ctx context.Context, s publish.Stored) error {
			return errors.Join(d.MemoryTarget.Remove(ctx, s), d.MemoryTarget.Trim(ctx, path.Dir(s.Dir), "bound"))
		}
	}},
	{"hides why a file can't be opened", []string{empty, bound}, func(d *defective) {
		d.open = func(ctx context.Context, name string) (io.ReadCloser, error) {
			r, err := d.MemoryTarget.Open(ctx, name)
			if errors.Is(err, fs.ErrNotExist) {
				err = errors.New("no such file")
			}
			return r, err
		}
	}},
	{"trims nothing", []string{trimming, repacked, converted}, func(d *defective) {
		d.trim = func(ctx context.Context, _ string, _ ...string) error { return ctx.Err() }
	}},
	{"trims only files", []string{trimming, repacked}, func(d *defective) {
		d.trim = func(ctx context.Context, dir string, names ...string) error {
			return d.MemoryTarget.Trim(ctx, dir, slices.DeleteFunc(names, func(name string) bool { return path.Ext(name) == "" })...)
		}
	}},
	{"trims by prefix", []string{trimming}, func(d *defective) {
		d.trim = func(ctx context.Context, dir string, names ...string) error {
			all, err := d.MemoryTarget.List(ctx, dir)
			for _, name := range all {
				if slices.ContainsFunc(names, func(prefix string) bool { return strings.HasPrefix(name, prefix) }) {
					err = errors.Join(err, d.MemoryTarget.Trim(ctx, dir, name))
				}
			}
			return err
		}
	}},
	{"fails to trim what is missing", []string{trimming, packed}, func(d *defective) {
		d.trim = func(ctx context.Context, dir string, names ...string) error {
			all, err := d.MemoryTarget.List(ctx, dir)
			if err == nil && !slices.ContainsFunc(all, func(name string) bool { return strings.HasPrefix(name+"/", names[0]+"/") }) {
				err = errors.New("no such file")
			}
			return errors.Join(err, d.MemoryTarget.Trim(ctx, dir, names...))
		}
	}},
}
