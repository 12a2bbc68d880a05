package source

import (
	"cmp"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/datachain-go/datachain/authoring/internal/folder"
	"github.com/datachain-go/datachain/authoring/internal/yaml"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/errname"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// compiler compiles one schema version. It reads the schema, the symbols and the
// categories, then the elements, which need all of those, checks what concerns several
// files, and makes the release.
type compiler struct {
	*folder.Folder
	opts  Options
	hints folder.Hints

	schema           schemaFile
	listedCategories map[string]bool // datachain_type.categories, or nil if unknown
	symbols          map[string]symbol
	categories       []*category
	byCategory       map[string]*category
	elements         []element
	members          map[string][]*element // by category

	progressMu sync.Mutex // guards done and calls of Progress
	done       int
	// interrupt is the error of Options.Interrupt.
	interrupt atomic.Pointer[error]
	// cache is what a [Linter] has read, or nil, and renewed is set if the schema or a
	// category was read again, or the files were listed again.
	cache   map[string]*cachedFile
	renewed bool
}

func newCompiler(fsys fs.FS, v taxonomy.Version, edits Edits, o *Options) *compiler {
	opts := o.withDefaults()
	return &compiler{
		Folder: folder.New(fsys, v, folder.Options{MaxFileSize: opts.MaxFileSize, MaxTotalSize: opts.MaxTotalSize, Edits: edits}),
		opts:   opts, hints: folder.Hints{Budget: folder.SharedHints},
		symbols: make(map[string]symbol), byCategory: make(map[string]*category), members: make(map[string][]*element),
	}
}

// Compile compiles one schema version. All problems are in the result. If there
// is no such directory, the error wraps [fs.ErrNotExist].
func Compile(fsys fs.FS, v taxonomy.Version, o *Options) (*Compiled, error) {
	return Preview(fsys, v, nil, o)
}

// Preview compiles a schema version as it is after edits that are not written yet.
func Preview(fsys fs.FS, v taxonomy.Version, edits Edits, o *Options) (*Compiled, error) {
	c := newCompiler(fsys, v, edits, o)
	if err := c.List(); err != nil {
		return nil, fmt.Errorf("source: %w", err)
	}
	result, err := c.lint()
	if err != nil || slices.ContainsFunc(result.Issues, c.prevents) {
		return result, err
	}
	if result.Release, err = c.release(); err != nil {
		return nil, err
	}
	return result, nil
}

// prevents reports whether there can be no release because of an issue.
func (c *compiler) prevents(i issue.Issue) bool {
	lacksElements := i.Code == codes.CategoryEmpty || i.Code == codes.CardinalityUnreachable
	return i.Severity == issue.SeverityError && !(c.opts.Unfinished && lacksElements)
}

// release makes the release of what was linted without errors that prevent it.
func (c *compiler) release() (*taxonomy.Release, error) {
	r, err := taxonomy.NewRelease(c.Version, c.content())
	if err != nil {
		return nil, errname.Add("source", err) // lint has missed something
	}
	return r, nil
}

// lint reads the files that are listed, and checks them.
func (c *compiler) lint() (*Compiled, error) {
	v := c.Version
	listed := c.Findings
	c.readSchema()
	c.readSymbols()
	c.readCategories()
	c.readElements()
	allowed := c.readAllowed()
	if err := c.interrupt.Load(); err != nil {
		return nil, *err
	}
	c.check()
	if c.TooLarge() {
		c.Findings = listed // the others depend on where reading stopped
		c.ReportTooLarge()
	}
	return &Compiled{Version: v, Aliases: idsOf(c.schema.aliases), Released: c.schema.released, Allowed: allowed, Issues: c.Sorted(Directory(v)), aliases: c.schema.aliases}, nil
}

// readAll reads the files of a kind and returns the result of decode for each: the zero
// value if a file cannot be read.
func readAll[T any](c *compiler, k folder.Kind, decode func(*decoder) T) []T {
	entries := c.Files[k]
	results, read := make([]T, len(entries)), make([]*folder.File, len(entries))
	c.Read(entries, func(i int, f *folder.File) {
		last := c.cache[f.Name]
		if last != nil && (!c.renewed || k == folder.Symbols) {
			if result, ok := last.result.(T); ok {
				f.Reuse(&last.file, true)
				results[i] = result
				return
			}
		}
		if c.interrupted() {
			return
		}
		d := &decoder{File: f, hints: folder.Hints{Budget: folder.FileHints}, locales: c.schema.locales}
		if last != nil {
			f.Reuse(&last.file, false)
		}
		results[i] = decode(d)
		read[i] = f
		c.progress()
	})
	if c.cache != nil {
		remember(c, k, read, results)
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
func parsed[T any](decode func(*decoder, *yaml.Node) T) func(*decoder) T {
	return func(d *decoder) (result T) {
		if root, _ := d.Parse(); root != nil {
			result = decode(d, root)
		}
		return result
	}
}

func (c *compiler) progress() {
	c.progressMu.Lock()
	defer c.progressMu.Unlock()
	if c.done++; c.opts.Progress != nil {
		total := 0
		for _, files := range c.Files {
			total += len(files)
		}
		c.opts.Progress(c.done, total)
	}
}

func (c *compiler) readSchema() {
	for _, s := range readAll(c, folder.Schema, parsed(func(d *decoder, root *yaml.Node) schemaFile { return d.schema(root, c.Version) })) {
		c.schema = s // there is at most one
	}
	for _, id := range c.schema.typ.Categories {
		if c.listedCategories == nil {
			c.listedCategories = make(map[string]bool)
		}
		c.listedCategories[id] = true
	}
}

func (c *compiler) readCategories() {
	ids := newIDSet("category id")
	for _, cat := range readAll(c, folder.Categories, parsed((*decoder).category)) {
		if cat == nil {
			continue
		}
		ids.add(&c.Findings, cat.ID, cat.at.At, func() issue.Path { return cat.at.Path })
		if c.byCategory[cat.ID] == nil {
			c.byCategory[cat.ID] = cat
			c.categories = append(c.categories, cat)
		}
	}
}

func (c *compiler) readElements() {
	c.elements = slices.Concat(readAll(c, folder.Elements, parsed(func(d *decoder, root *yaml.Node) []element { return d.elements(root, c.byCategory) }))...)
	ids := newIDSet("element id")
	for i := range c.elements {
		e := &c.elements[i]
		ids.add(&c.Findings, e.ID, e.at.In(e.file), func() issue.Path { return e.path("id") })
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
	for i := range c.schema.schemes {
		content.Schemes = append(content.Schemes, c.schema.schemes[i].Scheme)
	}
	for _, id := range c.schema.typ.Categories {
		cat := c.byCategory[id]
		content.Categories = append(content.Categories, cat.Category)
		variants := cat.IconVariants()
		slices.SortFunc(c.members[id], func(a, b *element) int {
			return cmp.Or(cmp.Compare(a.Order, b.Order), strings.Compare(a.ID, b.ID))
		})
		for _, e := range c.members[id] {
			e.Variables = effectiveVariables(cat.Variables, e.Variables)
			e.IconVariants = variants
			content.Elements = append(content.Elements, e.Element)
		}
	}
	for id, s := range c.symbols {
		content.Symbols[id] = string(s.drawing.SVG())
	}
	return content
}

// check runs the checks that concern several files.
func (c *compiler) check() {
	c.checkListed()
	c.checkElementCategories()
	c.checkSymbolsExist()
	c.checkContrast()
	c.checkInherited()
	c.checkCategoryRenames()
	c.checkLeads()
	c.checkMappings()
	if c.Incomplete[folder.Elements] {
		return // what seems to be missing may be in the elements that are
	}
	c.checkEmptyCategories()
	c.checkMinimums()
	c.checkAppliesTo()
	c.checkOptionsReach()
	c.checkSymbolsUsed()
	c.checkSuccessors()
}

// isUndefined reports whether a category does not exist and this has not been
// reported: for the list of the schema, or for a file that cannot be read.
func (c *compiler) isUndefined(id string) bool {
	return c.byCategory[id] == nil && !c.listedCategories[id] && (c.listedCategories != nil || !c.Incomplete[folder.Categories])
}

// checkListed compares the categories that the schema file lists with those
// that exist.
func (c *compiler) checkListed() {
	for _, ref := range c.schema.categories {
		if c.byCategory[ref.id] == nil && !c.Incomplete[folder.Categories] {
			c.Misspelt(&c.hints, folder.NewError(codes.CategoryUnknown, ref.Location, "add a file for it to categories/",
				"datachain_type: there is no category %s.", wording.Plain(ref.id)), ref.id, maps.Keys(c.byCategory))
		}
	}
	for _, ref := range c.schema.subchains {
		if c.isUndefined(ref.id) {
			c.Misspelt(&c.hints, folder.NewError(codes.CategoryUnknown, ref.Location, "write the id of a category",
				"datachain_type: a subchain refers to the category %s, which does not exist.", wording.Plain(ref.id)), ref.id, maps.Keys(c.byCategory))
		}
	}
	for _, cat := range c.categories {
		if c.listedCategories != nil && !c.listedCategories[cat.ID] {
			c.Errorf(codes.CategoryUnlisted, cat.at, "add "+cat.ID+" to the list in the schema file; its place there is its order",
				"Category %s is not listed in datachain_type.categories.", cat.ID)
		}
	}
}

// unknownReference is an id that refers to nothing, in one or more elements.
type unknownReference struct {
	first         *element
	otherElements int
}

// String says how many other elements have the mistake.
func (u *unknownReference) String() string {
	switch u.otherElements {
	case 0:
		return ""
	case 1:
		return " (1 other element refers to it)"
	}
	return fmt.Sprintf(" (%d other elements refer to it)", u.otherElements)
}

// mistakes groups elements by the id that wrong returns, in the order of the
// elements. An element for which it returns "" has no mistake.
func (c *compiler) mistakes(wrong func(*element) string) []*unknownReference {
	var all []*unknownReference
	byID := make(map[string]*unknownReference)
	for i := range c.elements {
		e := &c.elements[i]
		switch id := wrong(e); {
		case id == "":
		case byID[id] != nil:
			byID[id].otherElements++
		default:
			byID[id] = &unknownReference{first: e}
			all = append(all, byID[id])
		}
	}
	return all
}

// misspeltBy is misspelt for an id of one or more elements. What several have written is
// hardly a slip, and has no fix.
func (c *compiler) misspeltBy(m *unknownReference, i issue.Issue, written string, known iter.Seq[string]) {
	if i = c.hints.Corrected(i, written, known); m.otherElements > 0 {
		i.Fix = nil
	}
	c.Add(i)
}

// checkElementCategories finds elements whose category does not exist.
func (c *compiler) checkElementCategories() {
	for _, m := range c.mistakes(func(e *element) string {
		if c.isUndefined(e.CategoryID) {
			return e.CategoryID
		}
		return ""
	}) {
		e := m.first
		c.misspeltBy(m, folder.NewError(codes.CategoryUnknown, folder.Location{At: e.category.In(e.file), Path: e.path("category_id")}, "write the id of a category",
			"%s: there is no category %s%s.", e, wording.Plain(e.CategoryID), m), e.CategoryID, maps.Keys(c.byCategory))
	}
}

// checkSymbolsExist finds elements whose symbol does not exist.
func (c *compiler) checkSymbolsExist() {
	if c.Incomplete[folder.Symbols] {
		return
	}
	for _, m := range c.mistakes(func(e *element) string {
		if _, ok := c.symbols[e.SymbolID]; ok {
			return ""
		}
		return e.SymbolID
	}) {
		e := m.first
		hint := "write the id of a symbol"
		if ident.IsID(e.SymbolID) {
			hint = "add symbols/" + e.SymbolID + folder.SymbolExt
		}
		c.misspeltBy(m, folder.NewError(codes.SymbolMissing, folder.Location{At: e.symbol.In(e.file), Path: e.path("symbol_id")}, hint,
			"%s: there is no symbol %s%s.", e, wording.Plain(e.SymbolID), m), e.SymbolID, maps.Keys(c.symbols))
	}
}

func (c *compiler) checkSymbolsUsed() {
	used := make(map[string]bool, len(c.symbols))
	for i := range c.elements {
		used[c.elements[i].SymbolID] = true
	}
	for _, id := range slices.Sorted(maps.Keys(c.symbols)) {
		if !used[id] {
			c.Add(issue.Issue{
				Code: codes.SymbolUnused, Severity: issue.SeverityWarning, Groups: []string{"unused symbol"},
				Position: folder.WholeFile(c.symbols[id].file).At, Path: issue.Root,
				Message: fmt.Sprintf("No element uses the symbol %s.", wording.Plain(id)), FixHint: "use it, or remove the file",
			})
		}
	}
}

// checkEmptyCategories finds categories without elements.
func (c *compiler) checkEmptyCategories() {
	for _, cat := range c.categories {
		switch {
		case len(c.members[cat.ID]) > 0 || c.listedCategories != nil && !c.listedCategories[cat.ID]:
		case cat.Required || cat.Cardinality.Min > 0:
			c.Errorf(codes.CategoryEmpty, cat.at, "add an element to it, or make it optional", "Category %s is required, but has no elements.", cat.ID)
		default:
			c.Warnf(codes.CategoryEmpty, cat.at, "add an element to it", "Category %s has no elements.", cat.ID)
		}
	}
}

// checkInherited keeps a small source from growing into a huge release: each
// element has the variables and icon variants of its category.
func (c *compiler) checkInherited() {
	remaining := c.opts.MaxTotalSize
	for _, cat := range c.categories {
		size, n := inheritedSize(cat), int64(len(c.members[cat.ID]))
		if n > 0 && size > remaining/n {
			c.Errorf(codes.SourceTooLarge, cat.at, "declare fewer variables and context values, or split the category",
				"Each of the %d elements of category %s inherits %d bytes of variables and icon variants, which makes the release too large.", n, cat.ID, size)
			return
		}
		remaining -= size * n
	}
}

// inheritedSize returns about how many bytes an element of the category
// inherits.
func inheritedSize(cat *category) int64 {
	size := 0
	add := func(id string, texts ...taxonomy.Localized) {
		size += len(id)
		for _, t := range slices.Concat(texts...) {
			size += len(t.Locale) + len(t.Value)
		}
	}
	for _, v := range cat.Context.Values {
		add(v.ID)
	}
	history := func(ids []string, sources []taxonomy.Source) {
		for _, id := range ids {
			add(id)
		}
		for _, s := range sources {
			size += len(s.Type) + len(s.Title) + len(s.URL) + len(s.Citation) + len(s.Licence) + len(s.Attribution)
		}
	}
	for _, v := range cat.Variables {
		add(v.ID, v.Label)
		history(v.RenamedFrom, v.Sources)
		for _, o := range v.Options {
			add(o.ID, o.Label, o.Description)
			history(slices.Concat(o.AppliesTo, o.RenamedFrom), o.Sources)
		}
	}
	return int64(size)
}
