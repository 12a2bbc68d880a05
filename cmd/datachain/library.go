package main

import (
	"cmp"
	"context"
	"errors"
	"os"
	"strings"
	"sync"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/fsstore"
	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/examples/taxonomies"
	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// library is an origin opened for reading.
type library struct {
	*datachain.Service
	store taxonomy.Store
	// whole is false if versions of a source do not compile and are left out.
	whole bool
	// named reports whether the user has chosen the origin.
	named bool
	// elsewhere returns the flag that would find a version, or "" if none is known.
	elsewhere func(taxonomy.Ref) string
}

func newLibrary(s taxonomy.Store) *library {
	service, _ := datachain.New(s, &datachain.Options{MaxCPU: -1}) // valid options
	return &library{
		Service: service, store: s, whole: true, named: true,
		elsewhere: func(taxonomy.Ref) string { return "" },
	}
}

// openLibrary opens an origin. It says if the samples are used because nothing was
// named, and prints which versions are left out.
func (p *program) openLibrary(ctx context.Context, typed origin) (*library, error) {
	from := p.settle(typed)
	lib, err := p.open(ctx, from)
	if err != nil {
		return nil, err
	}
	if !typed.named() && from.samples {
		p.say("%s", p.samplesNotice())
	}
	lib.named, lib.elsewhere = typed.named(), p.elsewhere(from)
	return lib, nil
}

// samplesNotice says that the samples are used, and how to use something else.
func (p *program) samplesNotice() string {
	notice := "Using the built-in sample taxonomies; name yours with --schemas or --store."
	if isStore(p.dir) {
		notice = "Using the built-in sample taxonomies; use --store . for the published versions in this directory."
	}
	return notice
}

func (p *program) open(ctx context.Context, from origin) (*library, error) {
	switch {
	case from.store != "":
		s, err := p.openPublished(ctx, from.store)
		if err != nil {
			return nil, err
		}
		return newLibrary(s), nil
	case from.samples:
		return sampleLibrary()
	}
	a, err := p.openAuthoring(from.schemas)
	if err != nil {
		return nil, err
	}
	tree, err := p.compile(ctx, a, nil)
	if err != nil {
		return nil, err
	}
	s, err := memstore.New(tree.Publications()...)
	if err != nil {
		return nil, err
	}
	lib := newLibrary(s)
	for _, c := range tree.Versions {
		if c.Release == nil {
			lib.whole = false
			p.complain("%s is left out because it has %s; see 'datachain schema lint %s'", c.Version,
				prose.Count(c.Issues.Count(issue.SeverityError), "error"), a.shown(folder(c.Version)))
		}
	}
	return lib, nil
}

// sampleLibrary opens the built-in samples.
func sampleLibrary() (*library, error) {
	s, err := taxonomies.Store()
	if err != nil {
		return nil, err
	}
	return newLibrary(s), nil
}

// Open opens a version. The error for an unknown one names the flag that would find
// it.
func (l *library) Open(ctx context.Context, typed string) (*datachain.Schema, error) {
	schema, err := l.Service.Open(ctx, typed)
	e, ok := errors.AsType[*datachain.Error](err)
	if !ok || e.Kind != datachain.KindUnknown {
		return schema, err
	}
	hinted := *e
	hinted.Issue.FixHint = l.hint(e.Issue.FixHint, typed)
	return nil, &hinted
}

// hint adds the flag that would find a version to the hint of an error.
func (l *library) hint(hint, version string) string {
	flag := ""
	if ref, err := taxonomy.ParseRef(version); err == nil {
		flag = l.elsewhere(ref)
	}
	switch {
	case flag != "":
		return hint + ", or use " + flag + ", which has " + version
	case l.named:
		return hint
	}
	return hint + ", or use --schemas or --store to name the taxonomies that have it"
}

// elsewhere returns a function that looks for a version where the command did not: in
// the working directory, in the directories below it and in the samples. It is safe for
// concurrent use, and looks once for each version.
func (p *program) elsewhere(except origin) func(taxonomy.Ref) string {
	var mu sync.Mutex
	found := make(map[taxonomy.Ref]string)
	return func(ref taxonomy.Ref) string {
		mu.Lock()
		defer mu.Unlock()
		flag, known := found[ref]
		if !known {
			flag = p.look(ref, except)
			found[ref] = flag
		}
		return flag
	}
}

// maxLooked is how many directories are searched for a version.
const maxLooked = 200

// look returns the flag that would find a version, other than the one in use.
func (p *program) look(ref taxonomy.Ref, except origin) string {
	dirs := []string{"."}
	entries, _ := os.ReadDir(p.dir) // as far as it can be read
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") && len(dirs) < maxLooked {
			dirs = append(dirs, e.Name())
		}
	}
	for _, dir := range dirs {
		if in := cmp.Or(except.schemas, except.store); in != "" && p.path(in) == p.path(dir) {
			continue
		}
		if flag := p.holding(dir, ref); flag != "" {
			return flag
		}
	}
	if lib, err := sampleLibrary(); err == nil && !except.samples && lib.has(ref) {
		return "--samples"
	}
	return ""
}

// holding returns the flag that names a directory with a version, or "".
func (p *program) holding(dir string, ref taxonomy.Ref) string {
	if isStore(p.path(dir)) {
		if s, err := p.openStore(dir, fsstore.Options{}); err == nil && newLibrary(s).has(ref) {
			return "--store " + dir
		}
		return ""
	}
	a := p.sourceIn(dir)
	if a == nil || a.within != "" {
		return ""
	}
	versions, _, err := a.versions()
	if err != nil {
		return ""
	}
	v, err := a.find(versions, ref.String())
	if err != nil {
		return ""
	}
	if c, err := source.Compile(a.root.FS(), v, nil); err != nil || c.Release == nil {
		return ""
	}
	return "--schemas " + dir
}

// has reports whether a library lists a version.
func (l *library) has(ref taxonomy.Ref) bool {
	x, err := l.Versions(context.Background())
	if err != nil {
		return false
	}
	_, ok := x.Lookup(ref)
	return ok
}
