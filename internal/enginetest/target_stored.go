package enginetest

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/datachain-go/datachain/internal/publish"
	"github.com/datachain-go/datachain/internal/published"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/storetest"
)

// fill stores all three releases, and returns the directories of the other two
// and what Stored says of the first.
func (t *target) fill(ctx context.Context) (others []string, first publish.Stored, err error) {
	others = []string{published.Dir(version, newer), published.Dir(promoted, hash)}
	all := slices.Concat(others, []string{dir})
	for _, dir := range all {
		if err := t.Write(ctx, dir, []publish.File{file(published.ReleaseFile, dir)}); err != nil {
			return nil, first, fmt.Errorf("Write: %w", err)
		}
	}
	first, err = t.lists(ctx, all...)
	return others, first, err
}

func checkStored(ctx context.Context, t *target) error {
	others, first, err := t.fill(ctx)
	if err != nil {
		return err
	}
	// The clock of a target may differ, but not by much.
	if age := time.Since(first.Since).Abs(); age > time.Hour {
		return fmt.Errorf("Stored says that %s was written %v", dir, first.Since)
	}
	// Neither an index nor more files of a release are further releases.
	if err := t.ReplaceIndex(ctx, []byte("{}"), ""); err != nil {
		return fmt.Errorf("ReplaceIndex: %w", err)
	}
	if err := t.Write(ctx, dir, []publish.File{file(published.ReleaseFile, dir), file("icons/a/dark.svg", "a")}); err != nil {
		return fmt.Errorf("Write: %w", err)
	}
	_, err = t.lists(ctx, append(others, dir)...)
	return err
}

// renewed repeats an action on dir until its time is another one.
func (t *target) renewed(ctx context.Context, what string, others []string, first publish.Stored, act func() error) error {
	for deadline := time.Now().Add(t.patience); ; time.Sleep(time.Millisecond) {
		if err := act(); err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
		now, err := t.lists(ctx, append(others[:2:2], dir)...)
		switch {
		case err != nil:
			return err
		case now.Since.After(first.Since):
			return nil
		case time.Now().After(deadline):
			return fmt.Errorf("%s leaves the time of %s at %v", what, dir, now.Since)
		}
	}
}

func checkTrim(ctx context.Context, t *target) error {
	kept := []publish.File{file(published.ReleaseFile, "kept"), file("icons/a/dark.svg", "a"), file("release.packs", "near")}
	more := []publish.File{file(published.PackFile, "pack"), file("search/en.index", "en"), file("search/more/fr.index", "fr")}
	others := []string{published.Dir(version, newer), published.Dir(promoted, hash)}
	for _, dir := range append(others, dir) {
		if err := t.Write(ctx, dir, slices.Concat(kept, more)); err != nil {
			return fmt.Errorf("Write: %w", err)
		}
	}
	for range 2 { // once more is fine
		if err := t.Trim(ctx, dir, published.PackFile, published.Symbols, published.Search); err != nil {
			return fmt.Errorf("Trim: %w", err)
		}
		if err := t.contains(ctx, dir, kept...); err != nil {
			return err
		}
	}
	for _, other := range others {
		if err := t.contains(ctx, other, slices.Concat(kept, more)...); err != nil {
			return fmt.Errorf("after trimming another release: %w", err)
		}
	}
	return nil
}

// checkOtherFiles shows that files besides releases are replaced by their revision, and
// deleted.
func checkOtherFiles(ctx context.Context, t *target) error {
	files, ok := t.Target.(publish.Files)
	if !ok {
		return errOtherKind
	}
	const name = "documents/index.json"
	others, _, err := t.fill(ctx)
	if err != nil {
		return err
	}
	if text, rev, err := files.Read(ctx, name); err != nil || text != nil || rev != "" {
		return fmt.Errorf("Read of a file that does not exist = %q, %q, %w", text, rev, err)
	}
	old := publish.Revision("")
	for _, text := range []string{"first", "second"} {
		if err := files.Replace(ctx, name, []byte(text), old); err != nil {
			return fmt.Errorf("Replace: %w", err)
		}
		if err := wants("Replace of another revision", files.Replace(ctx, name, []byte("third"), old), publish.ErrConflict); err != nil {
			return err
		}
		got, rev, err := files.Read(ctx, name)
		if err != nil || string(got) != text || rev == "" || rev == old {
			return fmt.Errorf("Read = %q, %q, %w; want %q with another revision than %q", got, rev, err, text, old)
		}
		old = rev
	}
	if _, err := t.lists(ctx, append(others, dir)...); err != nil {
		return err
	}
	for range 2 { // it may be gone already
		if err := files.Delete(ctx, name); err != nil {
			return fmt.Errorf("Delete: %w", err)
		}
	}
	if text, rev, err := files.Read(ctx, name); err != nil || text != nil || rev != "" {
		return fmt.Errorf("Read of a deleted file = %q, %q, %w", text, rev, err)
	}
	return checkDeleteAtOnce(ctx, files)
}

