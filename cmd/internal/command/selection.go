package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/sources"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/cmd/internal/usage"
	"github.com/datachain-go/datachain/internal/files"
	"github.com/datachain-go/datachain/taxonomy"
)

// choose returns the versions that an argument stands for: a version of a location if it
// has an @, otherwise the newest version of each type in a directory or, without an
// argument, of the location. The samples have to be named.
func choose(cmd *cobra.Command, from *console.Versions, args []string) (*sources.Selection, error) {
	at := from.Location
	typed := strings.Join(args, "")
	version := ""
	if _, err := os.Stat(files.Absolute(from.Options().Dir, typed)); strings.Contains(typed, "@") {
		_, invalid := taxonomy.ParseRef(typed)
		if invalid == nil {
			version = typed
		} else if err != nil {
			return nil, invalid
		}
	}
	switch {
	case version != "":
	case typed != "" && strings.HasPrefix(at.By, "--"):
		return nil, usage.Error(cmd, "%s can't be used with the directory %s; name a version, such as ai@latest", at.By, typed)
	case typed != "" && sources.IsStore(files.Absolute(from.Options().Dir, typed)):
		at = stores.Location{Store: typed, By: "--store"}
	case typed != "", at.Samples && at.By == "":
		at = stores.Location{Schemas: dirArgument(args)}
	}
	if at.Schemas == "" {
		return chooseStored(cmd.Context(), from, version, at)
	}
	a, err := from.OpenSource(at)
	if err != nil {
		return nil, err
	}
	if typed == "" || version != "" {
		from.Announce(at)
	}
	chosen := &sources.Selection{Store: a, Source: a}
	if version != "" {
		v, err := a.Find(version)
		chosen.Versions = []taxonomy.Version{v}
		return chosen, err
	}
	versions, _, err := a.Versions()
	if err != nil {
		return nil, err
	}
	if chosen.Versions = sources.Newest(versions); len(versions) == 0 {
		return nil, fmt.Errorf("%s: %w", at.Schemas, sources.ErrNoSource)
	}
	return chosen, nil
}

// chooseStored returns a version of a store, or the newest of each type.
func chooseStored(ctx context.Context, from *console.Versions, version string, at stores.Location) (*sources.Selection, error) {
	set, err := from.OpenAt(ctx, at, nil)
	if err != nil {
		return nil, err
	}
	if version != "" {
		schema, err := set.Open(ctx, version)
		if err != nil {
			return nil, err
		}
		return &sources.Selection{Versions: []taxonomy.Version{schema.Release().Version()}, Store: set.Store}, nil
	}
	x, err := set.Versions(ctx)
	if err != nil {
		return nil, err
	}
	var all []taxonomy.Version
	for _, e := range x.Entries() {
		all = append(all, e.ID)
	}
	if len(all) == 0 {
		return nil, stores.ErrNone
	}
	return &sources.Selection{Versions: sources.Newest(all), Store: set.Store}, nil
}

// openBaseline opens what --against names: a version of own, a store, or if it is
// empty, the last version of own.
func openBaseline(ctx context.Context, from *console.Versions, typed string, own taxonomy.Store) (*sources.Baseline, error) {
	if ref, err := taxonomy.ParseRef(typed); err == nil || typed == "" {
		return &sources.Baseline{Store: own, Ref: ref}, nil
	}
	s, err := from.OpenStore(ctx, stores.Location{Store: typed, By: "--against"}, nil)
	if errors.Is(err, stores.ErrNoStore) {
		return nil, fmt.Errorf("--against %s: not a version id such as ai@latest, and %w", typed, stores.ErrNoStore)
	}
	if err != nil {
		return nil, err
	}
	return &sources.Baseline{Store: s.Store}, nil
}
