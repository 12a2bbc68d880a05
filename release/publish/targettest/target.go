// Package targettest tests implementations of [publish.Target], one subtest per clause of the
// contract.
//
// # Experimental
//
// This package may change in a minor version.
package targettest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/datachain-go/datachain/adapters/storekit/layout"
	"github.com/datachain-go/datachain/adapters/storekit/layout/layouttest"
	"github.com/datachain-go/datachain/adapters/storekit/reader"
	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// Opener opens a target. Each call opens the same one, as another publisher
// would. The target is closed after use if it is an [io.Closer].
type Opener func(ctx context.Context) (publish.Target, error)

// Run checks a target, one subtest for each clause of the contract:
//
//	func TestTarget(t *testing.T) {
//		targettest.Run(t, func(t *testing.T) targettest.Opener {
//			dir := t.TempDir()
//			return func(ctx context.Context) (publish.Target, error) {
//				return dirtarget.Open(ctx, dir)
//			}
//		})
//	}
//
// It calls create once for each clause, for a new target that is empty.
func Run(t *testing.T, create func(t *testing.T) Opener) {
	t.Helper()
	for _, c := range clauses() {
		t.Run(c.name, func(t *testing.T) {
			t.Helper()
			if err := c.run(t.Context(), create(t)); err != nil {
				t.Error(err)
			}
		})
	}
}

// clause is one thing that a target must do. It is a value whose check returns an
// error, so that tests can show that it fails when it should. A clause has either
// a check for one publisher or one for several.
type clause struct {
	name     string
	check    func(ctx context.Context, t target) error
	checkAll func(ctx context.Context, open Opener) error
}

func (c clause) run(ctx context.Context, open Opener) error {
	if c.checkAll != nil {
		return c.checkAll(ctx, open)
	}
	return using(ctx, open, func(t target) error { return c.check(ctx, t) })
}

// using opens a target, uses and closes it.
func using(ctx context.Context, open Opener, use func(t target) error) error {
	t, err := open(ctx)
	if err != nil {
		return err
	}
	err = use(target{t})
	if c, ok := t.(io.Closer); ok {
		err = errors.Join(err, c.Close())
	}
	return err
}

// clauses are what Run checks, in this order.
func clauses() []clause {
	return []clause{
		{name: "a new target is empty", check: checkEmpty},
		{name: "a file is the last one", check: checkReplaceFile},
		{name: "a stale revision conflicts", check: checkStale},
		{name: "a file is created once", check: checkCreate},
		{name: "a file is put in place of another", check: checkPutFile},
		{name: "files are listed and deleted", check: checkDelete},
		{name: "canceled contexts end calls", check: checkCanceled},
		{name: "a release is published whole", check: checkPublish},
		{name: "damaged archives are repaired", check: checkRepair},
		{name: "unused archives are collected", check: checkCollect},
		{name: "stable versions stay bound", check: checkBound},
		{name: "several publishers lose nothing", checkAll: checkSeveral},
	}
}

// target is a target that is checked.
type target struct{ publish.Target }

// wants checks that a call has failed with an error.
func wants(call string, got, want error) error {
	if !errors.Is(got, want) {
		return fmt.Errorf("%s: want the error %q, got %w", call, want.Error(), got)
	}
	return nil
}

// has checks the text of a file and returns its revision. nil is that of a missing file.
func (t target) has(ctx context.Context, name string, want []byte) (publish.Revision, error) {
	text, rev, err := t.Read(ctx, name)
	switch {
	case err != nil:
		return "", fmt.Errorf("Read(%s): %w", name, err)
	case !bytes.Equal(text, want):
		return "", fmt.Errorf("Read(%s) has %d other bytes than the %d that were written", name, len(text), len(want))
	case (rev == "") != (want == nil):
		return "", fmt.Errorf("Read(%s) has the revision %q: exactly a missing file has none", name, rev)
	}
	clear(text) // it must be the caller's own
	data, err := t.open(ctx, name)
	switch {
	case want == nil:
		return "", wants("Open of a file that does not exist", err, fs.ErrNotExist)
	case err != nil:
		return "", err
	case !bytes.Equal(data, want):
		return "", fmt.Errorf("Open(%s) has %d other bytes than the %d that were written", name, len(data), len(want))
	}
	return rev, nil
}

// open returns a stored file.
func (t target) open(ctx context.Context, name string) ([]byte, error) {
	r, err := t.Open(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("Open(%s): %w", name, err)
	}
	data, err := io.ReadAll(r)
	return data, errors.Join(err, r.Close())
}

