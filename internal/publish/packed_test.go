package publish_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/enginetest"
	"github.com/datachain-go/datachain/internal/publish"
	"github.com/datachain-go/datachain/internal/published"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/storetest"
)

// derived returns options with icons, of which many are equal, and search
// indexes.
func derived(l publish.Layout) *publish.Options {
	return &publish.Options{
		Layout: l,
		Icon: func(_ *taxonomy.Release, _ *taxonomy.Element, variant string) ([]byte, error) {
			return fmt.Appendf(nil, "<svg><!-- %s --></svg>", variant), nil
		},
		SearchIndex: func(_ *taxonomy.Release, locale string) ([]byte, error) { return []byte("index " + locale), nil },
	}
}

// read returns a stored file.
func read(ctx context.Context, t publish.Target, name string) ([]byte, error) {
	r, err := t.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(r)
	return data, errors.Join(err, r.Close())
}

// readable checks that a reader can read every release that the index names, as
// the index says.
func readable(ctx context.Context, t publish.Target) error {
	text, _, err := t.Index(ctx)
	if err != nil || text == nil {
		return err
	}
	index, err := taxonomy.DecodeIndex(text)
	if err != nil {
		return err
	}
	for _, e := range index.Entries() {
		dir := published.Dir(e.ID, e.ContentHash)
		text, err := read(ctx, t, dir+"/"+published.ReleaseFile)
		if err != nil {
			return err
		}
		symbols, err := readSymbols(ctx, t, dir, e.Pack)
		if err != nil {
			return fmt.Errorf("%s: %w", e.ID, err)
		}
		if _, err := taxonomy.DecodeRelease(text, symbols); err != nil {
			return err
		}
	}
	return nil
}

func readSymbols(ctx context.Context, t publish.Target, dir string, sum taxonomy.Hash) (map[string]string, error) {
	symbols := make(map[string]string)
	if !sum.IsZero() {
		p, err := readPack(ctx, t, dir, sum)
		if err != nil {
			return nil, err
		}
		section, _ := p.Section(published.SymbolsSection)
		table, err := published.OpenTable(section)
		for id, svg := range table.All() {
			symbols[id] = string(svg)
		}
		return symbols, err
	}
	names, err := t.List(ctx, dir+"/"+published.Symbols)
	for _, name := range names {
		if id, ok := published.SymbolID(name); ok && err == nil {
			var svg []byte
			svg, err = read(ctx, t, dir+"/"+published.Symbols+"/"+name)
			symbols[id] = string(svg)
		}
	}
	return symbols, err
}

func readPack(ctx context.Context, t publish.Target, dir string, sum taxonomy.Hash) (*published.Container, error) {
	data, err := read(ctx, t, dir+"/"+published.PackFile)
	if err != nil {
		return nil, err
	}
	if got := taxonomy.Hash(sha256.Sum256(data)); got != sum {
		return nil, fmt.Errorf("the pack has the SHA-256 %s, but the index has %s", got, sum)
	}
	return published.OpenContainer(data)
}

// TestReadableAtAnyTime publishes releases again and again, in other layouts and
// with other packs, and lets each step of it fail. Readers find good releases
// before and after each step, and publishing again completes the work.
func TestReadableAtAnyTime(t *testing.T) {
	pubs := storetest.Publications()[:2]
	bare := func(l publish.Layout) *publish.Options { return &publish.Options{Layout: l} }
	broken := errors.New("broken")
	for name, c := range map[string]struct{ from, to *publish.Options }{
		"files to pack":         {derived(publish.LayoutFiles), derived(publish.LayoutPack)},
		"pack to files":         {derived(publish.LayoutPack), derived(publish.LayoutFiles)},
		"a pack gets icons":     {bare(publish.LayoutPack), derived(publish.LayoutPack)},
		"files get icons":       {bare(publish.LayoutFiles), derived(publish.LayoutFiles)},
		"files to pack, bare":   {bare(publish.LayoutFiles), bare(publish.LayoutPack)},
		"the same pack":         {derived(publish.LayoutPack), derived(publish.LayoutPack)},
		"nothing was published": {nil, derived(publish.LayoutPack)},
	} {
		t.Run(name, func(t *testing.T) {
			want := new(enginetest.MemoryTarget)
			_, err := publish.Publish(t.Context(), want, pubs, c.to)
			require.NoError(t, err)
			for step := 0; ; step++ {
				b := new(bucket)
				if c.from != nil {
					_, err := publish.Publish(t.Context(), b, pubs, c.from)
					require.NoError(t, err)
				}
				n := 0
				b.before = func(op, name string) error {
					require.NoError(t, readable(t.Context(), &b.MemoryTarget), "before %s %s", op, name)
					if n++; n > step {
						return broken
					}
					return nil
				}
				report, err := publish.Publish(t.Context(), b, pubs, c.to)
				require.NoError(t, readable(t.Context(), &b.MemoryTarget), "step %d", step)
				failed := err != nil || report.Uncollected != nil
				b.before = nil
				_, err = publish.Publish(t.Context(), b, pubs, c.to)
				require.NoError(t, err)
				same(t, want, &b.MemoryTarget, pubs)
				if !failed {
					break
				}
			}
		})
	}
}

