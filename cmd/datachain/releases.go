package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/taxonomy"
)

// openRelease opens the version that was typed or, where none was, the one that
// is meant: the latest of the only datachain type.
func openRelease(cmd *cobra.Command, s taxonomy.Store, typed string) (*taxonomy.Release, error) {
	if typed == "" {
		x, err := s.Index(cmd.Context())
		if err != nil {
			return nil, err
		}
		switch latest := latestOf(x); len(latest) {
		case 0:
			return nil, errNoVersions
		case 1:
			typed = latest[0]
		default:
			return nil, badUsage(cmd, "VERSION is missing: there are %s", strings.Join(latest, ", "))
		}
	}
	return openTyped(cmd.Context(), s, typed)
}

var errNoVersions = errors.New("there are no versions: the source or store is empty")

// openTyped opens the version that was typed.
func openTyped(ctx context.Context, s taxonomy.Store, typed string) (*taxonomy.Release, error) {
	ref, err := taxonomy.ParseRef(typed)
	if err != nil {
		return nil, err
	}
	x, err := s.Index(ctx)
	if err != nil {
		return nil, err
	}
	e, ok := x.Lookup(ref)
	if !ok {
		return nil, unlisted(x, ref)
	}
	return s.Release(ctx, e.ID)
}

// openEach opens the versions that were typed. Several names may lead to one
// version, which is opened once.
func openEach(ctx context.Context, s taxonomy.Store, typed []string) ([]*taxonomy.Release, error) {
	var releases []*taxonomy.Release
	for _, t := range typed {
		r, err := openTyped(ctx, s, t)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(releases, func(o *taxonomy.Release) bool { return o.Version() == r.Version() }) {
			releases = append(releases, r)
		}
	}
	return releases, nil
}

// unlisted is the error for a version that an index does not have. It names some
// that it has.
func unlisted(x *taxonomy.Index, ref taxonomy.Ref) error {
	near := x.Nearest(ref, 3)
	if len(near) == 0 {
		near = latestOf(x)
	}
	return fmt.Errorf("schema version %s: %w%s", ref, taxonomy.ErrNotFound, known(near[:min(3, len(near))]))
}

func known(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return " (known: " + strings.Join(names, ", ") + ")"
}

// latestOf returns the alias of the latest version of each datachain type.
func latestOf(x *taxonomy.Index) []string {
	var latest []string
	for _, e := range x.Entries() {
		latest = append(latest, e.ID.Type()+"@"+taxonomy.AliasLatest)
	}
	return slices.Compact(latest) // entries come by type
}
