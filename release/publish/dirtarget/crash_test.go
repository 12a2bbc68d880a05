package dirtarget

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/storekit/layout"
	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// faultyDisk is a disk that fails at one of its operations. It counts syncs but
// does not execute them: they take time, and a test can't cut the power.
type faultyDisk struct {
	disk
	fault fault
	at    int // the operation that fails, from 1; 0 for none
	err   error

	mu  sync.Mutex
	ops []string
}

// fault is how an operation fails.
type fault int

const (
	before fault = iota // it does nothing, or a part if it can
	after               // it succeeds but returns an error
	killed              // it does nothing, and neither do all later ones
)

func (d *faultyDisk) do(op string, work func() error) error {
	d.mu.Lock()
	d.ops = append(d.ops, op)
	n := len(d.ops)
	d.mu.Unlock()
	switch {
	case d.at == 0 || n < d.at || n > d.at && d.fault != killed:
		return work()
	case d.fault == after && n == d.at:
		if err := work(); err != nil {
			return err
		}
	}
	return fmt.Errorf("%s: %w", op, d.err)
}

func (d *faultyDisk) mkdir(name string) error {
	return d.do("mkdir "+name, func() error { return d.disk.mkdir(name) })
}

func (d *faultyDisk) rename(from, to string) error {
	return d.do("rename "+from+" "+to, func() error { return d.disk.rename(from, to) })
}

func (d *faultyDisk) removeAll(name string) error {
	return d.do("remove "+name, func() error { return d.disk.removeAll(name) })
}

func (d *faultyDisk) syncDir(name string) error {
	return d.do("syncdir "+name, func() error { return nil })
}

func (d *faultyDisk) create(name string) (file, error) {
	var f file
	err := d.do("create "+name, func() (err error) {
		f, err = d.disk.create(name)
		return err
	})
	if err != nil {
		if f != nil {
			_ = f.Close()
		}
		return nil, err
	}
	return &faultyFile{f, d, name}, nil
}

type faultyFile struct {
	file
	disk *faultyDisk
	name string
}

func (f *faultyFile) Write(p []byte) (n int, err error) {
	err = f.disk.do("write "+f.name, func() (err error) {
		n, err = f.file.Write(p)
		return err
	})
	if err != nil && n == 0 {
		n, _ = f.file.Write(p[:len(p)/2])
	}
	return n, err
}

func (f *faultyFile) Sync() error { return f.disk.do("sync "+f.name, func() error { return nil }) }

func (f *faultyFile) Close() error {
	err := f.disk.do("close "+f.name, func() error { return nil })
	return errors.Join(err, f.file.Close())
}

// attempt is one change of a store over a disk.
type attempt func(ctx context.Context, dir string, d *faultyDisk) error

func publishing(pubs []listing.Publication, o *publish.Options) attempt {
	return on(func(ctx context.Context, target *Target) error {
		_, err := publish.Publish(ctx, target, pubs, o)
		return err
	})
}

func on(change func(context.Context, *Target) error) attempt {
	return func(ctx context.Context, dir string, d *faultyDisk) error {
		target, err := openOn(ctx, dir, func(root *os.Root) disk {
			d.disk = rootDisk{root}
			return d
		})
		if err != nil {
			return err
		}
		return errors.Join(change(ctx, target), target.Close())
	}
}

// crashes are changes of a store from one state to another.
func crashes(t *testing.T) []crash {
	t.Helper()
	beta, stable, newest := small(t, "ai@2026-09-01-beta", "A"), small(t, "ai@2026-03-01-stable", "B", "ai@v1"), small(t, "ai@2026-09-01-stable", "A")
	changed := small(t, "ai@2026-09-01-beta", "C", "ai@next")
	list := func(pubs ...listing.Publication) []listing.Publication { return pubs }
	drawn := &publish.Options{
		Icon: func(r *taxonomy.Release, e *taxonomy.Element, variant string) ([]byte, error) {
			return []byte(r.Version().Type() + e.ID + variant), nil
		},
	}
	return []crash{
		{
			name: "first publication", after: list(beta, stable),
			change: publishing(list(beta, stable), nil),
		},
		{
			name: "a changed beta and a new version", before: list(beta, stable), after: list(changed, stable, newest),
			change: publishing(list(changed, newest), drawn),
		},
		{
			name: "icons that were missing", before: list(beta), after: list(beta),
			change: publishing(list(beta), drawn),
		},
		{
			name: "retiring and collecting", before: list(beta, stable, newest), after: list(beta),
			change: on(func(ctx context.Context, target *Target) error {
				_, err := publish.Retire(ctx, target, nil, taxonomy.RetiredVersion{ID: stable.Release.Version()}, taxonomy.RetiredVersion{ID: newest.Release.Version()})
				if err != nil && !errors.Is(err, taxonomy.ErrNotFound) { // an interrupted attempt may have got that far
					return err
				}
				for range 2 {
					if _, err = publish.Collect(ctx, target, -1); err != nil {
						return err
					}
				}
				return nil
			}),
		},
	}
}

