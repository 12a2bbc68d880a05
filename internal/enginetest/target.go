package enginetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"testing"
	"time"

	"github.com/datachain-go/datachain/internal/publish"
	"github.com/datachain-go/datachain/internal/published"
	"github.com/datachain-go/datachain/taxonomy"
)

// OpenTarget opens a target. Each call opens the same one, as another publisher
// would, and is used by one goroutine. The target is closed after use if it is an
// [io.Closer].
type OpenTarget func(ctx context.Context) (publish.Target, error)

// patience is how long a time that must advance is given to do so: some targets
// count in whole seconds.
const patience = 10 * time.Second

// RunTarget checks a target, one subtest for each clause of the contract:
//
//	func TestTarget(t *testing.T) {
//		enginetest.RunTarget(t, func(t *testing.T) enginetest.OpenTarget {
//			dir := t.TempDir()
//			return func(ctx context.Context) (publish.Target, error) {
//				return dirtarget.Open(ctx, dir)
//			}
//		})
//	}
//
// It calls create once for each clause, for a new target
// that is empty and lists all that it has stored at once.
func RunTarget(t *testing.T, create func(t *testing.T) OpenTarget) {
	t.Helper()
	for _, c := range clauses() {
		t.Run(c.name, func(t *testing.T) {
			t.Helper()
			switch err := c.run(t.Context(), create(t), patience); {
			case errors.Is(err, errOtherKind):
				t.Log(err)
			case err != nil:
				t.Error(err)
			}
		})
	}
}

// errOtherKind means that a clause does not apply.
var errOtherKind = errors.New("the clause is for another kind of target")

// clause is one thing that a target must do. It is a value whose check returns an
// error, so that tests can show that it fails when it should. A clause has either
// a check for one publisher or one for several.
type clause struct {
	name    string
	kind    kind // of the targets that it is for
	check   func(ctx context.Context, t *target) error
	several func(ctx context.Context, open OpenTarget) error
}

// kind is a kind of targets.
type kind int

const (
	every     kind = iota
	directory      // a [publish.Directory]
	shared         // a [publish.Shared] target
)

// of reports whether a target is of the kind.
func (k kind) of(t publish.Target) bool {
	_, isShared := t.(publish.Shared)
	_, isDirectory := t.(publish.Directory)
	return k == every || k == directory && isDirectory || k == shared && isShared
}

// target is a target with its tolerance, and the layout that it is used with.
type target struct {
	publish.Target
	patience time.Duration
	layout   publish.Layout
}

// in returns a check with a published.
func in(l publish.Layout, check func(ctx context.Context, t *target) error) func(ctx context.Context, t *target) error {
	return func(ctx context.Context, t *target) error { return check(ctx, &target{t.Target, t.patience, l}) }
}

// Write makes a directory contain files: those and no others in a
// [publish.Directory], besides those that are there in a [publish.Shared] target.
func (t *target) Write(ctx context.Context, dir string, files []publish.File) error {
	if d, ok := t.Target.(publish.Directory); ok {
		return d.Write(ctx, dir, files)
	}
	for _, f := range files {
		if err := t.Add(ctx, dir, f); err != nil {
			return err
		}
	}
	return nil
}

// Trim removes files from a [publish.Directory].
func (t *target) Trim(ctx context.Context, dir string, names ...string) error {
	d, ok := t.Target.(publish.Directory)
	if !ok {
		return errOtherKind
	}
	return d.Trim(ctx, dir, names...)
}

func (c clause) run(ctx context.Context, open OpenTarget, patience time.Duration) error {
	err := using(ctx, open, func(t publish.Target) error {
		switch {
		case !c.kind.of(t):
			return errOtherKind
		case c.several != nil:
			return nil // others must be able to open it
		}
		return c.check(ctx, &target{Target: t, patience: patience})
	})
	if err == nil && c.several != nil {
		err = c.several(ctx, open)
	}
	return err
}

// using opens a target, uses and closes it.
func using(ctx context.Context, open OpenTarget, use func(t publish.Target) error) error {
	t, err := open(ctx)
	if err != nil {
		return err
	}
	err = use(t)
	if c, ok := t.(io.Closer); ok {
		err = errors.Join(err, c.Close())
	}
	return err
}