// same checks that two targets hold the same bytes, whatever the sequence of the
// index.
func same(t *testing.T, want, got publish.Target, pubs []taxonomy.Publication) {
	t.Helper()
	wantIndex, _, err := want.Index(t.Context())
	require.NoError(t, err)
	gotIndex, _, err := got.Index(t.Context())
	require.NoError(t, err)
	sequence := regexp.MustCompile(`"sequence":\d+`)
	require.Equal(t, sequence.ReplaceAllString(string(wantIndex), ""), sequence.ReplaceAllString(string(gotIndex), ""))
	for _, p := range pubs {
		names, err := want.List(t.Context(), dirOf(p))
		require.NoError(t, err)
		gotNames, err := got.List(t.Context(), dirOf(p))
		require.NoError(t, err)
		require.ElementsMatch(t, names, gotNames)
		for _, name := range names {
			a, err := read(t.Context(), want, dirOf(p)+"/"+name)
			require.NoError(t, err)
			b, err := read(t.Context(), got, dirOf(p)+"/"+name)
			require.NoError(t, err)
			require.Equal(t, a, b, name)
		}
	}
}

// packOf returns the pack of a publication.
func packOf(t *testing.T, target publish.Target, index *taxonomy.Index, p taxonomy.Publication) *published.Container {
	t.Helper()
	e, _ := index.Lookup(p.Release.Version().Ref())
	opened, err := readPack(t.Context(), target, dirOf(p), e.Pack)
	require.NoError(t, err)
	return opened
}

// TestDistinctIcons shows that a pack holds each distinct icon once.
func TestDistinctIcons(t *testing.T) {
	pub := storetest.Publications()[0]
	target := new(enginetest.MemoryTarget)
	report, err := publish.Publish(t.Context(), target, []taxonomy.Publication{pub}, derived(""))
	require.NoError(t, err)
	section, ok := packOf(t, target, report.Index, pub).Section(published.IconsSection)
	require.True(t, ok)
	icons, err := published.OpenTable(section)
	require.NoError(t, err)
	variants := map[string]bool{}
	for _, e := range pub.Release.Elements() {
		for _, variant := range e.IconVariants {
			variants[variant] = true
			svg, ok := icons.Get(published.IconKey(e.ID, variant))
			assert.True(t, ok)
			assert.Equal(t, "<svg><!-- "+variant+" --></svg>", string(svg))
		}
	}
	require.Less(t, len(variants), icons.Len())
	require.Equal(t, len(variants), icons.Values())
}

// TestKeptSections shows that a pack keeps what options do not build.
func TestKeptSections(t *testing.T) {
	pubs := storetest.Publications()[:1]
	target := new(enginetest.MemoryTarget)
	_, err := publish.Publish(t.Context(), target, pubs, derived(""))
	require.NoError(t, err)

	report, err := publish.Publish(t.Context(), target, pubs, nil)
	require.NoError(t, err)
	require.False(t, report.Changed)
	require.Empty(t, report.Written)

	o := derived("")
	o.SearchIndex = nil
	o.Icon = func(*taxonomy.Release, *taxonomy.Element, string) ([]byte, error) { return []byte("<svg/>"), nil }
	report, err = publish.Bake(t.Context(), target, []*taxonomy.Release{pubs[0].Release}, o)
	require.NoError(t, err)
	require.Len(t, report.Written, 1)
	require.True(t, report.Changed, "the index has another pack")
	opened := packOf(t, target, report.Index, pubs[0])
	for _, locale := range pubs[0].Release.Locales() {
		index, _ := opened.Section(published.SearchSection(locale))
		require.Equal(t, "index "+locale, string(index))
	}
	section, _ := opened.Section(published.IconsSection)
	icons, err := published.OpenTable(section)
	require.NoError(t, err)
	require.Equal(t, 1, icons.Values())
	require.NoError(t, readable(t.Context(), target))
}

// TestBakeKeepsLayout shows that baking packs nothing that is not packed.
func TestBakeKeepsLayout(t *testing.T) {
	pubs := storetest.Publications()[:1]
	target := new(enginetest.MemoryTarget)
	_, err := publish.Publish(t.Context(), target, pubs, &publish.Options{Layout: publish.LayoutFiles})
	require.NoError(t, err)
	_, err = publish.Bake(t.Context(), target, []*taxonomy.Release{pubs[0].Release}, derived(publish.LayoutPack))
	require.NoError(t, err)
	names, err := target.List(t.Context(), dirOf(pubs[0]))
	require.NoError(t, err)
	require.NotContains(t, names, published.PackFile)
	require.True(t, slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(name, published.Icons+"/") }))
}

func TestPackRefuses(t *testing.T) {
	pubs := storetest.Publications()[:1]
	target := new(enginetest.MemoryTarget)
	_, err := publish.Publish(t.Context(), target, pubs, &publish.Options{Layout: "zip"})
	require.ErrorContains(t, err, `unknown Options.Layout "zip": use one of ["pack" "files"]`)

	var calls atomic.Int64
	_, err = publish.Publish(t.Context(), target, pubs, &publish.Options{
		Icon: func(*taxonomy.Release, *taxonomy.Element, string) ([]byte, error) {
			return make([]byte, calls.Add(1)), nil
		},
	})
	require.ErrorContains(t, err, "Options.Icon must always return the same bytes")

	broken := errors.New("broken")
	_, err = publish.Publish(t.Context(), target, pubs, &publish.Options{
		SearchIndex: func(*taxonomy.Release, string) ([]byte, error) { return nil, broken },
	})
	require.ErrorIs(t, err, broken)
	text, _, err := target.Index(t.Context())
	require.NoError(t, err)
	require.Nil(t, text)
}
