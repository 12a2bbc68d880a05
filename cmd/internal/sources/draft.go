package sources

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/authoring/write"
	"github.com/datachain-go/datachain/internal/files"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// Create makes a directory for a new source. Paths are relative to the working directory dir.
func Create(dir, name string) (*Source, error) {
	at := files.Absolute(dir, name)
	err := os.MkdirAll(at, 0o777)
	if err == nil {
		var root *os.Root
		if root, err = os.OpenRoot(at); err == nil {
			return New(root, dir, name), nil
		}
	}
	return nil, fmt.Errorf("--schemas %s: %s", name, wording.Reason(err))
}

// Draft writes a new version: a copy of the version of the type that was typed, or else of its newest
// one. A new type gets a small taxonomy to start from, and base is zero. It returns the files.
func (s *Source) Draft(ctx context.Context, v taxonomy.Version, typed string) (base taxonomy.Version, written []string, err error) {
	if base, err = s.base(v, typed); err != nil {
		return base, nil, err
	}
	files := write.Starter(v)
	if !base.IsZero() {
		if files, err = write.Draft(s.Root.FS(), base); err != nil {
			return base, nil, err
		}
	}
	err = s.Install(ctx, Addition{ID: v, Files: files}, func(fs.FS) error { return nil })
	return base, slices.Sorted(maps.Keys(files)), err
}

// Fork writes the first version of a datachain type, which is a copy of a release of another type. It
// returns the files.
func (s *Source) Fork(ctx context.Context, v taxonomy.Version, from *taxonomy.Release) ([]string, error) {
	switch own, err := s.base(v, ""); {
	case err != nil:
		return nil, err
	case !own.IsZero():
		return nil, fmt.Errorf("--from %s: %s has versions already, such as %s, which the copy would not continue: omit --from, or choose another type", from.Version(), v.Type(), own)
	}
	files := write.Fork(from, v.Type()).Files()
	compiles := func(written fs.FS) error {
		c, err := source.Compile(written, v, nil)
		if err == nil && c.Release == nil {
			err = fmt.Errorf("%s does not compile: %v", v, c.Issues.With(issue.SeverityError)[0])
		}
		return err
	}
	return slices.Sorted(maps.Keys(files)), s.Install(ctx, Addition{ID: v, Files: files}, compiles)
}

// base returns the version to copy: the one that was typed, else the newest of the type, or none
// for a new type.
func (s *Source) base(v taxonomy.Version, typed string) (taxonomy.Version, error) {
	versions, _, err := source.Versions(s.Root.FS())
	if err != nil {
		return taxonomy.Version{}, err
	}
	if typed != "" {
		base, err := s.Find(typed)
		if err == nil && base.Type() != v.Type() {
			err = fmt.Errorf("--from %s: is of another datachain type than %s", typed, v.Type())
		}
		return base, err
	}
	for _, w := range versions { // the newest of a type comes first
		switch {
		case w.Type() == v.Type():
			return w, nil
		case strings.EqualFold(w.Type(), v.Type()):
			return taxonomy.Version{}, fmt.Errorf("the type %s is there already: %s differs from it only in case", w.Type(), v.Type())
		}
	}
	return taxonomy.Version{}, nil
}

// Stable returns the version that a beta version becomes, on its date or another one.
func Stable(v taxonomy.Version, date string) (taxonomy.Version, error) {
	if v.Status() != taxonomy.Beta {
		return taxonomy.Version{}, fmt.Errorf("%s is already stable", v)
	}
	return taxonomy.NewVersion(v.Type(), cmp.Or(date, v.Date()), taxonomy.Stable)
}

// Promote copies a beta version, which was compiled, to a stable one with the same content.
func (s *Source) Promote(ctx context.Context, beta *source.Compiled, stable taxonomy.Version) error {
	files, err := write.Promotion(s.Root.FS(), beta.Version)
	if err != nil {
		return err
	}
	same := func(written fs.FS) error {
		again, err := source.Compile(written, stable, nil)
		switch {
		case err != nil:
			return err
		case again.Release == nil:
			return fmt.Errorf("%s does not compile: %v", stable, again.Issues[0])
		case again.Release.ContentHash() != beta.Release.ContentHash():
			return fmt.Errorf("%s: %w: it differs from %s", stable, taxonomy.ErrHashMismatch, beta.Version)
		}
		return nil
	}
	return s.Install(ctx, Addition{ID: stable, Files: files}, same)
}

// Promoted returns the publication of a stable version with the content of a beta version of a store.
// Its release date is that of the beta version, but not before the date in its id.
func Promoted(x *taxonomy.Index, beta *taxonomy.Release, date string) (listing.Publication, error) {
	stable, err := Stable(beta.Version(), date)
	if err != nil {
		return listing.Publication{}, err
	}
	if _, listed := x.Lookup(stable.Ref()); listed {
		return listing.Publication{}, fmt.Errorf("%s already exists: choose another --date", stable)
	}
	p := listing.Publication{}
	if was, _ := x.Lookup(beta.Version().Ref()); was.Released != "" {
		p.Released = max(was.Released, stable.Date())
	}
	p.Release, err = beta.WithVersion(stable)
	return p, err
}