// clauses are what RunTarget checks, in this order.
func clauses() []clause {
	return []clause{
		{name: "a new target is empty", check: checkEmpty},
		{name: "the index is the last one", check: checkIndex},
		{name: "a stale revision conflicts", check: checkStale},
		{name: "files are what was written", kind: directory, check: checkFiles},
		{name: "writing replaces a directory", kind: directory, check: checkReplaces},
		{name: "a failed write can be repeated", kind: directory, check: checkFailedWrite},
		{name: "stored releases are listed", check: checkStored},
		{name: "adding adds or replaces a file", check: checkAdd},
		{name: "trimming removes files of a release", kind: directory, check: checkTrim},
		{name: "a file is created once", check: checkCreate},
		{name: "other files are replaced and deleted", check: checkOtherFiles},
		{name: "touching sets the time", check: checkTouch},
		{name: "removing removes one release", check: checkRemove},
		{name: "what is used again is not removed", check: checkUsedAgain},
		{name: "canceled contexts end calls", check: checkCanceled},
		{name: "a release is published whole", kind: directory, check: in(publish.LayoutFiles, checkPublish)},
		{name: "a packed release is published whole", check: in(publish.LayoutPack, checkPublish)},
		{name: "damaged releases are repaired", kind: directory, check: in(publish.LayoutFiles, checkRepair)},
		{name: "damaged packs are repaired", check: in(publish.LayoutPack, checkRepairPacked)},
		{name: "releases change their layout", kind: directory, check: in(publish.LayoutFiles, checkConvert)},
		{name: "unused releases are collected", kind: directory, check: in(publish.LayoutFiles, checkCollect)},
		{name: "unused packs are collected", check: in(publish.LayoutPack, checkCollect)},
		{name: "stable versions stay bound", check: in(publish.LayoutPack, checkBound)},
		{name: "packs are not replaced", kind: shared, check: in(publish.LayoutPack, checkPacks)},
		{name: "packs in use are not removed", kind: shared, check: in(publish.LayoutPack, checkPackUsedAgain)},
		{name: "several publishers lose nothing", several: checkSeveral},
		{name: "several publishers of a release keep its pack", kind: shared, several: checkSeveralPacks},
	}
}

// The releases that the clauses store: two contents of a version, and one of them
// under another version, too.
var (
	version  = taxonomy.MustVersion("ai@2026-09-01-beta")
	promoted = taxonomy.MustVersion("ai@2026-09-01-stable")
	hash     = taxonomy.Hash{1}
	newer    = taxonomy.Hash{2}
	dir      = published.Dir(version, hash)
)

// file returns a file that is written in pieces.
func file(name, text string) publish.File {
	return publish.File{Name: name, Write: func(w io.Writer) error {
		for piece := range slices.Chunk([]byte(text), 1000) {
			if _, err := w.Write(piece); err != nil {
				return err
			}
		}
		return nil
	}}
}

// wants checks that a call has failed with an error.
func wants(call string, got, want error) error {
	if !errors.Is(got, want) {
		return fmt.Errorf("%s: want the error %q, got %w", call, want.Error(), got)
	}
	return nil
}

// contains checks that a directory contains exactly the files.
func (t *target) contains(ctx context.Context, dir string, want ...publish.File) error {
	names, err := t.List(ctx, dir)
	if err != nil {
		return fmt.Errorf("List(%s): %w", dir, err)
	}
	slices.Sort(names)
	var wanted []string
	for _, f := range want {
		wanted = append(wanted, f.Name)
		if err := t.holds(ctx, dir+"/"+f.Name, f); err != nil {
			return err
		}
	}
	slices.Sort(wanted)
	if !slices.Equal(names, wanted) {
		return fmt.Errorf("List(%s) = %q, want %q", dir, names, wanted)
	}
	return nil
}

// holds checks that a stored file has the bytes of f.
func (t *target) holds(ctx context.Context, name string, f publish.File) error {
	var want bytes.Buffer
	if err := f.Write(&want); err != nil {
		return err
	}
	r, err := t.Open(ctx, name)
	if err != nil {
		return fmt.Errorf("Open(%s): %w", name, err)
	}
	got, err := io.ReadAll(r)
	if err := errors.Join(err, r.Close()); err != nil {
		return fmt.Errorf("reading %s: %w", name, err)
	}
	if !bytes.Equal(got, want.Bytes()) {
		return fmt.Errorf("%s has %d other bytes than the %d that were written", name, len(got), want.Len())
	}
	return nil
}

