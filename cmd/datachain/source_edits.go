package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/authoring/edit"
	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/authoring/write"
	"github.com/datachain-go/datachain/cmd/datachain/internal/flags"
	"github.com/datachain-go/datachain/cmd/datachain/internal/location"
	"github.com/datachain-go/datachain/cmd/datachain/internal/report"
	"github.com/datachain-go/datachain/cmd/datachain/internal/sources"
	"github.com/datachain-go/datachain/internal/files"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// editOptions are the flags of commands that take changes of a source from a file.
type editOptions struct {
	into, version string
	write         bool
	format        *string
}

// editFlags adds the flags to a command.
func (p *program) editFlags(cmd *cobra.Command) *editOptions {
	o := &editOptions{format: formatFlag(cmd, formatText, formatJSON)}
	flags.Add(cmd,
		flags.New("into", "schema source directory", flags.Dir(&o.into)),
		flags.New(versionFlagName, "version to change", flags.Version(&o.version).
			Completed(p.completeSource(func([]string) (location.Location, error) { return location.Location{Schemas: o.into}, nil }))),
		flags.New("write", "change the files, instead of showing the changes", flags.Switch(&o.write)),
	)
	flags.Require(cmd, "into")
	return o
}

// openEdited opens the source and the version that are to be changed, which must be valid.
func (p *program) openEdited(ctx context.Context, o *editOptions) (*sources.Source, taxonomy.Version, *write.Authored, error) {
	a, err := p.openSource(o.into)
	if err != nil {
		return nil, taxonomy.Version{}, nil, err
	}
	v, err := oneVersion(a, o.version)
	if err != nil {
		return nil, taxonomy.Version{}, nil, err
	}
	r, err := readRelease(ctx, a, v)
	if err != nil {
		return nil, v, nil, err
	}
	return a, v, write.FromRelease(r), nil
}

// oneVersion returns the version that was typed, or the only one.
func oneVersion(a *sources.Source, typed string) (taxonomy.Version, error) {
	versions, _, err := a.Versions()
	switch {
	case err != nil:
		return taxonomy.Version{}, err
	case typed != "":
		return a.Find(typed)
	case len(versions) == 1:
		return versions[0], nil
	}
	return taxonomy.Version{}, fmt.Errorf("%s: has %s: name the directory of one, or use --%s", a.Name(), wording.Count(len(versions), "version"), versionFlagName)
}

// sourceEdits are changes of a schema source that are shown before they are made.
type sourceEdits struct {
	a     *sources.Source
	files source.Edits
	// before are the files that are changed, as they are now.
	before map[string]*files.Snapshot
	// issues are the errors that the source would have. Then nothing is written.
	issues issue.Issues
}

// planEdits makes changes in memory. The check looks at the result if it is valid.
func (p *program) planEdits(ctx context.Context, a *sources.Source, v taxonomy.Version, changes *edit.Changes, check func(after *write.Authored) error) (*sourceEdits, error) {
	s := &sourceEdits{a: a}
	var err error
	if s.files, err = edit.Apply(a.Root.FS(), v, changes); err != nil {
		return nil, err
	}
	if err := s.snapshot(); err != nil {
		return nil, err
	}
	after, err := await(ctx, func() (*source.Compiled, error) { return source.Preview(a.Root.FS(), v, s.files, nil) })
	if err != nil {
		return nil, err
	}
	if s.issues = after.Issues.With(issue.SeverityError); len(s.issues) > 0 {
		return s, nil
	}
	return s, check(write.FromRelease(after.Release))
}

// names returns the files that change, in order.
func (s *sourceEdits) names() []string { return slices.Sorted(maps.Keys(s.files)) }

// shown returns the same as the user would type them.
func (s *sourceEdits) shown() []string {
	list := []string{}
	for _, name := range s.names() {
		list = append(list, filepath.ToSlash(s.a.Shown(name)))
	}
	return list
}

func (s *sourceEdits) path(name string) string {
	return filepath.Join(s.a.Root.Name(), filepath.FromSlash(name))
}

// snapshot remembers the files that are changed.
func (s *sourceEdits) snapshot() error {
	s.before = make(map[string]*files.Snapshot)
	for name := range s.files {
		info, err := os.Stat(s.path(name))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue // a new file
		case err != nil:
			return fmt.Errorf("%s: %s", s.a.Shown(name), wording.Reason(err))
		}
		s.before[name] = &files.Snapshot{Path: s.path(name), Text: s.a.Text(name), Info: info}
	}
	return nil
}

// write changes the files. A file that was edited meanwhile is not overwritten.
func (s *sourceEdits) write() error {
	for _, name := range s.names() {
		path := s.path(name)
		files.Sweep(filepath.Dir(path))
		var err error
		switch content := s.files[name]; {
		case content == nil:
			err = os.Remove(path)
		case s.before[name] != nil:
			err = s.before[name].Replace(content, false)
		default:
			if err = os.MkdirAll(filepath.Dir(path), 0o777); err == nil {
				err = files.Rewrite(path, content)
			}
		}
		if err != nil {
			return fmt.Errorf("%s: %s", s.a.Shown(name), wording.Reason(err))
		}
	}
	return nil
}

