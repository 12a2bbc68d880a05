package enginetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/datachain-go/datachain/internal/publish"
	"github.com/datachain-go/datachain/internal/published"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/storetest"
)

// options publish with icons and search indexes, which are told apart by their
// text, and remove what is no longer used at once.
func options(l publish.Layout) *publish.Options {
	return &publish.Options{
		Layout:  l,
		KeepFor: -time.Hour, // the clock of a target may differ
		Icon: func(r *taxonomy.Release, e *taxonomy.Element, variant string) ([]byte, error) {
			return fmt.Appendf(nil, "icon %s %s %s", r.Version().Type(), e.ID, variant), nil
		},
		SearchIndex: func(r *taxonomy.Release, locale string) ([]byte, error) {
			return fmt.Appendf(nil, "index %s %s", r.Version().Type(), locale), nil
		},
	}
}

// releaseFiles returns the files of a release.
func releaseFiles(r *taxonomy.Release) ([]publish.File, error) {
	var text bytes.Buffer
	if _, err := r.WriteTo(&text); err != nil {
		return nil, err
	}
	files := []publish.File{file(published.ReleaseFile, text.String())}
	for _, id := range r.SymbolIDs() {
		svg, _ := r.Symbol(id)
		files = append(files, file(published.Symbols+"/"+published.Symbol(id), svg))
	}
	o := options(publish.LayoutFiles)
	for _, e := range r.Elements() {
		for _, variant := range e.IconVariants {
			svg, _ := o.Icon(r, e, variant)
			files = append(files, file(published.Icons+"/"+published.Icon(e.ID, variant), string(svg)))
		}
	}
	for _, locale := range r.Locales() {
		data, _ := o.SearchIndex(r, locale)
		name, _ := published.SearchIndex(locale)
		files = append(files, file(published.Search+"/"+name, string(data)))
	}
	return files, nil
}

// publishes calls Publish and checks the report and the content of the target.
func (t *target) publishes(ctx context.Context, pubs, all []taxonomy.Publication, written []taxonomy.Publication) error {
	report, err := publish.Publish(ctx, t.Target, pubs, options(t.layout))
	if err != nil {
		return err
	}
	if report.Uncollected != nil {
		return fmt.Errorf("collecting: %w", report.Uncollected)
	}
	var versions []taxonomy.Version
	for _, p := range written {
		versions = append(versions, p.Release.Version())
	}
	if !slices.Equal(report.Written, versions) {
		return fmt.Errorf("publishing wrote %v, want %v", report.Written, versions)
	}
	return t.published(ctx, all)
}

// decoded returns the index.
func (t *target) decoded(ctx context.Context) (*taxonomy.Index, error) {
	text, _, err := t.Index(ctx)
	if err != nil {
		return nil, err
	}
	return taxonomy.DecodeIndex(text)
}

// published checks that a target contains exactly the publications, in the layout
// of the target if it has one.
func (t *target) published(ctx context.Context, pubs []taxonomy.Publication) error {
	got, err := t.decoded(ctx)
	if err != nil {
		return err
	}
	var dirs []string
	for _, p := range pubs {
		dirs = append(dirs, published.Dir(p.Release.Version(), p.Release.ContentHash()))
		e, _ := got.Lookup(p.Release.Version().Ref())
		if packed := !e.Pack.IsZero(); t.layout != "" && packed != (t.layout == publish.LayoutPack) {
			return fmt.Errorf("the index says of %s that it is packed: %t, want the layout %s", p.Release.Version(), packed, t.layout)
		}
		if err := t.holdsRelease(ctx, p.Release, e.Pack); err != nil {
			return err
		}
	}
	if _, err := t.lists(ctx, dirs...); err != nil {
		return err
	}
	want, err := new(taxonomy.Index).With(pubs...)
	if err != nil {
		return err
	}
	want = want.WithRecord(taxonomy.Record{Packs: got.Record().Packs})
	if got, want := fmt.Sprint(got.Entries()), fmt.Sprint(want.Entries()); got != want {
		return fmt.Errorf("the index lists %s, want %s", got, want)
	}
	return nil
}

// holdsRelease checks that a target contains exactly the files of a release.
func (t *target) holdsRelease(ctx context.Context, r *taxonomy.Release, sum taxonomy.Hash) error {
	files, err := releaseFiles(r)
	if err != nil {
		return err
	}
	if !sum.IsZero() {
		return t.holdsPack(ctx, r, sum)
	}
	return t.contains(ctx, published.Dir(r.Version(), r.ContentHash()), files...)
}

func checkPublish(ctx context.Context, t *target) error {
	pubs := storetest.Publications()
	if err := t.publishes(ctx, pubs[:4], pubs[:4], pubs[:4]); err != nil {
		return err
	}
	if err := t.publishes(ctx, pubs[4:], pubs, pubs[4:]); err != nil {
		return err
	}
	if err := t.publishes(ctx, pubs, pubs, nil); err != nil {
		return fmt.Errorf("again: %w", err)
	}
	return nil
}

