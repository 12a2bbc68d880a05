package source

import (
	"cmp"
	"fmt"
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// compiler compiles one schema version. It lists the files, reads the schema,
// the symbols and the categories, then the elements, which need all of those,
// checks what concerns several files, and makes the release.
type compiler struct {
	findings
	fsys    fs.FS
	version taxonomy.Version
	opts    Options
	hints   hints

	files map[fileKind][]file
	// lost has the kinds of which something could not be read, which has been
	// reported. References to such things are not errors as well.
	lost map[fileKind]bool

	schema     schemaFile
	listed     map[string]bool // datachain_type.categories, or nil if unknown
	symbols    map[string]symbol
	categories []*category
	byCategory map[string]*category
	elements   []element
	members    map[string][]*element // by category

	edits Edits        // of files that are not written yet
	size  atomic.Int64 // of the files that have been read
	tell  sync.Mutex   // guards done and calls of Progress
	done  int
	// interrupt is the error of Options.Interrupt.
	interrupt atomic.Pointer[error]
}

func newCompiler(fsys fs.FS, v taxonomy.Version, o *Options) *compiler {
	return &compiler{
		fsys: fsys, version: v, opts: o.withDefaults(), hints: hints{sharedHints},
		files: make(map[fileKind][]file), lost: make(map[fileKind]bool),
		symbols: make(map[string]symbol), byCategory: make(map[string]*category), members: make(map[string][]*element),
	}
}

// Compile compiles one schema version. All problems are in the result. If there
// is no such directory, the error wraps [fs.ErrNotExist].
func Compile(fsys fs.FS, v taxonomy.Version, o *Options) (*Compiled, error) {
	return newCompiler(fsys, v, o).compile()
}

// compile compiles the version.
func (c *compiler) compile() (*Compiled, error) {
	v := c.version
	if err := c.list(); err != nil {
		return nil, err
	}
	c.listEdits()
	listed := c.findings
	c.readSchema()
	c.readSymbols()
	c.readCategories()
	c.readElements()
	allowed := c.readAllowed()
	if err := c.interrupt.Load(); err != nil {
		return nil, *err
	}
	c.check()
	if c.tooLarge() {
		c.findings = listed // the others depend on where reading stopped
		c.reportTooLarge()
	}
	result := &Compiled{Version: v, Aliases: idsOf(c.schema.aliases), Released: c.schema.released, Allowed: allowed, Issues: c.sorted(directory(v)), aliases: c.schema.aliases}
	if result.Issues.HasErrors() {
		return result, nil
	}
	release, err := taxonomy.NewRelease(v, c.content())
	if err != nil {
		return nil, fmt.Errorf("source: %w", err) // lint has missed something
	}
	result.Release = release
	return result, nil
}

// readAll reads the files of a kind, on all CPUs, and returns the result of
// decode for each: the zero value if a file cannot be read. Findings are in the
// order of the files.
func readAll[T any](c *compiler, k fileKind, decode func(*decoder, []byte) T) []T {
	files := c.files[k]
	decoders, results := make([]decoder, len(files)), make([]T, len(files))
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(files)) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(files); i = int(next.Add(1)) - 1 {
				if c.interrupted() {
					return
				}
				d := &decoders[i]
				*d = decoder{file: files[i], hints: hints{fileHints}, locales: c.schema.locales}
				if data, ok := c.load(d); ok {
					results[i] = decode(d, data)
				}
				c.progress()
			}
		})
	}
	wg.Wait()
	for i := range decoders {
		c.merge(decoders[i].findings)
		c.lost[k] = c.lost[k] || decoders[i].lost
	}
	return results
}

// interrupted reports whether the run has to end.
func (c *compiler) interrupted() bool {
	if c.opts.Interrupt != nil && c.interrupt.Load() == nil {
		if err := c.opts.Interrupt(); err != nil {
			c.interrupt.Store(&err)
		}
	}
	return c.interrupt.Load() != nil
}

// parsed makes a decode function for [readAll] out of one for nodes.
func parsed[T any](decode func(*decoder, *node) T) func(*decoder, []byte) T {
	return func(d *decoder, data []byte) (result T) {
		if root := d.parse(data); root != nil {
			result = decode(d, root)
		}
		return result
	}
}

