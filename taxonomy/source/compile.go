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

// compiler takes one schema version from its files to a release: it lists the
// files, reads the schema, the symbols and the categories, then the elements,
// which need all of those, checks what goes across files, and puts the release
// together.
type compiler struct {
	findings
	fsys    fs.FS
	version taxonomy.Version
	opts    Options
	hints   hints

	files listing
	// lost tells of which kind something could not be read, beyond a finding
	// in its own file. What refers to such things gets the benefit of the
	// doubt: one slip is one finding.
	lost struct{ categories, elements, symbols bool }

	schema     schemaFile
	symbols    map[string]symbol
	categories []category
	byCategory map[string]*category
	elements   []element

	read atomic.Int64 // bytes so far
	tell sync.Mutex   // one call of Progress at a time
	done int
}

func newCompiler(fsys fs.FS, v taxonomy.Version, o *Options) *compiler {
	return &compiler{
		fsys: fsys, version: v, opts: o.withDefaults(), hints: hints{sharedHints},
		byCategory: make(map[string]*category), symbols: make(map[string]symbol),
	}
}

// Compile reads, lints and compiles one schema version. What is wrong with it
// is in the result, all of it; the error is set where there is no such folder,
// and then wraps [fs.ErrNotExist].
func Compile(fsys fs.FS, v taxonomy.Version, o *Options) (*Compiled, error) {
	c := newCompiler(fsys, v, o)
	if err := c.list(); err != nil {
		return nil, fmt.Errorf("source: %s: %w", v, err)
	}
	listed := c.findings
	c.readSchema()
	c.readSymbols()
	c.readCategories()
	c.readElements()
	c.check()
	if c.read.Load() > c.opts.MaxTotalSize {
		// What else was found depends on where reading ended.
		c.findings = listed
		c.atFile(issue.SeverityError, issue.CodeSourceTooLarge, folder(v),
			fmt.Sprintf("the files of %s are larger than %d bytes together", v, c.opts.MaxTotalSize), "raise the limit if this is meant")
	}

	result := &Compiled{Version: v, Aliases: c.schema.aliasIDs(), Issues: c.sorted(folder(v)), aliases: c.schema.aliases}
	if result.Issues.HasErrors() {
		return result, nil
	}
	release, err := taxonomy.NewRelease(v, c.content())
	if err != nil {
		// Lint has let something through that a release can't be.
		return nil, fmt.Errorf("source: %w", err)
	}
	result.Release = release
	return result, nil
}

// each runs read for the files, on all processors, and notes what they find in
// the order of the files, whatever order they were read in. It reports whether
// something was lost.
func (c *compiler) each(files []file, read func(d *decoder, i int, data []byte)) (lost bool) {
	decoders := make([]decoder, len(files))
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(files)) {
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(files) {
					return
				}
				d := &decoders[i]
				*d = decoder{file: files[i], hints: hints{fileHints}, locales: c.schema.locales}
				if data, ok := c.load(d); ok {
					read(d, i, data)
				}
				c.progress()
			}
		})
	}
	wg.Wait()
	for i := range decoders {
		c.merge(decoders[i].findings)
		lost = lost || decoders[i].lost
	}
	return lost
}

// load reads a file within the limits.
func (c *compiler) load(d *decoder) ([]byte, bool) {
	if c.read.Load() > c.opts.MaxTotalSize {
		return nil, false // one finding is enough
	}
	data, err := d.file.read(c.fsys, c.limit(d.file))
	if err != nil {
		d.fail(err)
		return nil, false
	}
	return data, c.read.Add(int64(len(data))) <= c.opts.MaxTotalSize
}

// limit is the most bytes of a file.
func (c *compiler) limit(f file) int64 {
	if f.ext() == symbolExt {
		return maxSymbolSize
	}
	return c.opts.MaxFileSize
}

func (c *compiler) progress() {
	c.tell.Lock()
	defer c.tell.Unlock()
	if c.done++; c.opts.Progress != nil {
		c.opts.Progress(c.done, c.files.count())
	}
}

func (c *compiler) readSchema() {
	c.each(c.files.schema, func(d *decoder, _ int, data []byte) {
		if root, ok := d.parse(data); ok {
			c.schema = d.schema(root, c.version)
		}
	})
}

func (c *compiler) readCategories() {
	read := make([]*category, len(c.files.categories))
	lost := c.each(c.files.categories, func(d *decoder, i int, data []byte) {
		if root, ok := d.parse(data); ok {
			cat := d.category(root)
			read[i] = &cat
		}
	})
	c.lost.categories = c.lost.categories || lost
	ids := newIDSet("category")
	for _, cat := range read {
		if cat == nil || cat.ID == "" {
			continue
		}
		if i, ok := ids.add(cat.ID, cat.at.at, cat.at.path); !ok {
			c.add(i)
		}
		if c.byCategory[cat.ID] == nil {
			c.byCategory[cat.ID] = cat
			c.categories = append(c.categories, *cat)
		}
	}
}

func (c *compiler) readElements() {
	read := make([][]element, len(c.files.elements))
	lost := c.each(c.files.elements, func(d *decoder, i int, data []byte) {
		if root, ok := d.parse(data); ok {
			read[i] = d.elements(root, c.byCategory)
		}
	})
	c.lost.elements = c.lost.elements || lost
	c.elements = slices.Concat(read...)
	ids := newIDSet("element")
	for i := range c.elements {
		e := &c.elements[i]
		if e.ID == "" {
			continue
		}
		if issue, ok := ids.add(e.ID, e.position(e.at), nil); !ok {
			issue.Path = e.path("id")
			c.add(issue)
		}
	}
}

// content puts the release together. It is called only when there is nothing
// wrong, so every reference leads somewhere.
func (c *compiler) content() taxonomy.Content {
	content := taxonomy.Content{
		Title: c.schema.title, Description: c.schema.description, Locales: c.schema.locales,
		Type: c.schema.typ, Symbols: make(map[string]string, len(c.symbols)),
	}
	order := make(map[string]int, len(c.categories))
	variants := make(map[string][]string, len(c.categories))
	for i, id := range c.schema.typ.Categories {
		cat := c.byCategory[id]
		content.Categories = append(content.Categories, cat.Category)
		order[id] = i
		variants[id] = cat.IconVariants()
	}
	slices.SortFunc(c.elements, func(a, b element) int {
		return cmp.Or(cmp.Compare(order[a.CategoryID], order[b.CategoryID]), cmp.Compare(a.Order, b.Order), strings.Compare(a.ID, b.ID))
	})
	content.Elements = make([]taxonomy.Element, len(c.elements))
	for i := range c.elements {
		e := c.elements[i].Element
		e.Variables = effective(c.byCategory[e.CategoryID].Variables, e.Variables)
		e.IconVariants = variants[e.CategoryID]
		content.Elements[i] = e
	}
	for id, s := range c.symbols {
		content.Symbols[id] = s.drawing.String()
	}
	return content
}