// hasIndex checks the text of the index and returns its revision.
func (t *target) hasIndex(ctx context.Context, want string) (publish.Revision, error) {
	text, rev, err := t.Index(ctx)
	switch {
	case err != nil:
		return "", fmt.Errorf("Index: %w", err)
	case string(text) != want:
		return "", fmt.Errorf("Index = %q, want %q", text, want)
	case (text == nil) != (rev == ""):
		return "", fmt.Errorf("Index = %q with the revision %q: exactly a missing index has no revision", text, rev)
	}
	clear(text) // it must be the caller's own
	return rev, nil
}

// lists checks which directories Stored lists, and returns what it says of dir.
func (t *target) lists(ctx context.Context, want ...string) (found publish.Stored, err error) {
	stored, err := t.Stored(ctx)
	if err != nil {
		return found, fmt.Errorf("Stored: %w", err)
	}
	var got []string
	for _, s := range stored {
		got = append(got, s.Dir)
		if s.Dir != published.Dir(s.Version, s.Hash) {
			return found, fmt.Errorf("Stored says that %s contains %s with %s", s.Dir, s.Version, s.Hash)
		}
		if s.Dir == dir {
			found = s
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		return found, fmt.Errorf("Stored lists %q, want %q", got, want)
	}
	return found, nil
}

func checkEmpty(ctx context.Context, t *target) error {
	if _, err := t.hasIndex(ctx, ""); err != nil {
		return err
	}
	if err := t.Touch(ctx, dir); err != nil {
		return fmt.Errorf("Touch of a directory that does not exist: %w", err)
	}
	if err := t.Remove(ctx, publish.Stored{Dir: dir, Version: version, Hash: hash, Since: time.Now()}); err != nil {
		return fmt.Errorf("Remove of a directory that does not exist: %w", err)
	}
	if _, err := t.lists(ctx); err != nil {
		return err
	}
	if r, err := t.Open(ctx, dir+"/"+published.ReleaseFile); err == nil {
		return errors.Join(errors.New("Open of a file that does not exist succeeds"), r.Close())
	} else if err := wants("Open of a file that does not exist", err, fs.ErrNotExist); err != nil {
		return err
	}
	if t.String() == "" {
		return errors.New("String is empty")
	}
	return t.contains(ctx, dir)
}

func checkIndex(ctx context.Context, t *target) error {
	seen := map[publish.Revision]bool{}
	rev := publish.Revision("")
	for _, text := range []string{"{}", `{"versions":[]}`, " {\n\"é\": \"\u2028\"}\r\n"} {
		data := []byte(text)
		if err := t.ReplaceIndex(ctx, data, rev); err != nil {
			return fmt.Errorf("ReplaceIndex: %w", err)
		}
		clear(data) // it is ours
		var err error
		for range 2 {
			if rev, err = t.hasIndex(ctx, text); err != nil {
				return err
			}
		}
		if seen[rev] {
			return fmt.Errorf("another index has the same revision %q", rev)
		}
		seen[rev] = true
	}
	return nil
}

func checkStale(ctx context.Context, t *target) error {
	if err := t.ReplaceIndex(ctx, []byte("1"), ""); err != nil {
		return fmt.Errorf("ReplaceIndex: %w", err)
	}
	old, err := t.hasIndex(ctx, "1")
	if err != nil {
		return err
	}
	if err := t.ReplaceIndex(ctx, []byte("2"), old); err != nil {
		return fmt.Errorf("ReplaceIndex: %w", err)
	}
	for _, stale := range []publish.Revision{old, ""} {
		err := t.ReplaceIndex(ctx, []byte("3"), stale)
		if err := wants(fmt.Sprintf("ReplaceIndex with the stale revision %q", stale), err, publish.ErrConflict); err != nil {
			return err
		}
	}
	_, err = t.hasIndex(ctx, "2")
	return err
}
