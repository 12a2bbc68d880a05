package publish_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/storekit/layout"
	"github.com/datachain-go/datachain/adapters/storekit/layout/layouttest"
	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/release/publish/targettest"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// bucket is a target that others use at the same time. The functions are called
// around a method of the target.
type bucket struct {
	targettest.Memory
	before func(op, name string) error
	after  func(op, name string) error
	ops    []string
}

func (b *bucket) do(op, name string, work func() error) error {
	b.ops = append(b.ops, op+" "+name)
	if b.before != nil {
		if err := b.before(op, name); err != nil {
			return err
		}
	}
	err := work()
	if err == nil && b.after != nil {
		err = b.after(op, name)
	}
	return err
}

func (b *bucket) Replace(ctx context.Context, name string, text []byte, rev publish.Revision) error {
	return b.do("replace", name, func() error { return b.Memory.Replace(ctx, name, text, rev) })
}

func (b *bucket) Put(ctx context.Context, name string, data []byte) error {
	return b.do("put", path.Dir(name), func() error { return b.Memory.Put(ctx, name, data) })
}

func (b *bucket) Create(ctx context.Context, name string, text []byte) error {
	return b.do("create", name, func() error { return b.Memory.Create(ctx, name, text) })
}

func (b *bucket) Delete(ctx context.Context, name string) error {
	return b.do("delete", path.Dir(name), func() error { return b.Memory.Delete(ctx, name) })
}

// once returns a function that acts at the first call of an operation.
func once(op string, act func() error) func(op, name string) error {
	done := false
	return func(called, _ string) error {
		if called != op || done {
			return nil
		}
		done = true
		return act()
	}
}

// lists checks which versions the index lists.
func lists(t *testing.T, target publish.Target, pubs ...listing.Publication) {
	t.Helper()
	text, _, err := target.Read(t.Context(), layout.IndexFile)
	require.NoError(t, err)
	got, err := taxonomy.DecodeIndex(text)
	require.NoError(t, err)
	want, err := listing.Add(new(taxonomy.Index), pubs...)
	require.NoError(t, err)
	want = want.WithRecord(taxonomy.Record{Archives: got.Record().Archives})
	require.Equal(t, fmt.Sprint(want.Entries()), fmt.Sprint(got.Entries()))
}

func dirOf(p listing.Publication) string {
	return layout.Dir(p.Release.Version(), p.Release.ContentHash())
}

// as returns the content of one publication under the version of another.
func as(t *testing.T, content, version listing.Publication) listing.Publication {
	t.Helper()
	r, err := content.Release.WithVersion(version.Release.Version())
	require.NoError(t, err)
	return listing.Publication{Release: r}
}

// TestOrder shows that the index names nothing that has not been written.
func TestOrder(t *testing.T) {
	pubs := layouttest.Publications()
	b := new(bucket)
	_, err := publish.Publish(t.Context(), b, pubs[:2], nil)
	require.NoError(t, err)
	require.Equal(t, []string{
		"put " + dirOf(pubs[0]), "put " + dirOf(pubs[1]), "replace index.json", "create " + layout.Bound(pubs[0].Release.Version()),
	}, b.ops)

	b.ops = nil
	changed := as(t, pubs[2], pubs[1])
	report, err := publish.Publish(t.Context(), b, []listing.Publication{changed}, nil)
	require.NoError(t, err)
	require.Equal(t, []string{"put " + dirOf(changed), "replace index.json"}, b.ops)
	require.Equal(t, []taxonomy.Version{changed.Release.Version()}, report.Written)
	require.True(t, report.Changed)
	require.Equal(t, 2, report.Before.Len())

	b.ops = nil
	report, err = publish.Retire(t.Context(), b, nil, taxonomy.RetiredVersion{ID: pubs[0].Release.Version()})
	require.NoError(t, err)
	require.True(t, report.Changed)
	require.Equal(t, 1, report.Index.Len())
	require.Equal(t, []string{"replace index.json"}, b.ops)
}