// apply makes the changes with --write if they cause no errors, and reports whether it did.
func (s *sourceEdits) apply(o *editOptions) (written bool, err error) {
	if !o.write || len(s.issues) > 0 {
		return false, nil
	}
	return len(s.files) > 0, s.write()
}

// printEdits prints changes as a diff, and the errors that they would cause.
func (p *program) printEdits(s *sourceEdits) error {
	for _, name := range s.names() {
		var before []byte
		if old := s.before[name]; old != nil {
			before = old.Text
		}
		if err := p.printf("%s", report.Diff(s.a.Shown(name), before, s.files[name], p.outStyle())); err != nil {
			return err
		}
	}
	for _, i := range s.issues {
		p.complain("%s", i)
	}
	return nil
}

// sumUp prints changes that were not made, and the last line of a command that changes a source.
func (p *program) sumUp(s *sourceEdits, ok, written bool, summary string) error {
	if s != nil && !written {
		if err := p.printEdits(s); err != nil {
			return err
		}
	}
	switch {
	case !ok:
		p.complain("nothing was changed")
		return nil
	case len(s.files) == 0:
		summary = "nothing to change"
	case !written:
		summary += "; use --write to change the files"
	}
	return p.printf("%s\n", summary)
}

// vacant returns an error if a directory exists and is not empty. The error ends
// with what can be done besides naming another one.
func vacant(dir, instead string) error {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return errors.New(wording.Reason(err))
	case len(entries) > 0:
		return errors.New("the directory is not empty: name another one" + instead)
	}
	return nil
}

// fill fills a vacant directory. If that fails, what was written is removed. A
// directory that exists is not replaced: it may be a mounted volume or a working
// directory.
func fill(dir string, write func(dir string) error) error {
	dir = files.ResolveLinks(dir)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return errors.New(wording.Reason(err))
	}
	err := write(dir)
	if err == nil {
		return nil
	}
	entries, listErr := os.ReadDir(dir)
	err = errors.Join(err, listErr)
	for _, e := range entries {
		err = errors.Join(err, os.RemoveAll(filepath.Join(dir, e.Name())))
	}
	return err
}

// addition is a schema version to add to a source.
type addition struct {
	id    taxonomy.Version
	files map[string][]byte
}

// install writes the files of a new version into a source, completely or not at
// all; see [replaceVersions].
func install(ctx context.Context, root *os.Root, v taxonomy.Version, files map[string][]byte, check func(fs.FS) error) error {
	if err := absent(root, v); err != nil {
		return err
	}
	return replaceVersions(ctx, root, []addition{{v, files}}, func(written fs.FS) error {
		if check != nil {
			if err := check(written); err != nil {
				return err
			}
		}
		return absent(root, v)
	})
}

// replaceVersions writes versions into a source: into a hidden directory that check
// looks at, whose parts are renamed in the end. A version that is there already is
// replaced. If a version can't be put in place, those before it are there, complete.
func replaceVersions(ctx context.Context, root *os.Root, added []addition, check func(fs.FS) error) (err error) {
	files.Sweep(root.Name())
	temp, remove, err := files.TempDir(root)
	if err != nil {
		return fmt.Errorf("can't write into %s: %s", root.Name(), wording.Reason(err))
	}
	defer func() { err = errors.Join(err, remove()) }()
	const fresh, old = "new", "old"
	for _, a := range added {
		for name, data := range a.files {
			name = filepath.FromSlash(path.Join(temp, fresh, source.Directory(a.id), name))
			if err := root.MkdirAll(filepath.Dir(name), 0o777); err != nil {
				return err
			}
			if err := root.WriteFile(name, data, 0o666); err != nil {
				return err
			}
		}
	}
	written, err := fs.Sub(root.FS(), path.Join(temp, fresh))
	if err != nil {
		return err
	}
	if err := errors.Join(check(written), ctx.Err()); err != nil {
		return err
	}
	for _, a := range added {
		to := filepath.FromSlash(source.Directory(a.id))
		aside := filepath.Join(temp, old, to)
		if err := errors.Join(root.MkdirAll(a.id.Type(), 0o777), root.MkdirAll(filepath.Dir(aside), 0o777)); err != nil {
			return err
		}
		if err := root.Rename(to, aside); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err := root.Rename(filepath.Join(temp, fresh, to), to); err != nil {
			if back := root.Rename(aside, to); !errors.Is(back, fs.ErrNotExist) {
				err = errors.Join(err, back)
			}
			return err
		}
	}
	return nil
}

// absent returns an error if a version exists.
func absent(root *os.Root, v taxonomy.Version) error {
	switch _, err := root.Lstat(filepath.FromSlash(source.Directory(v))); {
	case err == nil:
		return fmt.Errorf("%s already exists: choose another --date", v)
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	return nil
}