type crash struct {
	name          string
	before, after []listing.Publication
	change        attempt
}

// small makes a release of few files, since each of them fails in many ways.
func small(t *testing.T, id, title string, aliases ...string) listing.Publication {
	t.Helper()
	text := taxonomy.Localized{{Locale: "en", Value: title}}
	v := taxonomy.MustVersion(id)
	r, err := taxonomy.NewRelease(v, taxonomy.Content{
		Title: text, Locales: []string{"en"},
		Type:       taxonomy.Type{ID: v.Type(), Categories: []string{"c"}, Subchains: []taxonomy.Subchain{}},
		Categories: []taxonomy.Category{{ID: "c", Name: text, Shape: taxonomy.Circle}},
		Elements: []taxonomy.Element{{
			ID: "c.e", Title: text, CategoryID: "c", SymbolID: "s",
			IconVariants: []string{taxonomy.VariantDefault, taxonomy.VariantDark},
		}},
		Symbols: map[string]string{"s": "<svg/>"},
	})
	require.NoError(t, err)
	return listing.Publication{Release: r, Aliases: aliases}
}

// TestCrash makes each operation of a publisher fail in turn, in three ways: with
// an error, with an error although it succeeded, and as if the process had been
// killed. A reader must find the old state or the new one, complete, and the next
// publisher must succeed. It fails at each operation in one of the ways, with ALL=1 in all,
// and in short mode at fewer operations.
func TestCrash(t *testing.T) {
	for _, c := range crashes(t) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			start := t.TempDir()
			require.NoError(t, publishing(c.before, nil)(t.Context(), start, new(faultyDisk)))
			if c.before == nil {
				require.NoError(t, os.Remove(path.Join(start, layout.IndexFile)))
			}
			intact := &faultyDisk{}
			require.NoError(t, c.change(t.Context(), copyOf(t, start), intact))
			require.NotEmpty(t, intact.ops)
			for i, how := range []fault{before, after, killed} {
				first, stride := 1, 1
				switch {
				case testing.Short():
					stride = 5
				case os.Getenv("ALL") == "":
					first, stride = 1+i, 3
				}
				for at := first; at <= len(intact.ops); at += stride {
					d := &faultyDisk{at: at, fault: how, err: syscall.EIO}
					dir := copyOf(t, start)
					err := c.change(t.Context(), dir, d)
					failed := d.ops[min(at, len(d.ops))-1]
					require.NoError(t, c.survives(t, dir, err), "fault %d at operation %d, %s", how, at, failed)
				}
			}
		})
	}
}

// survives checks a directory after a change that may have failed.
func (c crash) survives(t *testing.T, dir string, err error) error {
	t.Helper()
	isNew := serves(t.Context(), dir, c.after)
	if err == nil && isNew != nil {
		return fmt.Errorf("the change succeeded, but: %w", isNew)
	}
	if isNew != nil {
		if isOld := serves(t.Context(), dir, c.before); isOld != nil {
			return fmt.Errorf("neither the new state (%w) nor the old (%w)", isNew, isOld)
		}
	}
	again := new(faultyDisk)
	if err := c.change(t.Context(), dir, again); err != nil {
		return fmt.Errorf("the next publisher: %w", err)
	}
	if err := serves(t.Context(), dir, c.after); err != nil {
		return fmt.Errorf("after the next publisher: %w", err)
	}
	return nil
}

// OpenStore opens a store that reads a directory. Package fsstore, which imports this
// one, sets it in tests of package dirtarget_test.
var OpenStore func(dir string) (Store, error)

// Store is a store that is closed.
type Store interface {
	taxonomy.Store
	io.Closer
}