// TestConflict lets another publisher, or a lost reply, come between.
func TestConflict(t *testing.T) {
	pubs := layouttest.Publications()
	stable := pubs[4]
	alias := listing.Publication{Release: pubs[0].Release, Aliases: stable.Aliases}
	other := func(b *bucket, pubs ...listing.Publication) func(op, name string) error {
		return once("replace", func() error {
			_, err := publish.Publish(t.Context(), &b.Memory, pubs, nil)
			return err
		})
	}
	publishing := func(b *bucket) (*publish.Report, error) {
		return publish.Publish(t.Context(), b, []listing.Publication{stable}, nil)
	}
	retiring := func(b *bucket) (*publish.Report, error) {
		return publish.Retire(t.Context(), b, nil, taxonomy.RetiredVersion{ID: pubs[1].Release.Version()})
	}
	lost := func() error { return publish.ErrConflict }
	for _, c := range []struct {
		name  string
		meet  func(b *bucket)
		do    func(b *bucket) (*publish.Report, error)
		wants []listing.Publication
		err   error
	}{
		{"another version is published", func(b *bucket) { b.before = other(b, pubs[2]) }, publishing, []listing.Publication{pubs[1], pubs[2], stable}, nil},
		{"the same version is published", func(b *bucket) { b.before = other(b, stable) }, publishing, []listing.Publication{pubs[1], stable}, nil},
		{"other content is published", func(b *bucket) { b.before = other(b, as(t, pubs[0], stable)) }, publishing, nil, taxonomy.ErrStableChanged},
		{"an alias is taken", func(b *bucket) { b.before = other(b, alias) }, publishing, nil, taxonomy.ErrAliasConflict},
		{"the reply is lost", func(b *bucket) { b.after = once("replace", lost) }, publishing, []listing.Publication{pubs[1], stable}, nil},
		{"the reply is lost and another version is published", func(b *bucket) {
			b.after = once("replace", func() error { return errors.Join(other(b, pubs[2])("replace", ""), publish.ErrConflict) })
		}, publishing, []listing.Publication{pubs[1], pubs[2], stable}, nil},
		{"files are about to be removed", func(b *bucket) { b.before = once("put", lost) }, publishing, []listing.Publication{pubs[1], stable}, nil},
		{"another version is published while one is retired", func(b *bucket) { b.before = other(b, pubs[2]) }, retiring, []listing.Publication{pubs[2]}, nil},
		{"the version is retired by another publisher", func(b *bucket) {
			b.before = once("replace", func() error {
				_, err := publish.Retire(t.Context(), &b.Memory, nil, taxonomy.RetiredVersion{ID: pubs[1].Release.Version()})
				return err
			})
		}, retiring, nil, nil},
		{"the reply to retiring is lost", func(b *bucket) { b.after = once("replace", lost) }, retiring, nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := new(bucket)
			_, err := publish.Publish(t.Context(), b, pubs[1:2], nil)
			require.NoError(t, err)
			c.meet(b)
			report, err := c.do(b)
			if c.err != nil {
				require.ErrorIs(t, err, c.err)
				require.NotErrorIs(t, err, publish.ErrConflict)
				require.Nil(t, report)
				return
			}
			require.NoError(t, err)
			require.True(t, report.Changed)
			require.Equal(t, 1, report.Before.Len())
			require.Equal(t, len(c.wants), report.Index.Len())
			if slices.Contains(b.ops[2:], "put "+dirOf(stable)) {
				require.Equal(t, []taxonomy.Version{stable.Release.Version()}, report.Written)
			}
			lists(t, b, c.wants...)
		})
	}
}

// TestDeprecate: a state changes the index alone, once, and survives what others publish.
func TestDeprecate(t *testing.T) {
	pubs := layouttest.Publications()
	b := new(bucket)
	before, err := publish.Publish(t.Context(), b, pubs[1:2], nil)
	require.NoError(t, err)
	v, state := pubs[1].Release.Version(), taxonomy.State{Deprecated: "2026-11-17", Sunset: "2027-11-17", Reason: "Old."}
	has := func(want taxonomy.State, sequence int64) {
		text, _, err := b.Read(t.Context(), layout.IndexFile)
		require.NoError(t, err)
		x, err := taxonomy.DecodeIndex(text)
		require.NoError(t, err)
		e, _ := x.Lookup(v.Ref())
		require.Equal(t, want, e.State)
		require.Equal(t, before.Index.Record().Sequence+sequence, x.Record().Sequence)
	}
	b.ops = nil
	b.before = once("replace", func() error {
		_, err := publish.Publish(t.Context(), &b.Memory, pubs[2:3], nil)
		return err
	})
	report, err := publish.Deprecate(t.Context(), b, v, state)
	require.NoError(t, err)
	require.True(t, report.Changed)
	require.Empty(t, report.Written)
	require.Equal(t, []string{"replace index.json", "replace index.json"}, b.ops, "after a conflict")
	has(state, 2)
	report, err = publish.Deprecate(t.Context(), b, v, state)
	require.NoError(t, err)
	require.False(t, report.Changed)
	_, err = publish.Publish(t.Context(), b, pubs[1:2], nil)
	require.NoError(t, err)
	has(state, 2)
	_, err = publish.Deprecate(t.Context(), b, v, taxonomy.State{})
	require.NoError(t, err)
	has(taxonomy.State{}, 3)
	_, err = publish.Deprecate(t.Context(), b, pubs[4].Release.Version(), state)
	require.ErrorIs(t, err, taxonomy.ErrNotFound)
}

