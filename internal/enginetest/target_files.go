package enginetest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/publish"
	"github.com/datachain-go/datachain/internal/published"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/storetest"
)

func checkFiles(ctx context.Context, t *target) error {
	files := []publish.File{
		file(published.ReleaseFile, strings.Repeat("release\r\n\x00", 200_000)),
		file("symbols/Lens-2.svg", "<svg/>"),
		file("symbols/_spare.svg", ""),
		file("icons/purpose.safety/default.svg", "é"),
		file("icons/purpose.safety/dark.svg", "dark"),
		file("more.files/deep/below.pack", "pack"),
	}
	if err := t.Write(ctx, dir, files); err != nil {
		return fmt.Errorf("Write: %w", err)
	}
	// A neighbour whose name begins like that of another directory.
	near := file("x.svg", "near")
	if err := t.Write(ctx, dir+"/icons-2", []publish.File{near}); err != nil {
		return fmt.Errorf("Write: %w", err)
	}
	if err := t.contains(ctx, dir+"/icons", file("purpose.safety/default.svg", "é"), file("purpose.safety/dark.svg", "dark")); err != nil {
		return err
	}
	return t.contains(ctx, dir, append(files, file("icons-2/x.svg", "near"))...)
}

func checkReplaces(ctx context.Context, t *target) error {
	old := []publish.File{file(published.ReleaseFile, "old"), file("symbols/a.svg", "a"), file("icons/a/dark.svg", "a")}
	write := func(dir string, files ...publish.File) error {
		if err := t.Write(ctx, dir, files); err != nil {
			return fmt.Errorf("Write(%s): %w", dir, err)
		}
		return nil
	}
	// The other releases stay as they are.
	others := []string{published.Dir(version, newer), published.Dir(promoted, hash)}
	for _, other := range append(others, dir, dir) {
		if err := write(other, old...); err != nil {
			return err
		}
	}
	if err := write(dir+"/icons", file("b/dark.svg", "b")); err != nil {
		return err
	}
	if err := t.contains(ctx, dir, old[0], old[1], file("icons/b/dark.svg", "b")); err != nil {
		return fmt.Errorf("after replacing a subdirectory: %w", err)
	}
	again := []publish.File{file(published.ReleaseFile, "new"), file("symbols/c.svg", "c")}
	if err := write(dir, again...); err != nil {
		return err
	}
	if err := t.contains(ctx, dir, again...); err != nil {
		return fmt.Errorf("after replacing a directory: %w", err)
	}
	for _, other := range others {
		if err := t.contains(ctx, other, old...); err != nil {
			return fmt.Errorf("after replacing another directory: %w", err)
		}
	}
	return nil
}

func checkFailedWrite(ctx context.Context, t *target) error {
	broken := errors.New("broken")
	files := []publish.File{file("a.svg", "a"), file("b.svg", "b"), file("c.svg", "c")}
	fails := slices.Concat(files[:2], []publish.File{{Name: "c.svg", Write: func(w io.Writer) error {
		_, err := io.WriteString(w, "half")
		return errors.Join(err, broken)
	}}})
	for range 2 { // into a new directory, and into one that exists
		if err := wants("Write of a file that fails", t.Write(ctx, dir, fails), broken); err != nil {
			return err
		}
		if err := t.Write(ctx, dir, files); err != nil {
			return fmt.Errorf("Write after one that has failed: %w", err)
		}
		if err := t.contains(ctx, dir, files...); err != nil {
			return err
		}
	}
	return nil
}

func checkCanceled(ctx context.Context, t *target) error {
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	kept := file(published.ReleaseFile, "kept")
	if err := t.Write(ctx, dir, []publish.File{kept}); err != nil {
		return fmt.Errorf("Write: %w", err)
	}
	stored, err := t.lists(ctx, dir)
	if err != nil {
		return err
	}
	type call struct {
		name string
		call func() error
	}
	calls := []call{
		{"Index", func() error { _, _, err := t.Index(canceled); return err }},
		{"ReplaceIndex", func() error { return t.ReplaceIndex(canceled, []byte("{}"), "") }},
		{"List", func() error { _, err := t.List(canceled, dir); return err }},
		{"Open", func() error { _, err := t.Open(canceled, dir+"/"+published.ReleaseFile); return err }},
		{"Add", func() error { return t.Add(canceled, dir, file(published.PackFile, "new")) }},
		{"Create", func() error { return t.Create(canceled, published.Bound(promoted), []byte("new")) }},
		{"Touch", func() error { return t.Touch(canceled, dir) }},
		{"Stored", func() error { _, err := t.Stored(canceled); return err }},
		{"Remove", func() error { return t.Remove(canceled, stored) }},
	}
	if d, ok := t.Target.(publish.Directory); ok {
		calls = append(
			calls,
			call{"Write", func() error { return d.Write(canceled, dir, []publish.File{file("new.svg", "new")}) }},
			call{"Trim", func() error { return d.Trim(canceled, dir, published.ReleaseFile) }},
		)
	}
	if s, ok := t.Target.(publish.Shared); ok {
		calls = append(calls, call{"RemovePacks", func() error { return s.RemovePacks(canceled, stored, hash) }})
	}
	for _, c := range calls {
		if err := wants(c.name+" with a context that has ended", c.call(), context.Canceled); err != nil {
			return err
		}
	}
	if _, err := t.hasIndex(ctx, ""); err != nil {
		return err
	}
	if err := t.contains(ctx, dir, kept); err != nil {
		return err
	}
	if err := t.contains(ctx, path.Dir(published.Bound(promoted))); err != nil {
		return err
	}
	return checkCanceledWrite(ctx, t)
}