// checkDeleteAtOnce shows that several files of a directory can be deleted at once.
func checkDeleteAtOnce(ctx context.Context, files publish.Files) error {
	names := make([]string, 16)
	for i := range names {
		names[i] = "documents/slug/" + strconv.Itoa(i) + ".json"
		if err := files.Replace(ctx, names[i], []byte("text"), ""); err != nil {
			return fmt.Errorf("Replace: %w", err)
		}
	}
	errs := make([]error, len(names))
	var all sync.WaitGroup
	for i, name := range names {
		all.Go(func() { errs[i] = files.Delete(ctx, name) })
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("Delete of several files at once: %w", err)
	}
	return nil
}

// checkCreate shows that a file beside releases stays as it was created, and is not a
// release.
func checkCreate(ctx context.Context, t *target) error {
	bound := published.Bound(promoted)
	text := []byte("first")
	if err := t.Create(ctx, bound, text); err != nil { // before there is a release
		return fmt.Errorf("Create: %w", err)
	}
	clear(text) // it is ours
	others, _, err := t.fill(ctx)
	if err != nil {
		return err
	}
	if err := wants("Create of a file that exists", t.Create(ctx, bound, []byte("second")), fs.ErrExist); err != nil {
		return err
	}
	if err := t.Write(ctx, published.Dir(promoted, hash), []publish.File{file(published.ReleaseFile, "again")}); err != nil {
		return fmt.Errorf("Write: %w", err)
	}
	if _, err := t.lists(ctx, append(others, dir)...); err != nil {
		return err
	}
	stored, err := t.Stored(ctx)
	if err != nil {
		return fmt.Errorf("Stored: %w", err)
	}
	for _, s := range stored {
		if err := t.Remove(ctx, s); err != nil {
			return fmt.Errorf("Remove: %w", err)
		}
	}
	return t.contains(ctx, path.Dir(bound), file(path.Base(bound), "first"))
}

func checkTouch(ctx context.Context, t *target) error {
	others, first, err := t.fill(ctx)
	if err != nil {
		return err
	}
	if err := t.renewed(ctx, "Touch", others, first, func() error { return t.Touch(ctx, dir) }); err != nil {
		return err
	}
	return t.contains(ctx, dir, file(published.ReleaseFile, dir))
}

func checkRemove(ctx context.Context, t *target) error {
	others, first, err := t.fill(ctx)
	if err != nil {
		return err
	}
	for range 2 { // once more is fine
		if err := t.Remove(ctx, first); err != nil {
			return fmt.Errorf("Remove: %w", err)
		}
		if err := t.contains(ctx, dir); err != nil {
			return err
		}
		if _, err := t.lists(ctx, others...); err != nil {
			return err
		}
	}
	for _, other := range others {
		if err := t.contains(ctx, other, file(published.ReleaseFile, other)); err != nil {
			return err
		}
	}
	return nil
}

func checkUsedAgain(ctx context.Context, t *target) error {
	others, stale, err := t.fill(ctx)
	if err != nil {
		return err
	}
	files := []publish.File{file(published.ReleaseFile, dir)}
	for _, use := range []struct {
		what string
		act  func() error
	}{
		{"Touch", func() error { return t.Touch(ctx, dir) }},
		{"Write", func() error { return t.Write(ctx, dir, files) }},
	} {
		if err := t.renewed(ctx, use.what, others, stale, use.act); err != nil {
			return err
		}
		if err := wants("Remove after "+use.what, t.Remove(ctx, stale), publish.ErrConflict); err != nil {
			return err
		}
		if err := t.contains(ctx, dir, files...); err != nil {
			return err
		}
		if stale, err = t.lists(ctx, append(others[:2:2], dir)...); err != nil {
			return err
		}
	}
	return nil
}

// variant returns options that pack a release in one of many ways.
func variant(i int) *publish.Options {
	o := options(publish.LayoutPack)
	o.KeepFor = 0
	o.SearchIndex = func(*taxonomy.Release, string) ([]byte, error) { return fmt.Appendf(nil, "index %d", i), nil }
	return o
}