// TestGivesUp shows that a target that always conflicts is not tried for ever.
func TestGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &bucket{before: func(op, _ string) error {
			if op == "replace" {
				return fmt.Errorf("412: %w", publish.ErrConflict)
			}
			return nil
		}}
		_, err := publish.Publish(t.Context(), b, layouttest.Publications(), nil)
		require.ErrorIs(t, err, publish.ErrConflict)
		var e *publish.Error
		require.ErrorAs(t, err, &e)
		require.Equal(t, "publish", e.Op)
		require.Equal(t, "memory", e.Target)
		require.Equal(t, "publish memory: 412: another publisher changed the store", err.Error())

		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Millisecond)
		defer cancel()
		for err := error(nil); !errors.Is(err, context.DeadlineExceeded); {
			_, err = publish.Retire(ctx, b, nil)
			require.Error(t, err)
		}
	})
}

// TestMany lets many publishers publish at once over a target that loses replies.
func TestMany(t *testing.T) {
	const publishers = 12
	synctest.Test(t, func(t *testing.T) {
		var memory targettest.Memory
		var wg sync.WaitGroup
		var all []listing.Publication
		for i := range publishers {
			pub := as(t, layouttest.Publications()[1], layouttest.Publications()[1])
			v, err := taxonomy.NewVersion("ai", fmt.Sprintf("2026-01-%02d", i+1), taxonomy.Stable)
			require.NoError(t, err)
			pub.Release, err = pub.Release.WithVersion(v)
			require.NoError(t, err)
			all = append(all, pub)
			wg.Go(func() {
				for n := range 3 { // the second and the third time change nothing
					b := lossy{&memory}
					_, err := publish.Publish(t.Context(), b, []listing.Publication{pub}, nil)
					assert.NoError(t, err, n)
				}
			})
		}
		wg.Wait()
		lists(t, &memory, all...)
	})
}

// lossy loses some replies and takes its time.
type lossy struct{ *targettest.Memory }

func (l lossy) Replace(ctx context.Context, name string, text []byte, rev publish.Revision) error {
	time.Sleep(rand.N(10 * time.Millisecond))
	err := l.Memory.Replace(ctx, name, text, rev)
	if err == nil && rand.N(3) == 0 {
		err = publish.ErrConflict // a client that tried again after the lost reply
	}
	return err
}

// TestUsedAgain shows that an archive that a publisher uses again is there, even if a
// collector removes it meanwhile.
func TestUsedAgain(t *testing.T) {
	pub := layouttest.Publications()[1]
	v := pub.Release.Version()
	pub.Again = true
	var b *bucket
	publishing := func() *publish.Report {
		report, err := publish.Publish(t.Context(), b, []listing.Publication{pub}, nil)
		require.NoError(t, err)
		return report
	}
	collect := func() error {
		_, err := publish.Collect(t.Context(), &b.Memory, -1)
		return err
	}
	intact := func() {
		t.Helper()
		lists(t, b, pub)
		b.before, b.ops = nil, nil
		require.Empty(t, publishing().Written)
		require.Empty(t, b.ops)
	}
	begin := func() {
		t.Helper()
		b = new(bucket)
		publishing()
		_, err := publish.Retire(t.Context(), b, nil, taxonomy.RetiredVersion{ID: v})
		require.NoError(t, err)
		b.ops = nil
	}
	begin()
	require.Empty(t, publishing().Written)
	require.Equal(t, []string{"replace index.json"}, b.ops)
	intact()

	// A collector removes it between the publisher's look and the index.
	begin()
	b.before = once("replace", collect)
	require.Empty(t, publishing().Written)
	require.Contains(t, b.ops, "put "+dirOf(pub))
	intact()

	// A publisher uses it while a collector is at work.
	begin()
	_, err := publish.Collect(t.Context(), b, time.Hour)
	require.NoError(t, err)
	b.before = once("replace", func() error {
		_, err := publish.Publish(t.Context(), &b.Memory, []listing.Publication{pub}, nil)
		return err
	})
	report, err := publish.Collect(t.Context(), b, -1)
	require.NoError(t, err)
	require.Empty(t, report.Collected)
	intact()
}

