// Package folder lists and reads the files of a schema version, within limits, and collects what
// is wrong with them. What lints, compiles, edits and outlines source begins here.
//
// A [Folder] has the [Entry] of each file. [Folder.Read] reads some of them on all CPUs, each as a
// [File] with its nodes and its [Findings].
package folder

import (
	"io/fs"
	"path"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/datachain-go/datachain/authoring/internal/yaml"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/limit"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Folder is the directory of a schema version. It lists the files that it has, and reads them
// within limits. What is wrong with them is in its findings.
type Folder struct {
	Findings
	Version taxonomy.Version
	// Dir is the directory, slash-separated from the root of the source.
	Dir string
	// Files are the files of the version by kind, sorted by name.
	Files map[Kind][]Entry
	// Incomplete has the kinds of which something could not be read, which has been
	// reported. References to such things are not errors as well.
	Incomplete map[Kind]bool

	fsys    fs.FS
	options Options
	hints   Hints
	size    atomic.Int64 // of the files that have been read
}

// Options configure a [Folder]. Zero means the default of a limit, and a negative value no limit.
type Options struct {
	// MaxFileSize is the maximum size in bytes of a YAML or JSON file, and MaxTotalSize
	// that of all files together. Symbols have a limit of their own.
	MaxFileSize, MaxTotalSize int64
	// Edits are new contents of files that are not written yet; nil removes a file.
	Edits map[string][]byte
}

// DefaultMaxFileSize is the default of [Options.MaxFileSize]: room for about 2,000
// elements in three languages. The worst text of this size makes the YAML parser
// allocate about 560 MB.
const DefaultMaxFileSize = 2 << 20

// DefaultMaxTotalSize is the default of [Options.MaxTotalSize].
const DefaultMaxTotalSize = 1 << 30

// Unlimited is larger than files can be, and small enough for sums and products.
const Unlimited = 1 << 50

// New returns the folder of a version. It does not list the files yet.
func New(fsys fs.FS, v taxonomy.Version, o Options) *Folder {
	o.MaxFileSize = limit.Of(o.MaxFileSize, DefaultMaxFileSize, Unlimited)
	o.MaxTotalSize = limit.Of(o.MaxTotalSize, DefaultMaxTotalSize, Unlimited)
	return &Folder{
		Version: v, Dir: path.Join(v.Type(), v.Folder()), Files: make(map[Kind][]Entry), Incomplete: make(map[Kind]bool),
		fsys: fsys, options: o, hints: Hints{SharedHints},
	}
}

// Read calls read with each of some files and its index, on all CPUs. Then it adds what was found
// in them to the findings of the folder, in the order of the files.
func (f *Folder) Read(entries []Entry, read func(i int, file *File)) {
	files := make([]File, len(entries))
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(entries)) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(entries); i = int(next.Add(1)) - 1 {
				files[i] = File{Entry: entries[i], folder: f}
				read(i, &files[i])
			}
		})
	}
	wg.Wait()
	for i := range files {
		files[i].folder = nil // a file that is kept for later does not keep all this
		f.Merge(files[i].Findings)
		k := entries[i].Kind
		f.Incomplete[k] = f.Incomplete[k] || files[i].Incomplete
	}
}

// TooLarge reports whether the files exceed the limit on their total size.
func (f *Folder) TooLarge() bool { return f.size.Load() > f.options.MaxTotalSize }

// ReportTooLarge adds the finding for [Folder.TooLarge].
func (f *Folder) ReportTooLarge() {
	f.Errorf(codes.SourceTooLarge, WholeFile(f.Dir), "shorten the source, or raise the limit",
		"The files of %s are larger than %d bytes in total.", f.Version, f.options.MaxTotalSize)
}

// File is a file of a folder that is being read.
type File struct {
	Entry
	Findings
	// Incomplete is set if the id of something that others may refer to cannot be
	// read.
	Incomplete bool

	folder *Folder
	root   *yaml.Node // the file as it was parsed
	size   int64      // of its text
	loaded bool       // it could be read
}

// Load returns the content of the file. If that is not possible, or exceeds a limit, it returns
// false, and the folder reports it.
func (f *File) Load() ([]byte, bool) {
	if f.folder.TooLarge() {
		return nil, false
	}
	limit := f.folder.options.MaxFileSize
	if f.Ext() == SymbolExt {
		limit = maxSymbolSize
	}
	data, edited := f.folder.options.Edits[f.Name]
	var p *yaml.Problem
	if !edited {
		data, p = f.read(f.folder.fsys, limit)
	}
	if p != nil {
		f.fail(p)
		return nil, false
	}
	f.size = int64(len(data))
	f.folder.size.Add(f.size)
	f.loaded = !f.folder.TooLarge()
	return data, f.loaded
}

// Parse loads the file, unless its nodes were taken over, and returns them and the content. If
// that is not possible, the nodes are nil, and the folder reports it.
func (f *File) Parse() (*yaml.Node, []byte) {
	if f.root != nil {
		return f.root, nil
	}
	data, ok := f.Load()
	if !ok {
		return nil, nil
	}
	root, p := yaml.Parse(f.Name, data)
	if p != nil {
		f.fail(p)
		return nil, nil
	}
	f.root = root
	return root, data
}

// fail reports why the file cannot be read.
func (f *File) fail(p *yaml.Problem) {
	f.Incomplete = true
	f.Errorf(p.Code, Location{p.Place.In(f.Name), issue.Root}, p.Hint, "%s", p.Message)
}

// Loaded reports whether the file could be read.
func (f *File) Loaded() bool { return f.loaded }

// Reuse takes over what was read of the file before, since it has not changed: its nodes and, if
// all is set, what was found in it.
func (f *File) Reuse(last *File, all bool) {
	if last.root == nil && !all {
		return
	}
	f.root, f.size, f.loaded = last.root, last.size, last.loaded
	f.folder.size.Add(f.size)
	if all {
		f.Findings, f.Incomplete = last.Findings, last.Incomplete
	}
}

// At returns where a node of the file is.
func (f *File) At(n *yaml.Node) Location { return Location{f.Position(n.Place), n.Path()} }

// Position returns a place of the file as a position.
func (f *File) Position(p yaml.Place) issue.Position { return p.In(f.Name) }
