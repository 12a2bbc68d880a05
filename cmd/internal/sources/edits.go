package sources

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/authoring/edit"
	"github.com/datachain-go/datachain/authoring/outline"
	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/cmd/internal/report"
	"github.com/datachain-go/datachain/internal/files"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Edits are changes of a source that are not written yet.
type Edits struct {
	// Files are the files that change.
	Files source.Edits
	// Issues are the errors that the source would have. Callers then write nothing.
	Issues issue.Issues
	// Release is the changed version, or nil if it would have errors.
	Release *taxonomy.Release

	source *Source
	before map[string]*files.Snapshot // the files as they are now
}

// Edit returns the edits that make changes of a version.
func (s *Source) Edit(v taxonomy.Version, changes *edit.Changes) (*Edits, error) {
	edits, err := edit.Apply(s.Root.FS(), v, changes)
	if err != nil {
		return nil, err
	}
	after, err := source.Preview(s.Root.FS(), v, edits, nil)
	if err != nil {
		return nil, err
	}
	return s.edits(&Edits{Files: edits, Issues: after.Issues.With(issue.SeverityError), Release: after.Release})
}

// Fix returns the edits that fix findings of versions, and how many findings they fix. It leaves out
// the fixes of a version that would have more errors than before.
func (s *Source) Fix(versions []*source.Compiled) (*Edits, int, error) {
	all, total := &Edits{Files: make(source.Edits)}, 0
	for _, c := range versions {
		if !slices.ContainsFunc(c.Issues, func(i issue.Issue) bool { return i.Fix != nil }) {
			continue
		}
		edits, fixed, err := s.fix(c)
		if err != nil {
			return nil, 0, err
		}
		after, err := source.Preview(s.Root.FS(), c.Version, edits, nil)
		if err != nil {
			return nil, 0, err
		}
		if len(after.Issues.With(issue.SeverityError)) <= len(c.Issues.With(issue.SeverityError)) {
			maps.Copy(all.Files, edits)
			total += fixed
		}
	}
	all, err := s.edits(all)
	return all, total, err
}

// fix returns the edits that fix the findings of a version.
func (s *Source) fix(c *source.Compiled) (source.Edits, int, error) {
	o, err := outline.New(s.Root.FS(), c.Version)
	if err != nil {
		return nil, 0, err
	}
	lists, fixed := o.Fixes(s.Root.FS(), c.Issues)
	edits := make(source.Edits, len(lists))
	for name, list := range lists {
		if edits[name], err = document.ApplyEdits(s.Text(name), list); err != nil {
			return nil, 0, fmt.Errorf("%s: %w", s.Shown(name), err)
		}
	}
	return edits, len(fixed), nil
}

// edits keeps the files as they are now, so that no other edit is overwritten.
func (s *Source) edits(e *Edits) (*Edits, error) {
	e.source, e.before = s, make(map[string]*files.Snapshot)
	for name := range e.Files {
		info, err := os.Stat(s.path(name))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue // a new file
		case err != nil:
			return nil, fmt.Errorf("%s: %s", s.Shown(name), wording.Reason(err))
		}
		e.before[name] = &files.Snapshot{Path: s.path(name), Text: s.Text(name), Info: info}
	}
	return e, nil
}

func (s *Source) path(name string) string {
	return filepath.Join(s.Root.Name(), filepath.FromSlash(name))
}

// names returns the files that change, in order.
func (e *Edits) names() []string { return slices.Sorted(maps.Keys(e.Files)) }

// Shown returns the files that change as the user would type them.
func (e *Edits) Shown() []string {
	list := []string{}
	for _, name := range e.names() {
		list = append(list, filepath.ToSlash(e.source.Shown(name)))
	}
	return list
}

// Diff returns the changes as a diff.
func (e *Edits) Diff(style report.Style) string {
	var b strings.Builder
	for _, name := range e.names() {
		var before []byte
		if old := e.before[name]; old != nil {
			before = old.Text
		}
		b.WriteString(report.Diff(e.source.Shown(name), before, e.Files[name], style))
	}
	return b.String()
}

// Write changes the files. A file that was edited meanwhile is not overwritten.
func (e *Edits) Write() error {
	for _, name := range e.names() {
		file := e.source.path(name)
		files.Sweep(filepath.Dir(file))
		var err error
		switch content := e.Files[name]; {
		case content == nil:
			err = os.Remove(file)
		case e.before[name] != nil:
			err = e.before[name].Replace(content, false)
		default:
			if err = os.MkdirAll(filepath.Dir(file), 0o777); err == nil {
				err = files.Rewrite(file, content)
			}
		}
		if err != nil {
			return fmt.Errorf("%s: %s", e.source.Shown(name), wording.Reason(err))
		}
	}
	return nil
}