// load reads a file within the limits.
func (c *compiler) load(d *decoder) ([]byte, bool) {
	if c.tooLarge() {
		return nil, false
	}
	limit := c.opts.MaxFileSize
	if d.file.ext() == symbolExt {
		limit = maxSymbolSize
	}
	data, edited := c.edits[d.file.name]
	var p *problem
	if !edited {
		data, p = d.file.read(c.fsys, limit)
	}
	if p != nil {
		d.fail(p)
		return nil, false
	}
	c.size.Add(int64(len(data)))
	return data, !c.tooLarge()
}

// tooLarge reports whether the files exceed the limit on their total size.
func (c *compiler) tooLarge() bool { return c.size.Load() > c.opts.MaxTotalSize }

func (c *compiler) reportTooLarge() {
	c.errorf(issue.CodeSourceTooLarge, wholeFile(directory(c.version)), "shorten the source, or raise the limit",
		"The files of %s are larger than %d bytes in total.", c.version, c.opts.MaxTotalSize)
}

func (c *compiler) progress() {
	c.tell.Lock()
	defer c.tell.Unlock()
	if c.done++; c.opts.Progress != nil {
		total := 0
		for _, files := range c.files {
			total += len(files)
		}
		c.opts.Progress(c.done, total)
	}
}

func (c *compiler) readSchema() {
	for _, s := range readAll(c, schemaFiles, parsed(func(d *decoder, root *node) schemaFile { return d.schema(root, c.version) })) {
		c.schema = s // there is at most one
	}
	for _, id := range c.schema.typ.Categories {
		if c.listed == nil {
			c.listed = make(map[string]bool)
		}
		c.listed[id] = true
	}
}

func (c *compiler) readCategories() {
	ids := newIDSet("category id")
	for _, cat := range readAll(c, categoryFiles, parsed((*decoder).category)) {
		if cat == nil {
			continue
		}
		ids.add(&c.findings, cat.ID, cat.spot.at, func() issue.Path { return cat.spot.path })
		if c.byCategory[cat.ID] == nil {
			c.byCategory[cat.ID] = cat
			c.categories = append(c.categories, cat)
		}
	}
}

func (c *compiler) readElements() {
	c.elements = slices.Concat(readAll(c, elementFiles, parsed(func(d *decoder, root *node) []element { return d.elements(root, c.byCategory) }))...)
	ids := newIDSet("element id")
	for i := range c.elements {
		e := &c.elements[i]
		ids.add(&c.findings, e.ID, e.at.in(e.file), func() issue.Path { return e.path("id") })
		c.members[e.CategoryID] = append(c.members[e.CategoryID], e)
	}
}

// content returns the content of the release. There are no errors, so every
// reference is valid.
func (c *compiler) content() taxonomy.Content {
	content := taxonomy.Content{
		Title: c.schema.title, Description: c.schema.description, Locales: c.schema.locales,
		Notes: c.schema.notes, Licence: c.schema.licence, Attribution: c.schema.attribution, Synonyms: c.schema.synonyms,
		Type: c.schema.typ, Symbols: make(map[string]string, len(c.symbols)),
		Elements: make([]taxonomy.Element, 0, len(c.elements)),
	}
	for i := range c.schema.removed {
		content.Removed = append(content.Removed, c.schema.removed[i].Removal)
	}
	for _, id := range c.schema.typ.Categories {
		cat := c.byCategory[id]
		content.Categories = append(content.Categories, cat.Category)
		variants := cat.IconVariants()
		slices.SortFunc(c.members[id], func(a, b *element) int {
			return cmp.Or(cmp.Compare(a.Order, b.Order), strings.Compare(a.ID, b.ID))
		})
		for _, e := range c.members[id] {
			e.Variables = effective(cat.Variables, e.Variables)
			e.IconVariants = variants
			content.Elements = append(content.Elements, e.Element)
		}
	}
	for id, s := range c.symbols {
		content.Symbols[id] = string(s.drawing.SVG())
	}
	return content
}