// lists checks the names of the files below a directory.
func (t target) lists(ctx context.Context, dir string, want ...string) error {
	names, err := t.List(ctx, dir)
	if err != nil {
		return fmt.Errorf("List(%s): %w", dir, err)
	}
	slices.Sort(names)
	if !slices.Equal(names, want) {
		return fmt.Errorf("List(%s) = %q, want %q", dir, names, want)
	}
	return nil
}

func checkEmpty(ctx context.Context, t target) error {
	if t.String() == "" {
		return errors.New("String is empty")
	}
	if _, err := t.has(ctx, layout.IndexFile, nil); err != nil {
		return err
	}
	if err := t.Delete(ctx, "documents/index.json"); err != nil {
		return fmt.Errorf("Delete of a file that does not exist: %w", err)
	}
	return errors.Join(t.lists(ctx, "."), t.lists(ctx, "documents"))
}

// texts are contents of a file.
var texts = []string{"{}", "", " {\n\"é\": \"\u2028\"}\r\n", strings.Repeat("release\r\n\x00", 200_000)}

func checkReplaceFile(ctx context.Context, t target) error {
	for _, name := range []string{layout.IndexFile, "documents/index.json"} {
		seen := map[publish.Revision]bool{}
		rev := publish.Revision("")
		for _, text := range texts {
			if text == "" {
				continue // an empty index has no revision of its own in a directory
			}
			data := []byte(text)
			if err := t.Replace(ctx, name, data, rev); err != nil {
				return fmt.Errorf("Replace(%s): %w", name, err)
			}
			clear(data) // it is ours
			var err error
			for range 2 {
				if rev, err = t.has(ctx, name, []byte(text)); err != nil {
					return err
				}
			}
			if seen[rev] {
				return fmt.Errorf("another text of %s has the same revision %q", name, rev)
			}
			seen[rev] = true
		}
	}
	return nil
}

func checkStale(ctx context.Context, t target) error {
	const name = layout.IndexFile
	if err := wants("Replace of a revision that never was", t.Replace(ctx, name, []byte("{}"), "other"), publish.ErrConflict); err != nil {
		return err
	}
	if err := t.Replace(ctx, name, []byte("first"), ""); err != nil {
		return fmt.Errorf("Replace: %w", err)
	}
	first, err := t.has(ctx, name, []byte("first"))
	if err != nil {
		return err
	}
	if err := t.Replace(ctx, name, []byte("second"), first); err != nil {
		return fmt.Errorf("Replace: %w", err)
	}
	for _, old := range []publish.Revision{"", first, "other"} {
		if err := wants("Replace of an old revision", t.Replace(ctx, name, []byte("third"), old), publish.ErrConflict); err != nil {
			return err
		}
		if _, err := t.has(ctx, name, []byte("second")); err != nil {
			return err
		}
	}
	return nil
}

func checkCreate(ctx context.Context, t target) error {
	name := layout.Bound(taxonomy.MustVersion("ai@2026-09-01-stable"))
	text := []byte("first")
	if err := t.Create(ctx, name, text); err != nil {
		return fmt.Errorf("Create: %w", err)
	}
	clear(text) // it is ours
	if err := wants("Create of a file that exists", t.Create(ctx, name, []byte("second")), fs.ErrExist); err != nil {
		return err
	}
	_, err := t.has(ctx, name, []byte("first"))
	return err
}

func checkPutFile(ctx context.Context, t target) error {
	const name = "ai/2026-09-01-beta/deep/below.zip"
	for _, text := range texts {
		data := []byte(text)
		if err := t.Put(ctx, name, data); err != nil {
			return fmt.Errorf("Put: %w", err)
		}
		clear(data) // it is ours
		got, err := t.open(ctx, name)
		if err != nil || string(got) != text {
			return fmt.Errorf("Open(%s) has %d bytes, want the %d that were put: %w", name, len(got), len(text), err)
		}
	}
	return nil
}

