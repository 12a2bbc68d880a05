package sources

import (
	"bytes"
	"errors"
	"fmt"
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

// Edit returns the edits that make changes of a version, which were planned on the source since
// [Source.Freeze].
func (s *Source) Edit(v taxonomy.Version, changes *edit.Changes) (*Edits, error) {
	s.Freeze()
	edits, err := edit.Apply(s.fsys(), v, changes)
	if err != nil {
		return nil, err
	}
	after, err := source.Preview(s.fsys(), v, edits, nil)
	if err != nil {
		return nil, err
	}
	return s.edits(&Edits{Files: edits, Issues: after.Issues.With(issue.SeverityError), Release: after.Release}), nil
}

// Fix returns the edits that fix findings of versions, and how many findings they fix. It leaves out
// the fixes of a version that would have more errors than before.
func (s *Source) Fix(versions []*source.Compiled) (*Edits, int, error) {
	s.Freeze()
	all, total := &Edits{Files: make(source.Edits)}, 0
	for _, c := range versions {
		if !slices.ContainsFunc(c.Issues, func(i issue.Issue) bool { return i.Fix != nil }) {
			continue
		}
		edits, fixed, err := s.fix(c)
		if err != nil {
			return nil, 0, err
		}
		after, err := source.Preview(s.fsys(), c.Version, edits, nil)
		if err != nil {
			return nil, 0, err
		}
		if len(after.Issues.With(issue.SeverityError)) <= len(c.Issues.With(issue.SeverityError)) {
			maps.Copy(all.Files, edits)
			total += fixed
		}
	}
	return s.edits(all), total, nil
}

// fix returns the edits that fix the findings of a version.
func (s *Source) fix(c *source.Compiled) (source.Edits, int, error) {
	o, err := outline.New(s.fsys(), c.Version)
	if err != nil {
		return nil, 0, err
	}
	lists, fixed := o.Fixes(s.fsys(), c.Issues)
	edits := make(source.Edits, len(lists))
	for name, list := range lists {
		if edits[name], err = document.ApplyEdits(s.Text(name), list); err != nil {
			return nil, 0, fmt.Errorf("%s: %w", s.Shown(name), err)
		}
	}
	return edits, len(fixed), nil
}

// edits adds the files as they were read. What was not read is a new file.
func (s *Source) edits(e *Edits) *Edits {
	e.source, e.before = s, make(map[string]*files.Snapshot)
	for name := range e.Files {
		if before := s.frozen.snapshot(name); before != nil {
			e.before[name] = &files.Snapshot{Path: s.path(name), Text: before.Text, Info: before.Info}
		}
	}
	return e
}

func (s *Source) path(name string) string {
	if s.samples != nil {
		return name
	}
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

// Write changes the files: all of them, or none if one was edited since it was read, exists already
// or can't be written. Files that were replaced before such an error are put back.
func (e *Edits) Write() error {
	e.source.compiled = make(map[taxonomy.Version]*source.Compiled)
	defer e.source.frozen.thaw()
	for name, before := range e.before {
		if err := before.Check(); err != nil {
			return e.failed(name, err)
		}
	}
	names := e.names() // removed files come last, since most errors come before
	slices.SortStableFunc(names, func(a, b string) int { return strings.Compare(e.order(a), e.order(b)) })
	for i, name := range names {
		err := e.write(name)
		if err == nil {
			continue
		}
		err = e.failed(name, err)
		for _, written := range slices.Backward(names[:i]) {
			if back := e.undo(written); back != nil {
				err = errors.Join(err, fmt.Errorf("%s was changed, and could not be put back: %s", e.source.Shown(written), wording.Reason(back)))
			}
		}
		return err
	}
	return nil
}

func (e *Edits) order(name string) string {
	if e.Files[name] == nil {
		return "removed"
	}
	return ""
}

func (e *Edits) failed(name string, err error) error {
	return fmt.Errorf("%s: %s", e.source.Shown(name), wording.Reason(err))
}

// write changes a file.
func (e *Edits) write(name string) error {
	file, content, before := e.source.path(name), e.Files[name], e.before[name]
	files.Sweep(filepath.Dir(file))
	switch {
	case before == nil:
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return err
		}
		return files.Create(file, content)
	case content == nil:
		return before.Remove()
	default:
		return before.Replace(content, false)
	}
}

// undo makes a file what it was before [Edits.write].
func (e *Edits) undo(name string) error {
	if before := e.before[name]; before != nil {
		return before.Restore(e.Files[name])
	}
	created, err := files.Read(e.source.path(name))
	if err != nil || !bytes.Equal(created.Text, e.Files[name]) {
		return errors.Join(err, files.ErrChanged)
	}
	return created.Remove()
}
