package dirtarget_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/fsstore"
	"github.com/datachain-go/datachain/adapters/storekit/layout/layouttest"
	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// TestLayout fixes the names and bytes of a store.
func TestLayout(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep", "store")
	pub := layouttest.Publications()[4] // sensor@2026-02-28-stable, alias sensor@v2
	report, err := publishTo(t.Context(), dir, []listing.Publication{pub}, nil)
	require.NoError(t, err)
	require.True(t, report.Changed)
	require.Equal(t, []taxonomy.Version{pub.Release.Version()}, report.Written)

	hash := pub.Release.ContentHash().String()
	archive, data := archiveOf(t, pub.Release)
	sum := fmt.Sprintf("%x", sha256.Sum256(data))
	require.Equal(t, "sensor/2026-02-28-stable/"+hash+"/"+sum+".zip", archive)
	require.Equal(t, map[string]string{
		"sensor/2026-02-28-stable/bound": hash + "\n",
		"index.json": `{"format":2,"versions":[{"aliases":["sensor@latest","sensor@v2"],"archive":"sha256-` + sum + `","content_hash":"` + hash +
			`","id":"sensor@2026-02-28-stable","status":"stable"}]}`,
		archive: string(data),
	}, contents(t, dir))
	for name := range times(t, dir) {
		info, err := os.Stat(filepath.Join(dir, name))
		require.NoError(t, err)
		assert.Equal(t, map[bool]fs.FileMode{true: 0o755, false: 0o644}[info.IsDir()], info.Mode().Perm(), name)
	}
}

// TestSameBytes shows that the order of publishing makes no difference.
func TestSameBytes(t *testing.T) {
	pubs := layouttest.Publications()
	atOnce := publishedDir(t, pubs)
	oneByOne := t.TempDir()
	slices.Reverse(pubs)
	for _, p := range pubs {
		_, err := publishTo(t.Context(), oneByOne, []listing.Publication{p}, nil)
		require.NoError(t, err)
	}
	require.Equal(t, contents(t, atOnce), contents(t, oneByOne))
}

// TestTestFiles shows that tests of stores read what is published.
func TestTestFiles(t *testing.T) {
	pubs := layouttest.Publications()
	dir := filepath.Join(t.TempDir(), "store")
	require.NoError(t, os.CopyFS(dir, layouttest.Files(t, nil, nil, pubs...)))
	require.Equal(t, contents(t, publishedDir(t, pubs)), contents(t, dir))
}

// TestNothingNew shows that publishing what is there writes nothing.
func TestNothingNew(t *testing.T) {
	dir := t.TempDir()
	options := &publish.Options{Icon: icon}
	for i := range 2 {
		_, err := publishTo(t.Context(), dir, layouttest.Publications(), options)
		require.NoError(t, err, i)
	}
	before := times(t, dir)
	report, err := publishTo(t.Context(), dir, layouttest.Publications()[1:3], options)
	require.NoError(t, err)
	require.False(t, report.Changed)
	require.Empty(t, report.Written)
	require.Equal(t, 6, report.Index.Len())
	require.NoError(t, retire(t, dir))
	require.Equal(t, before, times(t, dir))
}

// TestAliasesAlone shows that a stable version may get other aliases.
func TestAliasesAlone(t *testing.T) {
	pubs := layouttest.Publications()
	dir := publishedDir(t, pubs)
	pubs[2].Aliases, pubs[3].Aliases = []string{"ai@city"}, []string{"ai@v1.0"}
	report, err := publishTo(t.Context(), dir, pubs[2:4], nil)
	require.NoError(t, err)
	require.True(t, report.Changed)
	require.Empty(t, report.Written)
	ref, err := taxonomy.ParseRef("ai@v1.0")
	require.NoError(t, err)
	r, err := taxonomy.Open(t.Context(), openDir(t, dir, nil), ref)
	require.NoError(t, err)
	require.Equal(t, "ai@2026-09-01-stable", r.Version().String())
}

