package main

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/taxonomy"
)

var errNoVersions = errors.New("the source or store has no versions")

// release opens the version that was typed or, if none was, the latest version of
// the only datachain type.
func (l *library) release(cmd *cobra.Command, typed string) (*taxonomy.Release, error) {
	if typed == "" {
		latest, err := l.latest(cmd.Context())
		if err != nil {
			return nil, err
		}
		if len(latest) > 1 {
			return nil, badUsage(cmd, "missing VERSION: choose one, such as %s", strings.Join(latest, ", "))
		}
		typed = latest[0]
	}
	schema, err := l.Open(cmd.Context(), typed)
	if err != nil {
		return nil, err
	}
	return schema.Release(), nil
}

// releases opens the versions that were typed, each once. If none was, standard
// names them.
func (l *library) releases(ctx context.Context, typed []string, standard func(context.Context) ([]string, error)) ([]*taxonomy.Release, error) {
	if len(typed) == 0 {
		var err error
		if typed, err = standard(ctx); err != nil {
			return nil, err
		}
	}
	var list []*taxonomy.Release
	for _, t := range typed {
		schema, err := l.Open(ctx, t)
		if err != nil {
			return nil, err
		}
		if r := schema.Release(); !slices.Contains(list, r) {
			list = append(list, r)
		}
	}
	return list, nil
}

// latest returns the alias of the latest version of each datachain type.
func (l *library) latest(ctx context.Context) ([]string, error) {
	x, err := l.Versions(ctx)
	if err != nil {
		return nil, err
	}
	if x.Len() == 0 {
		return nil, errNoVersions
	}
	return latestOf(x), nil
}

func latestOf(x *taxonomy.Index) []string {
	var latest []string
	for _, e := range x.Entries() {
		latest = append(latest, e.ID.Type()+"@"+taxonomy.AliasLatest)
	}
	return slices.Compact(latest) // entries are sorted by type
}

// unlisted is the error for a version that a source does not have. It names some
// that it has.
func unlisted(x *taxonomy.Index, ref taxonomy.Ref) error {
	near := x.Nearest(ref, 3)
	if len(near) == 0 {
		near = latestOf(x)
	}
	text := "There is no schema version " + ref.String() + "."
	if len(near) > 0 {
		text += "\nHint: use " + strings.Join(near[:min(3, len(near))], " or ")
	}
	return errors.New(text)
}

func known(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return " (known: " + strings.Join(names, ", ") + ")"
}