// TestUncollected shows that an archive that can't be removed is found again.
func TestUncollected(t *testing.T) {
	pubs := layouttest.Publications()
	broken := errors.New("broken")
	b := new(bucket)
	for _, list := range [][]listing.Publication{pubs, {as(t, pubs[2], pubs[1])}} {
		_, err := publish.Publish(t.Context(), b, list, nil)
		require.NoError(t, err)
	}
	b.before = func(op, _ string) error {
		if op == "delete" {
			return broken
		}
		return nil
	}
	report, err := publish.Collect(t.Context(), b, -1)
	require.ErrorIs(t, err, broken)
	require.Empty(t, report.Collected)
	b.before = nil
	report, err = publish.Collect(t.Context(), b, -1)
	require.NoError(t, err)
	require.Len(t, report.Collected, 1)
	require.Equal(t, dirOf(pubs[1]), path.Dir(report.Collected[0]))
}

// TestProgress shows that each icon counts once.
func TestProgress(t *testing.T) {
	pubs := layouttest.Publications()[:2]
	icons := 0
	for _, p := range pubs {
		for _, e := range p.Release.Elements() {
			icons += len(e.IconVariants)
		}
	}
	last := 0
	_, err := publish.Publish(t.Context(), new(bucket), pubs, &publish.Options{
		Icon: func(*taxonomy.Release, *taxonomy.Element, string) ([]byte, error) { return []byte("<svg/>"), nil },
		Progress: func(n, total int) {
			assert.Equal(t, icons, total)
			assert.Equal(t, last+1, n)
			last = n
		},
	})
	require.NoError(t, err)
	require.Equal(t, icons, last)
}

// TestLimit shows that a release that readers would refuse is not published.
func TestLimit(t *testing.T) {
	b := new(bucket)
	_, err := publish.Publish(t.Context(), b, layouttest.Publications()[:1], &publish.Options{MaxRelease: 100})
	require.ErrorContains(t, err, "--no-icons")
	require.Empty(t, b.ops)
	_, err = publish.Publish(t.Context(), b, layouttest.Publications()[:1], &publish.Options{MaxRelease: -1})
	require.NoError(t, err)
}

// TestLargeIndex shows that an index that readers would refuse is not written.
func TestLargeIndex(t *testing.T) {
	pub := layouttest.Publications()[1]
	for i := range layout.MaxIndex/130 + 1 {
		pub.Aliases = append(pub.Aliases, fmt.Sprintf("ai@%s%08d", strings.Repeat("x", 120), i))
	}
	b := new(bucket)
	_, err := publish.Publish(t.Context(), b, []listing.Publication{pub}, nil)
	require.ErrorContains(t, err, "index.json would have ")
	require.Empty(t, b.ops)
}

// TestDamagedBinding shows that a file that binds a version and is damaged is named, whatever
// its size, and that nothing is published.
func TestDamagedBinding(t *testing.T) {
	pubs := layouttest.Publications()
	v := pubs[0].Release.Version()
	for _, size := range []int{10, 10 * layout.MaxBound} {
		target := new(targettest.Memory)
		_, err := publish.Publish(t.Context(), target, pubs[:1], nil)
		require.NoError(t, err)
		require.NoError(t, target.Put(t.Context(), layout.Bound(v), bytes.Repeat([]byte("x"), size)))
		_, err = publish.Publish(t.Context(), target, pubs, nil)
		require.ErrorContains(t, err, layout.Bound(v)+": ")
		require.ErrorContains(t, err, "restore the file from a backup")
	}
}

func TestNil(t *testing.T) {
	_, err := publish.Publish(t.Context(), nil, nil, nil)
	require.ErrorContains(t, err, "publish: the target is nil")
}
