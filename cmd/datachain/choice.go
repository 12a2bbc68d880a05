package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/evolution/diff"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// choice is the versions that a command checks: those of a source that the user has
// chosen by a directory, or one by its id or alias.
type choice struct {
	versions []taxonomy.Version
	// editions are all versions of that source or store.
	editions editions
	// source is nil for a version of a store.
	source *authoring
}

// choose returns the versions that an argument stands for: a version of an origin if
// it has an @, otherwise the newest version of each type in a source.
func (p *program) choose(cmd *cobra.Command, typed string, from *origin) (*choice, error) {
	if _, err := taxonomy.ParseRef(typed); err == nil {
		return p.chooseVersion(cmd.Context(), typed, *from)
	}
	if _, err := os.Stat(p.path(typed)); err != nil && strings.Contains(typed, "@") {
		_, err := taxonomy.ParseRef(typed)
		return nil, err
	}
	if from.named() {
		return nil, badUsage(cmd, "--schemas, --store and --samples require a VERSION such as ai@latest; a schema source is an argument")
	}
	a, err := p.openAuthoring(typed)
	if err != nil {
		return nil, err
	}
	versions, _, err := a.versions()
	if err != nil {
		return nil, err
	}
	c := &choice{editions: sourceEditions{a}, source: a}
	for _, v := range versions { // by type, the newest first
		if n := len(c.versions); n == 0 || c.versions[n-1].Type() != v.Type() {
			c.versions = append(c.versions, v)
		}
	}
	if len(c.versions) == 0 {
		return nil, fmt.Errorf("%s: %w", typed, errNoSource)
	}
	return c, nil
}

func (p *program) chooseVersion(ctx context.Context, typed string, from origin) (*choice, error) {
	if settled := p.settle(from); settled.schemas != "" {
		a, err := p.openAuthoring(settled.schemas)
		if err != nil {
			return nil, err
		}
		versions, _, err := a.versions()
		if err != nil {
			return nil, err
		}
		v, err := a.find(versions, typed)
		if err != nil {
			return nil, err
		}
		return &choice{[]taxonomy.Version{v}, sourceEditions{a}, a}, nil
	}
	lib, err := p.openLibrary(ctx, from)
	if err != nil {
		return nil, err
	}
	schema, err := lib.Open(ctx, typed)
	if err != nil {
		return nil, err
	}
	return &choice{[]taxonomy.Version{schema.Release().Version()}, lib.store, nil}, nil
}

// sourceParts is what a source says about a version besides its release. It is empty
// for a version of a store.
type sourceParts struct {
	allowed []source.Allowance
	places  *source.Locator
}

// loadChosen compiles a version of a source.
func (a *authoring) loadChosen(ctx context.Context, v taxonomy.Version) (*chosenVersion, error) {
	c, err := await(ctx, func() (*source.Compiled, error) { return source.Compile(a.root.FS(), v, nil) })
	if err != nil {
		return nil, err
	}
	if c.Release == nil {
		return nil, a.uncompiled(c)
	}
	places, err := source.NewLocator(a.root.FS(), v, nil)
	return &chosenVersion{c.Release, sourceParts{c.Allowed, places}}, err
}

// position returns the place of a change in the source.
func (s *sourceParts) position(c *diff.Change) issue.Position {
	if c.Subject == diff.Element && c.Kind == diff.Removed && len(c.Path) == 0 {
		return s.find(diff.Manifest, "", issue.Root.Key("removed").Key(c.ID))
	}
	return s.find(c.Subject, c.ID, c.Path)
}

// find returns the place of a part of a release in the source.
func (s *sourceParts) find(subject diff.Subject, id string, path issue.Path) issue.Position {
	if s.places == nil {
		return issue.Position{}
	}
	switch subject {
	case diff.Category:
		return s.places.Find(source.KindCategory, id, path)
	case diff.Element:
		return s.places.Find(source.KindElement, id, path)
	case diff.Symbol:
		return s.places.Find(source.KindSymbol, id, path)
	case diff.DatachainType:
		return s.places.Find("", "", append(issue.Root.Key("datachain_type"), path...))
	}
	return s.places.Find("", "", path)
}

// shownSlash returns the path of a file of the source as the user would type it, with
// slashes on every system.
func (a *authoring) shownSlash(file string) string { return filepath.ToSlash(a.shown(file)) }