func checkRepair(ctx context.Context, t *target) error {
	pubs := storetest.Publications()
	if err := t.publishes(ctx, pubs, pubs, pubs); err != nil {
		return err
	}
	r := pubs[1].Release
	whole, err := releaseFiles(r)
	if err != nil {
		return err
	}
	other := slices.Clone(whole)
	other[0] = file(published.ReleaseFile, "{}")
	dir := published.Dir(r.Version(), r.ContentHash())
	for _, damage := range []struct {
		name, dir string
		files     []publish.File
	}{
		{"a file that is missing", dir, whole[1:]},
		{"a file with other bytes", dir, other},
		{"a symbol too many", dir, append(slices.Clip(whole), file("symbols/more.svg", "<svg/>"))},
		{"icons that are missing", dir + "/icons", nil},
		{"a search index with other bytes", dir + "/search", []publish.File{file("en.index", "other")}},
	} {
		if err := t.Write(ctx, damage.dir, damage.files); err != nil {
			return fmt.Errorf("Write: %w", err)
		}
		if err := t.publishes(ctx, pubs, pubs, pubs[1:2]); err != nil {
			return fmt.Errorf("%s: %w", damage.name, err)
		}
	}
	return nil
}

func checkCollect(ctx context.Context, t *target) error {
	pubs := storetest.Publications()
	if err := t.publishes(ctx, pubs, pubs, pubs); err != nil {
		return err
	}
	// A beta gets the content of another release: that removes its own.
	changed, err := pubs[2].Release.WithVersion(pubs[1].Release.Version())
	if err != nil {
		return err
	}
	pubs[1] = taxonomy.Publication{Release: changed}
	if err := t.publishes(ctx, pubs[1:2], pubs, pubs[1:2]); err != nil {
		return fmt.Errorf("publishing a changed beta: %w", err)
	}
	retired := pubs[4].Release
	if _, err := publish.Retire(ctx, t.Target, nil, taxonomy.Retired{ID: retired.Version()}); err != nil {
		return err
	}
	want := []string{published.Dir(retired.Version(), retired.ContentHash())}
	for i, collect := range []func(context.Context, publish.Target, time.Duration) (*publish.Report, error){publish.Unused, publish.Unused, publish.Collect} {
		switch report, err := collect(ctx, t.Target, -time.Hour); {
		case err != nil:
			return err
		case !slices.Equal(report.Collected, want):
			return fmt.Errorf("collecting removed %q in step %d, want %q", report.Collected, i+1, want)
		}
	}
	left := slices.Delete(slices.Clone(pubs), 4, 5)
	if err := t.published(ctx, left); err != nil {
		return fmt.Errorf("after collecting: %w", err)
	}
	// It can be published again, if that is what the caller asks for.
	switch _, err := publish.Publish(ctx, t.Target, pubs[4:5], nil); {
	case err == nil:
		return errors.New("a retired version was published again without being asked for")
	case !errors.Is(err, taxonomy.ErrRetired):
		return fmt.Errorf("publishing a retired version: the error does not wrap taxonomy.ErrRetired: %w", err)
	}
	pubs[4].Again = true
	return t.publishes(ctx, pubs, pubs, pubs[4:5])
}

// checkBound replaces the index by older ones, as a backup that is restored does. What
// they have lost of stable versions can be published again, but no other content.
func checkBound(ctx context.Context, t *target) error {
	pubs := storetest.Publications()
	if err := t.publishes(ctx, pubs, pubs, pubs); err != nil {
		return err
	}
	other, err := pubs[1].Release.WithVersion(pubs[2].Release.Version()) // stable
	if err != nil {
		return err
	}
	roll := func(text string) error {
		_, rev, err := t.Index(ctx)
		if err != nil {
			return err
		}
		return t.ReplaceIndex(ctx, []byte(text), rev)
	}
	if err := roll(`{"versions":[]}`); err != nil {
		return fmt.Errorf("ReplaceIndex: %w", err)
	}
	_, err = publish.Publish(ctx, t.Target, []taxonomy.Publication{{Release: other}}, options(t.layout))
	if err := wants("Publish of other content for a version that the index has lost", err, taxonomy.ErrStableChanged); err != nil {
		return err
	}
	if _, err := t.hasIndex(ctx, `{"versions":[]}`); err != nil {
		return fmt.Errorf("after content was refused: %w", err)
	}
	if _, err := publish.Publish(ctx, t.Target, pubs, options(t.layout)); err != nil {
		return fmt.Errorf("publishing what the index has lost: %w", err)
	}
	if err := t.published(ctx, pubs); err != nil {
		return err
	}
	if _, err := publish.Retire(ctx, t.Target, nil, taxonomy.Retired{ID: other.Version()}); err != nil {
		return err
	}
	if _, err := publish.Collect(ctx, t.Target, -time.Hour); err != nil {
		return err
	}
	index, err := t.decoded(ctx)
	if err != nil {
		return err
	}
	if index.Record().Sequence != 2 { // published again, and retired
		return fmt.Errorf("the sequence of the index is %d after two changes", index.Record().Sequence)
	}
	for _, p := range pubs {
		v, name := p.Release.Version(), published.Bound(p.Release.Version())
		if v.Status() == taxonomy.Stable {
			if err := t.holds(ctx, name, file(name, string(published.BoundTo(p.Release.ContentHash())))); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkSeveral lets publishers with targets of their own publish one version each
// at the same time.
func checkSeveral(ctx context.Context, open OpenTarget) error {
	pubs := storetest.Publications()
	errs := make([]error, len(pubs))
	var wg sync.WaitGroup
	for i := range pubs {
		wg.Go(func() {
			errs[i] = using(ctx, open, func(t publish.Target) error {
				o := options(publish.LayoutPack)
				if directory.of(t) {
					o = options(publish.Layouts()[i%2])
				}
				o.KeepFor = 0
				_, err := publish.Publish(ctx, t, pubs[i:i+1], o)
				return err
			})
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	return using(ctx, open, func(t publish.Target) error { return (&target{Target: t}).published(ctx, pubs) })
}
