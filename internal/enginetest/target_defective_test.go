package enginetest_test

import (
	"context"
	"io"

	"github.com/datachain-go/datachain/internal/enginetest"
	"github.com/datachain-go/datachain/internal/publish"
)

// defective is a target with some of its methods replaced.
type defective struct {
	*enginetest.MemoryTarget
	name    func() string
	index   func(context.Context) ([]byte, publish.Revision, error)
	replace func(context.Context, []byte, publish.Revision) error
	list    func(context.Context, string) ([]string, error)
	open    func(context.Context, string) (io.ReadCloser, error)
	write   func(context.Context, string, []publish.File) error
	add     func(context.Context, string, publish.File) error
	create  func(context.Context, string, []byte) error
	deletes func(context.Context, string) error
	trim    func(context.Context, string, ...string) error
	touch   func(context.Context, string) error
	stored  func(context.Context) ([]publish.Stored, error)
	remove  func(context.Context, publish.Stored) error
}

func (d *defective) String() string {
	if d.name != nil {
		return d.name()
	}
	return d.MemoryTarget.String()
}

func (d *defective) Index(ctx context.Context) ([]byte, publish.Revision, error) {
	if d.index != nil {
		return d.index(ctx)
	}
	return d.MemoryTarget.Index(ctx)
}

func (d *defective) ReplaceIndex(ctx context.Context, text []byte, rev publish.Revision) error {
	if d.replace != nil {
		return d.replace(ctx, text, rev)
	}
	return d.MemoryTarget.ReplaceIndex(ctx, text, rev)
}

func (d *defective) List(ctx context.Context, dir string) ([]string, error) {
	if d.list != nil {
		return d.list(ctx, dir)
	}
	return d.MemoryTarget.List(ctx, dir)
}

func (d *defective) Open(ctx context.Context, name string) (io.ReadCloser, error) {
	if d.open != nil {
		return d.open(ctx, name)
	}
	return d.MemoryTarget.Open(ctx, name)
}

func (d *defective) Write(ctx context.Context, dir string, files []publish.File) error {
	if d.write != nil {
		return d.write(ctx, dir, files)
	}
	return d.MemoryTarget.Write(ctx, dir, files)
}

func (d *defective) Add(ctx context.Context, dir string, f publish.File) error {
	if d.add != nil {
		return d.add(ctx, dir, f)
	}
	return d.MemoryTarget.Add(ctx, dir, f)
}

func (d *defective) Create(ctx context.Context, name string, text []byte) error {
	if d.create != nil {
		return d.create(ctx, name, text)
	}
	return d.MemoryTarget.Create(ctx, name, text)
}

func (d *defective) Delete(ctx context.Context, name string) error {
	if d.deletes != nil {
		return d.deletes(ctx, name)
	}
	return d.MemoryTarget.Delete(ctx, name)
}

func (d *defective) Trim(ctx context.Context, dir string, names ...string) error {
	if d.trim != nil {
		return d.trim(ctx, dir, names...)
	}
	return d.MemoryTarget.Trim(ctx, dir, names...)
}

func (d *defective) Touch(ctx context.Context, dir string) error {
	if d.touch != nil {
		return d.touch(ctx, dir)
	}
	return d.MemoryTarget.Touch(ctx, dir)
}

func (d *defective) Stored(ctx context.Context) ([]publish.Stored, error) {
	if d.stored != nil {
		return d.stored(ctx)
	}
	return d.MemoryTarget.Stored(ctx)
}

func (d *defective) Remove(ctx context.Context, s publish.Stored) error {
	if d.remove != nil {
		return d.remove(ctx, s)
	}
	return d.MemoryTarget.Remove(ctx, s)
}

// deaf returns defects of targets that do not look at the context.
func deaf() (list []defect) {
	for _, d := range []defect{
		{name: "Index", spoil: func(d *defective) {
			d.index = func(ctx context.Context) ([]byte, publish.Revision, error) {
				return d.MemoryTarget.Index(context.WithoutCancel(ctx))
			}
		}},
		{name: "ReplaceIndex", spoil: func(d *defective) {
			d.replace = func(ctx context.Context, text []byte, rev publish.Revision) error {
				return d.MemoryTarget.ReplaceIndex(context.WithoutCancel(ctx), text, rev)
			}
		}},
		{name: "List", spoil: func(d *defective) {
			d.list = func(ctx context.Context, dir string) ([]string, error) {
				return d.MemoryTarget.List(context.WithoutCancel(ctx), dir)
			}
		}},
		{name: "Open", spoil: func(d *defective) {
			d.open = func(ctx context.Context, name string) (io.ReadCloser, error) {
				return d.MemoryTarget.Open(context.WithoutCancel(ctx), name)
			}
		}},
		{name: "Write", spoil: func(d *defective) {
			d.write = func(ctx context.Context, dir string, files []publish.File) error {
				return d.MemoryTarget.Write(context.WithoutCancel(ctx), dir, files)
			}
		}},
		{name: "Write, once it has begun,", spoil: func(d *defective) {
			d.write = func(ctx context.Context, dir string, files []publish.File) error {
				if err := ctx.Err(); err != nil {
					return err
				}
				return d.MemoryTarget.Write(context.WithoutCancel(ctx), dir, files)
			}
		}},
		{name: "Add", spoil: func(d *defective) {
			d.add = func(ctx context.Context, dir string, f publish.File) error {
				return d.MemoryTarget.Add(context.WithoutCancel(ctx), dir, f)
			}
		}},
		{name: "Create", spoil: func(d *defective) {
			d.create = func(ctx context.Context, name string, text []byte) error {
				return d.MemoryTarget.Create(context.WithoutCancel(ctx), name, text)
			}
		}},
		{name: "Trim", spoil: func(d *defective) {
			d.trim = func(ctx context.Context, dir string, names ...string) error {
				return d.MemoryTarget.Trim(context.WithoutCancel(ctx), dir, names...)
			}
		}},
		{name: "Touch", spoil: func(d *defective) {
			d.touch = func(ctx context.Context, dir string) error {
				return d.MemoryTarget.Touch(context.WithoutCancel(ctx), dir)
			}
		}},
		{name: "Stored", spoil: func(d *defective) {
			d.stored = func(ctx context.Context) ([]publish.Stored, error) {
				return d.MemoryTarget.Stored(context.WithoutCancel(ctx))
			}
		}},
		{name: "Remove", spoil: func(d *defective) {
			d.remove = func(ctx context.Context, s publish.Stored) error {
				return d.MemoryTarget.Remove(context.WithoutCancel(ctx), s)
			}
		}},
	} {
		list = append(list, defect{d.name + " does not look at the context", []string{canceled}, d.spoil})
	}
	return list
}
