package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/cmd/datachain/internal/flags"
	"github.com/datachain-go/datachain/cmd/datachain/internal/location"
	"github.com/datachain-go/datachain/cmd/datachain/internal/sources"
	"github.com/datachain-go/datachain/internal/files"
	"github.com/datachain-go/datachain/internal/limited"
	"github.com/datachain-go/datachain/internal/wording"
)

// input is a document that the user named: a file, or standard input.
type input struct {
	// name is the name to print.
	name string
	// path is the file, or "" for standard input.
	path string
	// dir is the directory that was named, or "" if the file itself was.
	dir string
}

// replaceFlags say which files a command may change.
type replaceFlags struct {
	force       bool // read-only ones
	followLinks bool // those outside a directory that links in it lead to
}

func (o *replaceFlags) add(cmd *cobra.Command) {
	flags.Add(cmd,
		flags.New("force", "with --write, also change read-only files", flags.Switch(&o.force)),
		flags.New("follow-links", "with --write, also change files outside DIR that links in it lead to", flags.Switch(&o.followLinks)),
	)
	flags.Needs(cmd, "force", "write")
	flags.Needs(cmd, "follow-links", "write")
}

// replace replaces a document that was read. The error says what to do.
func (d input) replace(read *files.Snapshot, text []byte, o replaceFlags) error {
	if d.dir != "" && !o.followLinks {
		dir, dirErr := filepath.EvalSymlinks(d.dir)
		file, fileErr := filepath.EvalSymlinks(d.path)
		if within, err := filepath.Rel(dir, file); dirErr != nil || fileErr != nil || err != nil || !filepath.IsLocal(within) {
			return errors.New("not written, because it is a link to a file outside the directory: name the file, or use --follow-links")
		}
	}
	if err := read.Replace(text, o.force); err != nil {
		return unwritten(err)
	}
	return nil
}

// input returns the document that was typed; "-" is standard input.
func (p *program) input(typed string) input {
	if typed == "-" {
		return input{name: "stdin"}
	}
	return input{name: typed, path: p.path(typed)}
}

// projectDocuments returns the documents that the project file names, as the user would
// type them, and says so.
func (p *program) projectDocuments() ([]string, error) {
	project, err := p.project()
	if err != nil || project == nil {
		return nil, err
	}
	var list []string
	for _, file := range project.Documents {
		list = append(list, location.Relative(p.dir, file))
	}
	if len(list) > 0 {
		p.say("Using the documents in %s (%s).", wording.And(list), location.Relative(p.dir, project.File))
	}
	return list, nil
}

// documents lists the documents that were typed, or those of the project: directories
// stand for every .json file below them. Each is listed once.
func (p *program) documents(cmd *cobra.Command, typed []string) ([]input, error) {
	if len(typed) == 0 {
		var err error
		if typed, err = p.projectDocuments(); err != nil {
			return nil, err
		}
		if len(typed) == 0 {
			return nil, badUsage(cmd, "missing FILE, DIR or -")
		}
	}
	var list []input
	seen := make(map[string]bool)
	add := func(d input) {
		if !seen[d.path] {
			seen[d.path] = true
			list = append(list, d)
		}
	}
	for _, t := range typed {

		d := p.input(t)
		if info, err := os.Stat(d.path); err != nil || !info.IsDir() {
			add(d) // reading it returns the error
			continue
		}
		below := jsonFiles(d.path)
		switch {
		case len(below) == 0 && sources.RootOf(p.dir, t) != "":
			return nil, fmt.Errorf("%s: contains no .json files: it is a schema source, which 'datachain schema lint' checks", t)
		case len(below) == 0:
			return nil, fmt.Errorf("%s: contains no .json files", t)
		}
		for _, file := range below {
			add(input{name: p.shown(file, t), path: file, dir: d.path})
		}
	}
	return list, nil
}

// jsonFiles lists the .json files below a directory in order. Hidden ones and
// node_modules are skipped. A directory that can't be listed is listed itself, and
// so is a link that leads nowhere: reading it returns the error.
func jsonFiles(dir string) []string {
	var files []string
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			files = append(files, path)
			return nil //nolint:nilerr // reading the directory returns it
		}
		switch name := d.Name(); {
		case path == dir:
		case d.IsDir() && (strings.HasPrefix(name, ".") || name == "node_modules"):
			return fs.SkipDir
		case strings.HasPrefix(name, ".") || !strings.EqualFold(filepath.Ext(name), ".json"):
		case !d.IsDir() && !isLinkedDir(path, d):
			files = append(files, path)
		}
		return nil
	})
	return files
}

// isFile reports whether a path leads to a regular file.
func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// isLinkedDir reports whether an entry is a link to a directory.
func isLinkedDir(path string, d fs.DirEntry) bool {
	if d.Type()&fs.ModeSymlink == 0 {
		return false
	}
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// maxDocument is the size limit of a document. Real ones have a few thousand
// bytes, and a resolved one at most half a million.
const maxDocument = 16 << 20

var errDocumentTooLarge = fmt.Errorf("too large for a datachain document: more than %d MiB", maxDocument>>20)

// read reads a document. The snapshot of standard input has no file.
func (p *program) read(d input) (*files.Snapshot, error) {
	s := &files.Snapshot{Path: d.path}
	in := p.stdin
	if d.dir != "" { // no file was chosen
		if err := checkListed(d.path); err != nil {
			return nil, err
		}
	}
	if d.path != "" {
		f, err := os.Open(d.path)
		if err != nil {
			return nil, errors.New(wording.Reason(err))
		}
		defer func() { _ = f.Close() }() // only read
		if s.Info, err = f.Stat(); err != nil {
			return nil, errors.New(wording.Reason(err))
		}
		if s.Info.IsDir() {
			return nil, errors.New("is a directory: name a file")
		}
		in = f
	}
	var err error
	s.Text, err = limited.Read(in, maxDocument, 0)
	switch {
	case errors.Is(err, limited.ErrTooLarge):
		return nil, errDocumentTooLarge
	case err != nil:
		return nil, errors.New(wording.Reason(err))
	}
	return s, nil
}

// checkListed returns an error if a file of a directory is a link to nothing, or can't be
// read to its end, such as a pipe. A file that was typed may be one, such as that of a
// process substitution.
func checkListed(path string) error {
	switch info, err := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist):
		return errors.New("a link to a file that does not exist")
	case err == nil && !info.IsDir() && !info.Mode().IsRegular():
		return errors.New("not a regular file")
	}
	return nil
}

// readOne reads the file that was typed.
func (p *program) readOne(ctx context.Context, typed string) (input, []byte, error) {
	d := p.input(typed)
	text, err := p.readText(ctx, d)
	return d, text, err
}

// readText reads a file. Standard input may never end.
func (p *program) readText(ctx context.Context, d input) ([]byte, error) {
	s, err := await(ctx, func() (*files.Snapshot, error) { return p.read(d) })
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.name, err)
	}
	return s.Text, nil
}