// TestRefused shows what is refused, and that nothing is written then.
func TestRefused(t *testing.T) {
	pubs := layouttest.Publications()
	beta, stable := pubs[1].Release, pubs[2].Release
	newer := edited(t, stable, "Newer")
	fresh := edited(t, beta, "Fresh")
	shout := emptyRelease(t, "AI@2026-01-01-beta")
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		name string
		ctx  context.Context
		pubs []listing.Publication
		want error
		says []string
	}{
		{
			name: "other content for a stable version", pubs: []listing.Publication{fresh, newer}, want: taxonomy.ErrStableChanged,
			says: []string{"ai@2026-03-01-stable", stable.ContentHash().String(), newer.Release.ContentHash().String()},
		},
		{
			name: "a taken alias", pubs: []listing.Publication{{Release: fresh.Release, Aliases: []string{"ai@city"}}},
			want: taxonomy.ErrAliasConflict, says: []string{"ai@city", "ai@2026-03-01-stable", "ai@2026-09-01-beta"},
		},
		{
			name: "an alias of another type", pubs: []listing.Publication{{Release: fresh.Release, Aliases: []string{"sensor@x"}}},
			says: []string{"sensor@x"},
		},
		{name: "one version twice", pubs: []listing.Publication{fresh, {Release: beta}}, says: []string{"twice"}},
		{name: "no release", pubs: []listing.Publication{fresh, {}}, says: []string{"no release"}},
		{name: "types that differ in case", pubs: []listing.Publication{fresh, shout}, says: []string{"AI", "ai", "case"}},
		{name: "an ended context", ctx: canceled, pubs: []listing.Publication{fresh}, want: context.Canceled},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := publishedDir(t, pubs)
			before := times(t, dir)
			if c.ctx == nil {
				c.ctx = t.Context()
			}
			report, err := publishTo(c.ctx, dir, c.pubs, nil)
			require.Nil(t, report)
			require.Error(t, err)
			if c.want != nil {
				require.ErrorIs(t, err, c.want)
			}
			for _, says := range append(c.says, dir) {
				require.ErrorContains(t, err, says)
			}
			require.Equal(t, before, times(t, dir))
		})
	}
}

// TestRetire shows that a version leaves the index while its files stay, and that
// it is published again only if asked.
func TestRetire(t *testing.T) {
	pubs := layouttest.Publications()
	dir := publishedDir(t, pubs)
	v := pubs[4].Release.Version()
	before := contents(t, dir)

	err := retire(t, dir, v, taxonomy.MustVersion("sensor@2026-02-27-stable"))
	require.ErrorIs(t, err, taxonomy.ErrNotFound)
	require.Equal(t, before, contents(t, dir))

	require.NoError(t, retire(t, dir, v))
	after := contents(t, dir)
	x, err := taxonomy.DecodeIndex([]byte(after["index.json"]))
	require.NoError(t, err)
	_, listed := x.Lookup(v.Ref())
	require.False(t, listed)
	require.Equal(t, []taxonomy.RetiredVersion{{ID: v, ContentHash: pubs[4].Release.ContentHash(), At: "2026-11-16"}}, x.Retired())
	delete(after, "index.json")
	for name := range after {
		require.Equal(t, before[name], after[name])
	}
	require.Len(t, after, len(before)-1)
	_, err = publishTo(t.Context(), dir, pubs, nil)
	require.ErrorIs(t, err, listing.ErrRetired)
	require.ErrorContains(t, err, v.String())
	again := pubs[4]
	again.Again = true
	_, err = publishTo(t.Context(), dir, []listing.Publication{again}, nil)
	require.NoError(t, err)
	require.Equal(t, before, contents(t, dir))

	require.ErrorIs(t, retire(t, filepath.Join(dir, "none"), v), fs.ErrNotExist)
}