// checkCanceledWrite ends the context while files are written.
func checkCanceledWrite(ctx context.Context, t *target) error {
	canceled, cancel := context.WithCancel(ctx)
	defer cancel()
	var files []publish.File
	for i := range 100 {
		f := file(fmt.Sprintf("%d.svg", i), "text")
		if i == 50 {
			write := f.Write
			f.Write = func(w io.Writer) error {
				cancel()
				return write(w)
			}
		}
		files = append(files, f)
	}
	return wants("Write while the context ends", t.Write(canceled, published.Dir(version, newer), files), context.Canceled)
}

// read returns a stored file.
func (t *target) read(ctx context.Context, name string) ([]byte, error) {
	r, err := t.Open(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("Open(%s): %w", name, err)
	}
	data, err := io.ReadAll(r)
	return data, errors.Join(err, r.Close())
}

// packName returns the name of a pack.
func (t *target) packName(sum taxonomy.Hash) string {
	if shared.of(t.Target) {
		return published.PackOf(sum)
	}
	return published.PackFile
}

// holdsPack checks that a target contains exactly the two files of a packed
// release.
func (t *target) holdsPack(ctx context.Context, r *taxonomy.Release, sum taxonomy.Hash) error {
	dir := published.Dir(r.Version(), r.ContentHash())
	names, err := t.List(ctx, dir)
	if err != nil {
		return fmt.Errorf("List(%s): %w", dir, err)
	}
	slices.Sort(names)
	file := t.packName(sum)
	if want := []string{published.ReleaseFile, file}; !slices.Equal(names, want) {
		return fmt.Errorf("List(%s) = %q, want %q", dir, names, want)
	}
	files, err := releaseFiles(r)
	if err != nil {
		return err
	}
	if err := t.holds(ctx, dir+"/"+published.ReleaseFile, files[0]); err != nil {
		return err
	}
	data, err := t.read(ctx, dir+"/"+file)
	if err != nil {
		return err
	}
	if got := taxonomy.Hash(sha256.Sum256(data)); got != sum {
		return fmt.Errorf("%s: the pack has the SHA-256 %s, but the index has %s", dir, got, sum)
	}
	p, err := published.OpenContainer(data)
	if err != nil {
		return err
	}
	if err := packContains(p, r); err != nil {
		return fmt.Errorf("%s: the pack: %w", dir, err)
	}
	return nil
}

// packContains checks that a pack contains what the files of a release do.
func packContains(p *published.Container, r *taxonomy.Release) error {
	o := options(publish.LayoutPack)
	icons, symbols := make(map[string]string), make(map[string]string)
	for _, e := range r.Elements() {
		for _, variant := range e.IconVariants {
			svg, _ := o.Icon(r, e, variant)
			icons[published.IconKey(e.ID, variant)] = string(svg)
		}
	}
	for _, id := range r.SymbolIDs() {
		symbols[id], _ = r.Symbol(id)
	}
	for name, want := range map[string]map[string]string{published.IconsSection: icons, published.SymbolsSection: symbols} {
		section, _ := p.Section(name)
		table, err := published.OpenTable(section)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		got := make(map[string]string)
		for key, value := range table.All() {
			got[key] = string(value)
		}
		if !maps.Equal(got, want) {
			return fmt.Errorf("%s: %d entries, want %d, or some differ", name, len(got), len(want))
		}
	}
	for _, locale := range r.Locales() {
		want, _ := o.SearchIndex(r, locale)
		if got, _ := p.Section(published.SearchSection(locale)); !bytes.Equal(got, want) {
			return fmt.Errorf("the search index for %s is %q, want %q", locale, got, want)
		}
	}
	return nil
}