// packOf returns the pack that the index names for a release.
func (t *target) packOf(ctx context.Context, r *taxonomy.Release) (taxonomy.Hash, error) {
	index, err := t.decoded(ctx)
	if err != nil {
		return taxonomy.Hash{}, err
	}
	e, _ := index.Lookup(r.Version().Ref())
	return e.Pack, nil
}

// hasPack checks that a pack is stored.
func (t *target) hasPack(ctx context.Context, r *taxonomy.Release, sum taxonomy.Hash) error {
	name := published.Dir(r.Version(), r.ContentHash()) + "/" + published.PackOf(sum)
	data, err := t.read(ctx, name)
	if err == nil && taxonomy.Hash(sha256.Sum256(data)) != sum {
		err = fmt.Errorf("%s has other bytes", name)
	}
	return err
}

// checkPacks packs a release in several ways. Readers of an older index find its pack
// until it is collected.
func checkPacks(ctx context.Context, t *target) error {
	pubs := storetest.Publications()[:1]
	r := pubs[0].Release
	var old []taxonomy.Hash
	for i := range 3 {
		if _, err := publish.Publish(ctx, t.Target, pubs, variant(i)); err != nil {
			return err
		}
		sum, err := t.packOf(ctx, r)
		if err != nil {
			return err
		}
		old = append(old, sum)
		for _, sum := range old {
			if err := t.hasPack(ctx, r, sum); err != nil {
				return fmt.Errorf("after packing %d times: %w", i+1, err)
			}
		}
	}
	// The usual options remove the other packs.
	return t.publishes(ctx, pubs, pubs, pubs)
}

// checkPackUsedAgain shows that a pack is not removed after a publisher has touched
// its release to use it again.
func checkPackUsedAgain(ctx context.Context, t *target) error {
	stored, _ := t.Target.(publish.Shared)
	_, before, err := t.fill(ctx)
	if err != nil {
		return err
	}
	others := []string{published.Dir(version, newer), published.Dir(promoted, hash)}
	pack := file(published.PackOf(hash), "pack")
	if err := t.renewed(ctx, "Add", others, before, func() error { return t.Add(ctx, dir, pack) }); err != nil {
		return err
	}
	first, err := t.lists(ctx, append(others[:2:2], dir)...)
	if err != nil {
		return err
	}
	if len(first.Packs) != 1 || first.Packs[0] != hash {
		return fmt.Errorf("Stored lists the packs %v, want %s", first.Packs, hash)
	}
	if err := t.renewed(ctx, "Touch", others, first, func() error { return t.Touch(ctx, dir) }); err != nil {
		return err
	}
	if err := wants("RemovePacks after Touch", stored.RemovePacks(ctx, first, hash), publish.ErrConflict); err != nil {
		return err
	}
	if err := t.contains(ctx, dir, file(published.ReleaseFile, dir), pack); err != nil {
		return err
	}
	now, err := t.lists(ctx, append(others[:2:2], dir)...)
	if err != nil {
		return err
	}
	if err := stored.RemovePacks(ctx, now, hash); err != nil {
		return fmt.Errorf("RemovePacks: %w", err)
	}
	return t.contains(ctx, dir, file(published.ReleaseFile, dir))
}

// checkSeveralPacks lets publishers pack one release in different ways at the same
// time. The pack that the index names is always there.
func checkSeveralPacks(ctx context.Context, open OpenTarget) error {
	pubs := storetest.Publications()[:1]
	errs := make([]error, 4)
	var wg sync.WaitGroup
	for i := range errs {
		wg.Go(func() {
			errs[i] = using(ctx, open, func(t publish.Target) error {
				opened, _ := t.(publish.Shared)
				for n := range 3 {
					if _, err := publish.Publish(ctx, watched{opened, pubs[0].Release}, pubs, variant(3*i+n)); err != nil {
						return err
					}
				}
				return nil
			})
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// watched is a target in which the pack of a release is looked for whenever the index
// is replaced.
type watched struct {
	publish.Shared
	release *taxonomy.Release
}

func (w watched) ReplaceIndex(ctx context.Context, text []byte, rev publish.Revision) error {
	t := &target{Target: w.Shared}
	if rev != "" {
		sum, err := t.packOf(ctx, w.release)
		if err == nil {
			err = t.hasPack(ctx, w.release, sum)
		}
		if err != nil {
			return fmt.Errorf("the pack that the index names: %w", err)
		}
	}
	return w.Shared.ReplaceIndex(ctx, text, rev)
}