// TestRepair shows that publishing repairs what is damaged, and writes nothing
// else.
func TestRepair(t *testing.T) {
	pubs := layouttest.Publications()
	pub := pubs[4]
	archive, _ := archiveOf(t, pub.Release)
	for name, damage := range map[string]func(name string) error{
		"longer":  func(name string) error { return add(name, " ") },
		"shorter": func(name string) error { return os.Truncate(name, 5) },
		"missing": os.Remove,
		"a link to nowhere": func(name string) error {
			return errors.Join(os.Remove(name), os.Symlink("nowhere", name))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := publishedDir(t, pubs)
			before := contents(t, dir)
			require.NoError(t, damage(filepath.Join(dir, filepath.FromSlash(archive))))
			require.NotEqual(t, before, contents(t, dir))
			report, err := publishTo(t.Context(), dir, pubs, nil)
			require.NoError(t, err)
			require.Equal(t, before, contents(t, dir))
			require.Equal(t, []taxonomy.Version{pub.Release.Version()}, report.Written)
			require.False(t, report.Changed)
		})
	}
}

// TestIconFails shows that an icon that can't be drawn stops the publication.
func TestIconFails(t *testing.T) {
	dir := t.TempDir()
	broken := errors.New("broken pencil")
	_, err := publishTo(t.Context(), dir, layouttest.Publications(), &publish.Options{
		Icon: func(_ *taxonomy.Release, e *taxonomy.Element, _ string) ([]byte, error) {
			if e.ID == "purpose_2" {
				return nil, broken
			}
			return nil, nil
		},
	})
	require.ErrorIs(t, err, broken)
	require.ErrorContains(t, err, "purpose_2")
	require.Empty(t, files(t, dir))
}

// TestProgress shows that every icon is counted once.
func TestProgress(t *testing.T) {
	var done []int
	_, err := publishTo(t.Context(), t.TempDir(), layouttest.Publications(), &publish.Options{
		Icon: icon,
		Progress: func(n, total int) {
			assert.Equal(t, 6*8, total)
			done = append(done, n)
		},
	})
	require.NoError(t, err)
	require.Len(t, done, 6*8)
	for i, n := range done {
		require.Equal(t, i+1, n)
	}
}

// TestCanceled shows that a publication ends with its context, and leaves no
// files behind.
func TestCanceled(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	_, err := publishTo(ctx, dir, layouttest.Publications()[:1], &publish.Options{
		Icon: icon,
		Progress: func(done, _ int) {
			if done == 2 {
				cancel()
			}
		},
	})
	require.ErrorIs(t, err, context.Canceled)
	require.Empty(t, files(t, dir))
}

// TestWaits shows that publishers wait for one another, until their context
// ends, and that nothing is lost when many publish at once.
func TestWaits(t *testing.T) {
	pubs := layouttest.Publications()
	dir := t.TempDir()
	var wg sync.WaitGroup
	errs := make([]error, len(pubs))
	patient, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for i := range pubs {
		wg.Go(func() { _, errs[i] = publishTo(patient, dir, pubs[i:i+1], nil) })
	}
	wg.Wait()
	require.NoError(t, errors.Join(errs...))
	require.Equal(t, contents(t, publishedDir(t, pubs)), contents(t, dir))

	var second error
	_, err := publishTo(t.Context(), dir, []listing.Publication{edited(t, pubs[1].Release, "New")}, &publish.Options{
		Icon: icon,
		Progress: func(int, int) { // while one is at work
			if second != nil {
				return
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			_, second = publishTo(ctx, dir, nil, nil)
		},
	})
	require.NoError(t, err)
	require.ErrorIs(t, second, context.DeadlineExceeded)
	require.ErrorContains(t, second, "lock")
}

// TestBrokenIndex shows that a publisher does not replace an index that it can't
// read.
func TestBrokenIndex(t *testing.T) {
	dir := publishedDir(t, layouttest.Publications())
	name := filepath.Join(dir, "index.json")
	require.NoError(t, os.Truncate(name, 100))
	before := contents(t, dir)
	_, err := publishTo(t.Context(), dir, layouttest.Publications(), nil)
	require.ErrorContains(t, err, dir)
	require.ErrorContains(t, err, "index.json")
	require.ErrorContains(t, err, "restore")
	require.Equal(t, before, contents(t, dir))
}

// TestNoDirectory shows the error for a directory that can't be created.
func TestNoDirectory(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(name, nil, 0o644))
	for _, dir := range []string{name, filepath.Join(name, "below")} {
		_, err := publishTo(t.Context(), dir, layouttest.Publications(), nil)
		require.ErrorContains(t, err, dir)
	}
}

