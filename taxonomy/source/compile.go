package source

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/datachain-go/datachain/taxonomy"
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
	hints   *hints

	files      listing
	schema     schemaFile
	symbols    map[string]symbol
	categories []category
	byCategory map[string]*category
	elements   []element

	read atomic.Int64 // bytes so far
	tell sync.Mutex   // one call of Progress at a time
	done int
}

// Compile reads, lints and compiles one schema version. What is wrong with it
// is in the result, all of it; the error is set where there is no such folder.
func Compile(fsys fs.FS, v taxonomy.Version, o *Options) (*Compiled, error) {
	c := &compiler{fsys: fsys, version: v, opts: o.withDefaults(), hints: newHints(), byCategory: make(map[string]*category)}
	if err := c.list(); err != nil {
		return nil, fmt.Errorf("source: %s: %w", v, err)
	}
	c.readSchema()
	c.readSymbols()
	c.readCategories()
	c.readElements()
	c.check()

	result := &Compiled{Version: v, Issues: c.sorted(), aliases: c.schema.aliases}
	for _, a := range c.schema.aliases {
		result.Aliases = append(result.Aliases, a.name)
	}
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
// the order of the files, whatever order they were read in.
func (c *compiler) each(files []file, read func(d *decoder, i int, f file, data []byte)) {
	found := make([]findings, len(files))
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(files)) {
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(files) {
					return
				}
				d := &decoder{file: files[i].name, hints: c.hints, locales: c.schema.locales}
				if data, ok := c.load(d, files[i]); ok {
					read(d, i, files[i], data)
				}
				found[i] = d.findings
				c.progress()
			}
		})
	}
	wg.Wait()
	for _, f := range found {
		c.merge(f)
	}
}

// load reads a file within the limits.
func (c *compiler) load(d *decoder, f file) ([]byte, bool) {
	limit := c.opts.MaxFileSize
	if f.ext() == symbolExt {
		limit = maxSymbolSize
	}
	data, err := f.read(c.fsys, limit)
	if err == nil && c.read.Add(int64(len(data))) > c.opts.MaxTotalSize {
		err = &syntaxError{
			code: taxonomy.CodeSourceTooLarge, message: fmt.Sprintf("the files of %s are larger than %d bytes together", c.version, c.opts.MaxTotalSize),
			hint: "raise the limit if this is meant",
		}
	}
	if err != nil {
		d.fail(err)
		return nil, false
	}
	return data, true
}

// fail notes that the file can't be read.
func (d *decoder) fail(err error) {
	var bad *syntaxError
	if !errors.As(err, &bad) {
		bad = &syntaxError{code: taxonomy.CodeSourceUnreadable, message: err.Error()}
	}
	d.add(taxonomy.Issue{
		Code: bad.code, Severity: taxonomy.SeverityError, Message: bad.message, FixHint: bad.hint, Path: taxonomy.Root,
		Position: taxonomy.Position{File: d.file, Line: bad.line, Column: bad.col},
	})
}

// parsed reads a file of YAML or JSON into nodes.
func (d *decoder) parsed(f file, data []byte) (*node, bool) {
	root, err := f.parse(data)
	if err != nil {
		d.fail(err)
		return nil, false
	}
	return root, true
}

func (c *compiler) progress() {
	c.tell.Lock()
	defer c.tell.Unlock()
	if c.done++; c.opts.Progress != nil {
		c.opts.Progress(c.done, c.files.count())
	}
}

func (c *compiler) readSchema() {
	c.each(c.files.schema, func(d *decoder, _ int, f file, data []byte) {
		if root, ok := d.parsed(f, data); ok {
			c.schema = d.schema(root, c.version)
		}
	})
}

func (c *compiler) readCategories() {
	read := make([]*category, len(c.files.categories))
	c.each(c.files.categories, func(d *decoder, i int, f file, data []byte) {
		if root, ok := d.parsed(f, data); ok {
			if cat, ok := d.category(root); ok {
				read[i] = &cat
			}
		}
	})
	ids := newIDSet("category")
	for _, cat := range read {
		if cat == nil {
			continue
		}
		if i, ok := ids.add(cat.ID, cat.at.at, cat.at.path); !ok {
			c.add(i)
			continue
		}
		c.categories = append(c.categories, *cat)
	}
	for i := range c.categories {
		c.byCategory[c.categories[i].ID] = &c.categories[i]
	}
}

func (c *compiler) readElements() {
	read := make([][]element, len(c.files.elements))
	c.each(c.files.elements, func(d *decoder, i int, f file, data []byte) {
		if root, ok := d.parsed(f, data); ok {
			read[i] = d.elements(root, c.byCategory)
		}
	})
	ids := newIDSet("element")
	for _, elements := range read {
		for _, e := range elements {
			if i, ok := ids.add(e.ID, e.at.at, e.at.path); !ok {
				c.add(i)
				continue
			}
			c.elements = append(c.elements, e)
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
		content.Elements[i] = c.elements[i].Element
		content.Elements[i].IconVariants = variants[c.elements[i].CategoryID]
	}
	for id, s := range c.symbols {
		content.Symbols[id] = s.text
	}
	return content
}