func checkDelete(ctx context.Context, t target) error {
	names := []string{"a/1", "a/2", "a/b/3", "a-b/4", "c"}
	for _, name := range names {
		if err := t.Create(ctx, name, []byte(name)); err != nil {
			return fmt.Errorf("Create: %w", err)
		}
	}
	if err := errors.Join(t.lists(ctx, ".", slices.Sorted(slices.Values(names))...), t.lists(ctx, "a", "1", "2", "b/3")); err != nil {
		return err
	}
	errs := make([]error, len(names))
	var all sync.WaitGroup
	for i, name := range names[:3] { // at once, and twice
		all.Go(func() { errs[i] = errors.Join(t.Delete(ctx, name), t.Delete(ctx, name)) })
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("Delete: %w", err)
	}
	if _, err := t.has(ctx, "a/1", nil); err != nil {
		return err
	}
	return errors.Join(t.lists(ctx, ".", "a-b/4", "c"), t.lists(ctx, "a"))
}

func checkCanceled(ctx context.Context, t target) error {
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	if err := t.Create(ctx, "kept", []byte("kept")); err != nil {
		return fmt.Errorf("Create: %w", err)
	}
	for _, c := range []struct {
		name string
		call func() error
	}{
		{"Read", func() error { _, _, err := t.Read(canceled, "kept"); return err }},
		{"Replace", func() error { return t.Replace(canceled, "new", []byte("new"), "") }},
		{"Create", func() error { return t.Create(canceled, "new", []byte("new")) }},
		{"Put", func() error { return t.Put(canceled, "new", []byte("new")) }},
		{"Open", func() error { _, err := t.Open(canceled, "kept"); return err }},
		{"List", func() error { _, err := t.List(canceled, "."); return err }},
		{"Delete", func() error { return t.Delete(canceled, "kept") }},
	} {
		if err := wants(c.name+" with a context that has ended", c.call(), context.Canceled); err != nil {
			return err
		}
	}
	return t.lists(ctx, ".", "kept")
}

// drawn are options with icons, each of which has another text.
func drawn(edition int) *publish.Options {
	return &publish.Options{Icon: func(r *taxonomy.Release, e *taxonomy.Element, variant string) ([]byte, error) {
		return fmt.Appendf(nil, "icon %d %s %s %s", edition, r.Version().Type(), e.ID, variant), nil
	}}
}

// index returns the index.
func (t target) index(ctx context.Context) (*taxonomy.Index, error) {
	text, _, err := t.Read(ctx, layout.IndexFile)
	if err != nil {
		return nil, err
	}
	return layout.DecodeIndex(text)
}

// publishes calls Publish and checks what it has written and what the target contains.
func (t target) publishes(ctx context.Context, pubs []listing.Publication, o *publish.Options, written ...listing.Publication) error {
	report, err := publish.Publish(ctx, t.Target, pubs, o)
	if err != nil {
		return err
	}
	var versions []taxonomy.Version
	for _, p := range written {
		versions = append(versions, p.Release.Version())
	}
	if !slices.Equal(report.Written, versions) {
		return fmt.Errorf("publishing wrote %v, want %v", report.Written, versions)
	}
	return t.published(ctx, pubs)
}

// published checks that a target has publications, and that their archives are what the index says.
func (t target) published(ctx context.Context, pubs []listing.Publication) error {
	x, err := t.index(ctx)
	if err != nil {
		return err
	}
	for _, p := range pubs {
		e, listed := x.Lookup(p.Release.Version().Ref())
		if !listed {
			return fmt.Errorf("the index does not list %s", p.Release.Version())
		}
		data, err := t.open(ctx, layout.ArchiveFile(e))
		if err != nil {
			return err
		}
		if _, err := reader.Open(e, data); err != nil {
			return err
		}
	}
	return nil
}

// checkPublish publishes releases without icons, with icons, and again.
func checkPublish(ctx context.Context, t target) error {
	pubs := layouttest.Publications()
	return errors.Join(
		t.publishes(ctx, pubs, nil, pubs...), t.publishes(ctx, pubs, nil),
		t.publishes(ctx, pubs, drawn(0), pubs...), t.publishes(ctx, pubs, drawn(0)), t.publishes(ctx, pubs, nil),
	)
}

func checkRepair(ctx context.Context, t target) error {
	pubs := layouttest.Publications()
	if err := t.publishes(ctx, pubs, drawn(0), pubs...); err != nil {
		return err
	}
	x, err := t.index(ctx)
	if err != nil {
		return err
	}
	e, _ := x.Lookup(pubs[1].Release.Version().Ref())
	name := layout.ArchiveFile(e)
	data, err := t.open(ctx, name)
	if err != nil {
		return err
	}
	changed := bytes.Clone(data)
	changed[len(changed)/2] ^= 1
	for _, damage := range [][]byte{changed, data[:len(data)-1], append(data, 0), {}} {
		if err := t.Put(ctx, name, damage); err != nil {
			return fmt.Errorf("Put: %w", err)
		}
		if err := t.publishes(ctx, pubs, drawn(0), pubs[1]); err != nil {
			return err
		}
	}
	if err := t.Delete(ctx, name); err != nil {
		return fmt.Errorf("Delete: %w", err)
	}
	return t.publishes(ctx, pubs, drawn(0), pubs[1])
}