// TestEvolution publishes what became of the ids of a type. It is written before the index
// names it, kept by later publications, replaced by a correction, and verified when it is
// read.
func TestEvolution(t *testing.T) {
	dir := t.TempDir()
	pubs := layouttest.Publications()
	with := &publish.Options{Evolutions: map[string][]byte{"sensor": []byte("one"), "empty": nil}}
	first, err := publishTo(t.Context(), dir, pubs, with)
	require.NoError(t, err)
	s := openDir(t, dir, nil)
	known := func() string {
		x, err := s.Index(t.Context())
		require.NoError(t, err)
		require.Nil(t, x.EvolutionJSON("ai"))
		return string(x.EvolutionJSON("sensor"))
	}
	require.Equal(t, "one", known())
	name := filepath.Join(dir, "sensor", "evolution", first.Index.Record().Evolutions["sensor"].String()+".json")
	require.FileExists(t, name)

	again, err := publishTo(t.Context(), dir, pubs, with)
	require.NoError(t, err)
	require.False(t, again.Changed)
	_, err = publishTo(t.Context(), dir, pubs, nil)
	require.NoError(t, err)
	require.Equal(t, "one", known(), "other publications keep it")

	with.Evolutions["sensor"] = []byte("two")
	corrected, err := publishTo(t.Context(), dir, nil, with)
	require.NoError(t, err)
	require.True(t, corrected.Changed)
	require.Equal(t, "two", known())

	name = filepath.Join(dir, "sensor", "evolution", corrected.Index.Record().Evolutions["sensor"].String()+".json")
	require.NoError(t, os.WriteFile(name, []byte("{}"), 0o600))
	_, err = fsstore.OpenDir(dir, nil)
	require.ErrorIs(t, err, taxonomy.ErrHashMismatch)
	require.ErrorContains(t, err, "evolution of sensor")
}

// TestTargetClosed shows that a target can be closed twice, and that it is useless
// then.
func TestTargetClosed(t *testing.T) {
	dir := publishedDir(t, layouttest.Publications())
	target := openTarget(t, dir)
	require.NoError(t, target.Close())
	require.NoError(t, target.Close())
	before := contents(t, dir)
	_, err := publish.Publish(t.Context(), target, []listing.Publication{emptyRelease(t, "new@2026-01-01-beta")}, nil)
	require.ErrorIs(t, err, os.ErrClosed)
	require.Equal(t, before, contents(t, dir))
}

// TestCopiedIndex shows that an index that a copying program puts in place while
// a publisher works is not overwritten.
func TestCopiedIndex(t *testing.T) {
	pubs := layouttest.Publications()
	dir, from := publishedDir(t, pubs[:1]), publishedDir(t, pubs[:3])
	names, copied := files(t, from), false
	report, err := publishTo(t.Context(), dir, pubs[3:4], &publish.Options{Icon: icon, Progress: func(int, int) {
		if copied {
			return
		}
		copied = true
		for _, name := range names {
			data, err := os.ReadFile(filepath.Join(from, name))
			place := filepath.Join(dir, name)
			assert.NoError(t, errors.Join(err, os.MkdirAll(filepath.Dir(place), 0o755), os.WriteFile(place, data, 0o644)))
		}
	}})
	require.NoError(t, err)
	require.Equal(t, []taxonomy.Version{pubs[3].Release.Version()}, report.Written)
	require.Equal(t, 1, report.Before.Len())
	require.NoError(t, holds(t, openDir(t, dir, nil), pubs[:4]))
}