func checkAdd(ctx context.Context, t *target) error {
	stored := []publish.File{file(published.ReleaseFile, "release"), file("symbols/a.svg", "a")}
	others := []string{published.Dir(version, newer), published.Dir(promoted, hash)}
	for _, dir := range append(others, dir) {
		if err := t.Write(ctx, dir, stored); err != nil {
			return fmt.Errorf("Write: %w", err)
		}
	}
	broken := errors.New("broken")
	fails := publish.File{Name: published.PackFile, Write: func(w io.Writer) error {
		_, err := io.WriteString(w, "half")
		return errors.Join(err, broken)
	}}
	now := stored
	for _, text := range []string{"pack", "another pack"} { // one that is new, and one that is there
		if err := wants("Add of a file that fails", t.Add(ctx, dir, fails), broken); err != nil {
			return err
		}
		if err := t.contains(ctx, dir, now...); err != nil {
			return fmt.Errorf("after a file that fails: %w", err)
		}
		added := file(published.PackFile, text)
		if err := t.Add(ctx, dir, added); err != nil {
			return fmt.Errorf("Add: %w", err)
		}
		now = append(slices.Clip(stored), added)
		if err := t.contains(ctx, dir, now...); err != nil {
			return err
		}
	}
	for _, other := range others {
		if err := t.contains(ctx, other, stored...); err != nil {
			return fmt.Errorf("after adding to another release: %w", err)
		}
	}
	_, err := t.lists(ctx, append(others, dir)...)
	return err
}

func checkRepairPacked(ctx context.Context, t *target) error {
	pubs := storetest.Publications()
	if err := t.publishes(ctx, pubs, pubs, pubs); err != nil {
		return err
	}
	r := pubs[1].Release
	dir := published.Dir(r.Version(), r.ContentHash())
	release, err := t.read(ctx, dir+"/"+published.ReleaseFile)
	if err != nil {
		return err
	}
	index, err := t.decoded(ctx)
	if err != nil {
		return err
	}
	e, _ := index.Lookup(r.Version().Ref())
	name := t.packName(e.Pack)
	data, err := t.read(ctx, dir+"/"+name)
	if err != nil {
		return err
	}
	changed := bytes.Clone(data)
	changed[len(changed)/2] ^= 1
	whole := []publish.File{file(published.ReleaseFile, string(release)), file(name, string(data))}
	type damage struct {
		name    string
		files   []publish.File
		written []taxonomy.Publication
	}
	damages := []damage{
		{"a pack with other bytes", []publish.File{whole[0], file(name, string(changed))}, pubs[1:2]},
		{"a pack that was cut", []publish.File{whole[0], file(name, string(data[:len(data)-1]))}, pubs[1:2]},
		{"a release.json with other bytes", []publish.File{file(published.ReleaseFile, "{}"), whole[1]}, pubs[1:2]},
	}
	if directory.of(t.Target) {
		damages = append(
			damages,
			damage{"a pack that is missing", whole[:1], pubs[1:2]},
			damage{"a release.json that is missing", whole[1:], pubs[1:2]},
			damage{"files that were left behind", append(slices.Clip(whole), file("symbols/a.svg", "<svg/>"), file("icons/a/dark.svg", "a")), nil},
		)
	}
	for _, damage := range damages {
		if err := t.Write(ctx, dir, damage.files); err != nil {
			return fmt.Errorf("Write: %w", err)
		}
		if err := t.publishes(ctx, pubs, pubs, damage.written); err != nil {
			return fmt.Errorf("%s: %w", damage.name, err)
		}
	}
	return nil
}

// checkConvert publishes the same releases in one layout, then in the other, and
// a pack again that gets more sections.
func checkConvert(ctx context.Context, t *target) error {
	pubs := storetest.Publications()
	for _, l := range []publish.Layout{publish.LayoutFiles, publish.LayoutPack, publish.LayoutFiles} {
		t := &target{t.Target, t.patience, l}
		if err := t.publishes(ctx, pubs, pubs, pubs); err != nil {
			return fmt.Errorf("publishing as %s: %w", l, err)
		}
	}
	if _, err := publish.Publish(ctx, t.Target, pubs[:1], nil); err != nil {
		return fmt.Errorf("publishing without icons: %w", err)
	}
	packed := &target{t.Target, t.patience, publish.LayoutPack}
	if err := packed.publishes(ctx, pubs, pubs, pubs); err != nil {
		return fmt.Errorf("publishing a pack again, with icons: %w", err)
	}
	return nil
}