// serves returns why a new store does not contain exactly the publications.
func serves(ctx context.Context, dir string, pubs []listing.Publication) error {
	var x *taxonomy.Index
	s, err := OpenStore(dir)
	switch {
	case errors.Is(err, os.ErrNotExist): // nothing was ever published
		x = new(taxonomy.Index)
	case err != nil:
		return err
	default:
		defer s.Close()
		if x, err = s.Index(ctx); err != nil {
			return err
		}
	}
	want, err := listing.Add(new(taxonomy.Index), pubs...)
	if err != nil {
		return err
	}
	want = want.WithRecord(taxonomy.Record{Archives: x.Record().Archives}) // with or without icons
	if got, want := x.Entries(), want.Entries(); fmt.Sprint(got) != fmt.Sprint(want) {
		return fmt.Errorf("the index is %v, want %v", got, want)
	}
	for _, p := range pubs {
		r, err := s.Release(ctx, p.Release.Version())
		if err != nil {
			return err
		}
		var got, want bytes.Buffer
		_, _ = r.WriteTo(&got)
		_, _ = p.Release.WriteTo(&want)
		if !bytes.Equal(got.Bytes(), want.Bytes()) || !slices.Equal(r.SymbolIDs(), p.Release.SymbolIDs()) {
			return fmt.Errorf("%s is not what was published", r.Version())
		}
	}
	return nil
}

func copyOf(t *testing.T, dir string) string {
	t.Helper()
	copied := t.TempDir()
	require.NoError(t, os.CopyFS(copied, os.DirFS(dir)))
	return copied
}

// TestOnDiskBeforeNamed shows that everything is on disk before it gets the name
// under which readers find it, so that a power failure is harmless, too.
func TestOnDiskBeforeNamed(t *testing.T) {
	for _, c := range crashes(t) {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, publishing(c.before, nil)(t.Context(), dir, new(faultyDisk)))
			d := new(faultyDisk)
			require.NoError(t, c.change(t.Context(), dir, d))
			unsynced := map[string]bool{}
			named := 0
			for _, op := range d.ops {
				what, name, _ := strings.Cut(op, " ")
				switch what {
				case "create", "write":
					unsynced[name] = true // in the directory of temporary files, which may be lost
				case "mkdir":
					if name != tempDir {
						unsynced[name], unsynced[path.Dir(name)] = true, true
					}
				case "sync", "syncdir":
					delete(unsynced, name)
				case "rename":
					from, to, _ := strings.Cut(name, " ")
					for name := range unsynced {
						inside := name == from || strings.HasPrefix(name, from+"/")
						assert.False(t, inside, "%s is not on disk, but: %s", name, op)
					}
					if to == layout.IndexFile {
						assert.Empty(t, unsynced, op)
					}
					unsynced[path.Dir(to)] = true
					named++
				}
			}
			assert.NotZero(t, named)
			for name := range unsynced {
				// The directory of a version may still list a temporary one.
				assert.NotEqual(t, ".", name)
				assert.NotContains(t, name, "sha256-")
			}
		})
	}
}

// TestAdvice shows that an error of the system says where it is and what to do.
func TestAdvice(t *testing.T) {
	pubs := []listing.Publication{small(t, "ai@2026-09-01-beta", "A")}
	for _, c := range []struct {
		err  error
		says string
	}{
		{syscall.ENOSPC, "free some space"},
		{syscall.EDQUOT, "free some space"},
		{syscall.EROFS, "make the directory writable"},
		{syscall.EACCES, "make the directory writable"},
		{syscall.EIO, ".zip"},
	} {
		t.Run(c.err.Error(), func(t *testing.T) {
			dir := t.TempDir()
			all := new(faultyDisk)
			require.NoError(t, publishing(pubs, nil)(t.Context(), copyOf(t, dir), all))
			at := slices.IndexFunc(all.ops, func(op string) bool { return strings.HasPrefix(op, "write ") }) + 1
			require.NotZero(t, at)
			err := publishing(pubs, nil)(t.Context(), dir, &faultyDisk{at: at, err: c.err})
			require.ErrorIs(t, err, c.err)
			require.ErrorContains(t, err, dir)
			require.ErrorContains(t, err, pubs[0].Release.Version().String())
			require.ErrorContains(t, err, ".zip")
			require.ErrorContains(t, err, c.says)
		})
	}
}