// checkCollect shows that an archive is removed by the second of two runs, and only if the
// index does not name it then.
func checkCollect(ctx context.Context, t target) error {
	pubs := layouttest.Publications()
	for edition := range 2 {
		if err := t.publishes(ctx, pubs, drawn(edition), pubs...); err != nil {
			return err
		}
	}
	collects := func(wait time.Duration, unused, collected int) error {
		report, err := publish.Collect(ctx, t.Target, wait)
		if err != nil {
			return err
		}
		if len(report.Unused) != unused || len(report.Collected) != collected {
			return fmt.Errorf("collecting found %d unused archives and removed %d, want %d and %d", len(report.Unused), len(report.Collected), unused, collected)
		}
		return t.published(ctx, pubs)
	}
	if err := errors.Join(collects(time.Hour, len(pubs), 0), collects(time.Hour, len(pubs), 0)); err != nil {
		return err
	}
	// One of them is in use again.
	if err := t.publishes(ctx, pubs[:1], drawn(0)); err != nil {
		return err
	}
	if err := errors.Join(collects(-time.Hour, 0, len(pubs)), collects(-time.Hour, 0, 0)); err != nil {
		return err
	}
	names, err := t.List(ctx, ".")
	if err != nil {
		return err
	}
	archives := 0
	for _, name := range names {
		if _, ok := layout.ParseArchiveFile(name); ok {
			archives++
		}
	}
	if archives != len(pubs) {
		return fmt.Errorf("%d archives are left, want %d", archives, len(pubs))
	}
	return nil
}

// checkBound shows that a stable version does not change even if the index has lost it.
func checkBound(ctx context.Context, t target) error {
	pubs := layouttest.Publications()
	if err := t.publishes(ctx, pubs, nil, pubs...); err != nil {
		return err
	}
	stable := pubs[2].Release
	other, err := pubs[1].Release.WithVersion(stable.Version())
	if err != nil {
		return err
	}
	lost := []byte(`{"format":2,"versions":[]}`)
	_, rev, err := t.Read(ctx, layout.IndexFile)
	if err == nil {
		err = t.Replace(ctx, layout.IndexFile, lost, rev)
	}
	if err != nil {
		return err
	}
	_, err = publish.Publish(ctx, t.Target, []listing.Publication{{Release: other}}, nil)
	if err := wants("Publish of other content for a version that the index has lost", err, taxonomy.ErrStableChanged); err != nil {
		return err
	}
	if _, err := t.has(ctx, layout.IndexFile, lost); err != nil {
		return fmt.Errorf("after content was refused: %w", err)
	}
	if err := t.publishes(ctx, pubs, nil); err != nil {
		return fmt.Errorf("publishing what the index has lost: %w", err)
	}
	if _, err := publish.Retire(ctx, t.Target, nil, taxonomy.RetiredVersion{ID: stable.Version()}); err != nil {
		return err
	}
	if _, err := publish.Collect(ctx, t.Target, -time.Hour); err != nil {
		return err
	}
	_, err = t.has(ctx, layout.Bound(stable.Version()), layout.BoundTo(stable.ContentHash()))
	return err
}

// checkSeveral lets publishers with targets of their own publish one version each
// at the same time, in several editions of its icons.
func checkSeveral(ctx context.Context, open Opener) error {
	pubs := layouttest.Publications()
	errs := make([]error, len(pubs))
	var wg sync.WaitGroup
	for i := range pubs {
		wg.Go(func() {
			for edition := range 3 {
				errs[i] = errors.Join(errs[i], using(ctx, open, func(t target) error {
					_, err := publish.Publish(ctx, t, pubs[i:i+1], drawn(edition))
					return err
				}))
			}
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	return using(ctx, open, func(t target) error {
		x, err := t.index(ctx)
		if err != nil {
			return err
		}
		if n := x.Record().Sequence; n != int64(3*len(pubs)) {
			return fmt.Errorf("the sequence of the index is %d after %d changes", n, 3*len(pubs))
		}
		return t.published(ctx, pubs)
	})
}
