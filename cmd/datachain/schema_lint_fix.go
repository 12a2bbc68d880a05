package main

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/internal/source"
	"github.com/datachain-go/datachain/internal/stores"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// lintFixed shows or makes the fixes of the findings of a source, and returns what is
// left to lint.
func (p *program) lintFixed(ctx context.Context, a *stores.Source, tree *source.Tree, write bool) (*source.Tree, error) {
	s := &sourceEdits{a: a, files: make(source.Edits)}
	fixed := 0
	for _, c := range tree.Versions {
		edits, issues, err := p.fixVersion(ctx, a, c)
		if err != nil {
			return nil, err
		}
		maps.Copy(s.files, edits)
		fixed += len(issues)
	}
	if fixed == 0 {
		return tree, nil
	}
	if err := s.snapshot(); err != nil {
		return nil, err
	}
	if err := p.printEdits(s); err != nil {
		return nil, err
	}
	summary := fmt.Sprintf("%s in %s can be fixed; use --write to change the files", prose.Count(fixed, "finding"), prose.Count(len(s.files), "file"))
	if write {
		if err := s.write(); err != nil {
			return nil, err
		}
		summary = fmt.Sprintf("Fixed %s in %s.", prose.Count(fixed, "finding"), prose.Count(len(s.files), "file"))
	}
	if _, err := fmt.Fprintf(p.stdout, "%s\n\n", summary); err != nil || !write {
		return tree, err
	}
	return p.compile(ctx, a, nil, nil)
}

// fixVersion returns the files of a version with the fixes of its findings, and the
// findings that they fix. It returns none if the result would have more errors.
func (p *program) fixVersion(ctx context.Context, a *stores.Source, c *source.Compiled) (source.Edits, issue.Issues, error) {
	if !slices.ContainsFunc(c.Issues, func(i issue.Issue) bool { return i.Fix != nil }) {
		return nil, nil, nil
	}
	type outcome struct {
		files source.Edits
		fixed issue.Issues
	}
	r, err := await(ctx, func() (outcome, error) {
		files, fixed, err := fixedFiles(a, c.Version, c.Issues)
		if err != nil {
			return outcome{}, err
		}
		after, err := source.Preview(a.Root.FS(), c.Version, files, nil)
		if err != nil || after.Issues.Count(issue.SeverityError) > c.Issues.Count(issue.SeverityError) {
			return outcome{}, err
		}
		return outcome{files, fixed}, nil
	})
	return r.files, r.fixed, err
}

// fixedFiles makes the fixes of findings in memory.
func fixedFiles(a *stores.Source, v taxonomy.Version, issues issue.Issues) (source.Edits, issue.Issues, error) {
	outline, err := source.NewOutline(a.Root.FS(), v, nil)
	if err != nil {
		return nil, nil, err
	}
	edits, fixed := outline.Fixes(a.Root.FS(), issues)
	files := make(source.Edits, len(edits))
	for name, list := range edits {
		if files[name], err = document.ApplyEdits(a.Text(name), list); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", a.Shown(name), err)
		}
	}
	return files, fixed, nil
}
