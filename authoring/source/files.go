package source

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/authoring/internal/yaml"
	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/limited"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Entry is a file or directory of the source tree.
type Entry struct {
	Name  string // slash-separated, from the root
	Real  string // the same, with links to its directory resolved
	entry fs.DirEntry
}

func (f Entry) Base() string { return path.Base(f.Name) }

func (f Entry) Ext() string { return path.Ext(f.Name) }

// Stem returns the base name without its extension.
func (f Entry) Stem() string { return strings.TrimSuffix(f.Base(), f.Ext()) }

func IsData(ext string) bool { return ext == ".yaml" || ext == ".yml" || ext == ".json" }

// ReadDir lists a directory by name, without hidden files, backups and texts
// about the directory.
func ReadDir(fsys fs.FS, dir string) ([]Entry, error) {
	resolved, err := resolve(fsys, dir)
	if err != nil {
		return nil, err
	}
	entries, err := fs.ReadDir(fsys, resolved)
	if err != nil {
		return nil, err
	}
	var files []Entry
	for _, e := range entries {
		if name := e.Name(); !strings.HasPrefix(name, ".") && !strings.HasSuffix(name, "~") && !isAbout(name) {
			files = append(files, Entry{Name: path.Join(dir, name), Real: path.Join(resolved, name), entry: e})
		}
	}
	slices.SortFunc(files, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	return files, nil
}

// isAbout reports whether a file is about its directory, such as README.md.
func isAbout(name string) bool {
	ext := path.Ext(name)
	if IsData(ext) || ext == symbolExt {
		return false
	}
	stem := strings.ToUpper(strings.TrimSuffix(name, ext))
	return slices.Contains([]string{"README", "LICENSE", "LICENCE", "CHANGELOG", "NOTICE"}, stem)
}

// IsDir reports whether f is a directory or a link to one in the tree.
func (f Entry) IsDir(fsys fs.FS) bool {
	_, info, err := f.find(fsys)
	return err == nil && info.IsDir()
}

// find returns the name of f with links resolved, and its file info. It does
// not open f, since opening a pipe or a device may block.
func (f Entry) find(fsys fs.FS) (string, fs.FileInfo, error) {
	if f.entry.Type()&fs.ModeSymlink == 0 {
		info, err := f.entry.Info()
		return f.Real, info, err
	}
	if _, ok := fsys.(fs.ReadLinkFS); !ok {
		return "", nil, errors.New("it is a symbolic link, which this file system cannot resolve")
	}
	name, err := resolve(fsys, f.Real)
	if err != nil {
		return "", nil, err
	}
	info, err := fs.Lstat(fsys, name)
	return name, info, err
}

var errOutside = errors.New("it is a symbolic link that leaves the source tree")

// maxLinks is how many links [resolve] follows.
const maxLinks = 16

// resolve follows the links in name step by step, as an operating system does,
// and returns a name without links. It fails if a link leaves the tree, even if
// the file system would allow it.
func resolve(fsys fs.FS, name string) (string, error) {
	if _, ok := fsys.(fs.ReadLinkFS); !ok {
		return name, nil
	}
	rest := strings.Split(name, "/")
	at := "."
	for links := 0; len(rest) > 0; {
		step := rest[0]
		rest = rest[1:]
		if step == ".." {
			if at == "." {
				return "", errOutside
			}
			at = path.Dir(at)
			continue
		}
		next := path.Join(at, step)
		info, err := fs.Lstat(fsys, next)
		if err != nil {
			return "", err
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			at = next
			continue
		}
		if links++; links > maxLinks {
			return "", errors.New("it is a symbolic link that leads through too many others")
		}
		target, err := fs.ReadLink(fsys, next)
		if err != nil {
			return "", err
		}
		target = strings.ReplaceAll(target, `\`, "/")
		if path.IsAbs(target) || strings.Contains(target, ":") {
			return "", errOutside
		}
		rest = append(strings.Split(target, "/"), rest...)
	}
	return at, nil
}

// read returns the content of a file of at most limit bytes.
func (f Entry) read(fsys fs.FS, limit int64) ([]byte, *yaml.Problem) {
	name, info, err := f.find(fsys)
	switch {
	case err != nil:
		return nil, f.unreadable(err)
	case !info.Mode().IsRegular():
		return nil, f.unreadable(limited.ErrNotRegular)
	case info.Size() > limit:
		return nil, f.tooLarge(limit)
	}
	r, err := fsys.Open(name)
	if err != nil {
		return nil, f.unreadable(err)
	}
	defer func() { _ = r.Close() }()                 // only read
	data, err := limited.Read(r, limit, info.Size()) // the file may be larger than its info says
	switch {
	case errors.Is(err, limited.ErrTooLarge):
		return nil, f.tooLarge(limit)
	case err != nil:
		return nil, f.unreadable(err)
	}
	return data, nil
}

func (f Entry) unreadable(err error) *yaml.Problem {
	return &yaml.Problem{
		Code: codes.SourceUnreadable, Hint: "replace it with a readable regular file",
		Message: fmt.Sprintf("Cannot read %s: %s.", f.Name, wording.Reason(err)),
	}
}

func (f Entry) tooLarge(limit int64) *yaml.Problem {
	hint := "split the file; elements can be in several files"
	if f.Ext() == symbolExt {
		hint = "simplify the drawing"
	}
	return &yaml.Problem{Code: codes.SourceTooLarge, Hint: hint, Message: fmt.Sprintf("%s is larger than %d bytes.", f.Name, limit)}
}

// fileKind is what a file of a schema version defines. But for schemaFiles, it
// is also the name of the directory.
type fileKind string

const (
	schemaFiles   fileKind = "schema"
	categoryFiles fileKind = "categories"
	elementFiles  fileKind = "elements"
	symbolFiles   fileKind = "symbols"
)

// list finds the files of the version. If there is no such directory, the error
// wraps [fs.ErrNotExist].
func (c *compiler) list() error {
	dir := Directory(c.version)
	entries, err := ReadDir(c.fsys, dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("source: %s: %w", c.version, err)
	case err != nil:
		c.unreadable(dir, err)
		return nil
	}
	for _, f := range entries {
		switch k := fileKind(f.Base()); {
		case k == categoryFiles || k == elementFiles || k == symbolFiles:
			c.listDir(k, f)
		case f.Stem() == string(schemaFiles) && IsData(f.Ext()):
			c.files[schemaFiles] = append(c.files[schemaFiles], f)
		case f.Stem() == string(allowedFiles) && IsData(f.Ext()):
			c.files[allowedFiles] = append(c.files[allowedFiles], f)
		default:
			c.stray(f)
		}
	}
	switch found := c.files[schemaFiles]; {
	case len(found) == 0:
		c.Errorf(codes.SourceFileMissing, WholeFile(dir), "add schema.yaml with title, description, locales and datachain_type", "%s has no schema.yaml.", dir)
	case len(found) > 1:
		c.Errorf(codes.IDDuplicate, WholeFile(found[1].Name), "keep one of them", "There is another schema file, %s.", found[0].Name)
		c.files[schemaFiles] = found[:1]
	}
	return nil
}

// listDir lists the categories, elements or symbols.
func (c *compiler) listDir(k fileKind, dir Entry) {
	_, info, err := dir.find(c.fsys)
	if err == nil && !info.IsDir() {
		err = errors.New("it is not a directory")
	}
	var entries []Entry
	if err == nil {
		entries, err = ReadDir(c.fsys, dir.Name)
	}
	if err != nil {
		c.unreadable(dir.Name, err)
		c.lost[k] = true
		return
	}
	for _, f := range entries {
		if k == symbolFiles && f.Ext() == symbolExt || k != symbolFiles && IsData(f.Ext()) {
			c.files[k] = append(c.files[k], f)
		} else {
			c.stray(f)
		}
	}
}

func (c *compiler) unreadable(dir string, err error) {
	c.Errorf(codes.SourceUnreadable, WholeFile(dir), "replace it with a readable directory", "Cannot read %s: %s.", dir, wording.Reason(err))
}

// stray reports a file that is not part of the schema version.
func (c *compiler) stray(f Entry) {
	hint := "use the extension .yaml, .yml or .json, or remove the file"
	switch dir := path.Dir(f.Name); {
	case dir == Directory(c.version):
		hint = "remove it"
		known := slices.Values([]string{"categories", "elements", "symbols", "schema.yaml", "allowed-changes.yaml"})
		if near := c.hints.Nearest(strings.ToLower(f.Base()), known); len(near) > 0 {
			hint = "rename it to " + wording.Or(near)
		}
	case f.entry.IsDir():
		hint = "move its files to " + dir
	case path.Base(dir) == string(symbolFiles):
		hint = "use the extension .svg, or remove the file"
	}
	c.Warnf(codes.SourceFileUnknown, WholeFile(f.Name), hint, "%s is ignored: it is not part of the format.", f.Name)
}

// Preview compiles a schema version as it is after edits that are not written yet.
func Preview(fsys fs.FS, v taxonomy.Version, edits Edits, o *Options) (*Compiled, error) {
	c := newCompiler(fsys, v, o)
	c.edits = edits
	return c.compile()
}

// listEdits adds and removes the files that edits add and remove.
func (c *compiler) listEdits() {
	known := make(map[string]bool)
	for k, files := range c.files {
		c.files[k] = slices.DeleteFunc(files, func(f Entry) bool {
			known[f.Name] = true
			content, edited := c.edits[f.Name]
			return edited && content == nil
		})
	}
	for name, content := range c.edits {
		k := fileKind(path.Base(path.Dir(name)))
		if !known[name] && content != nil {
			c.files[k] = append(c.files[k], Entry{Name: name, Real: name}) // which is not opened
		}
	}
	if len(c.edits) == 0 {
		return
	}
	for _, files := range c.files {
		slices.SortFunc(files, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	}
}

const symbolExt = ".svg"

// maxSymbolSize limits how much of a symbol is read. It is above the limit of
// [icons.Sanitize], whose message is more helpful.
const maxSymbolSize = 1 << 20

// symbol is a sanitised symbol.
type symbol struct {
	drawing *icons.Symbol // nil if the symbol has errors
	file    string
}

// readSymbols reads the symbols. The id of a symbol is the name of its file.
func (c *compiler) readSymbols() {
	drawings := readAll(c, symbolFiles, (*decoder).symbol)
	ids := newIDSet("symbol id")
	for i, f := range c.files[symbolFiles] {
		// A symbol with errors still exists.
		id := c.symbolID(f)
		c.symbols[id] = symbol{drawings[i], f.Name}
		at := WholeFile(f.Name)
		ids.add(&c.Findings, id, at.At, func() issue.Path { return at.Path })
	}
}

// symbol sanitises a symbol. It returns nil if the symbol has errors.
func (d *decoder) symbol(data []byte) *icons.Symbol {
	drawing, issues := icons.Sanitize(data)
	for _, i := range issues {
		i.Path, i.Position.File = issue.Root, d.file.Name
		d.Add(i)
	}
	if drawing != nil && len(drawing.Paints()) == 0 {
		d.Warnf(codes.SymbolBlank, WholeFile(d.file.Name), `draw it with a visible fill or stroke, such as fill="currentColor"`,
			"The symbol draws nothing visible, so its icons are bare shapes.")
	}
	return drawing
}

// symbolID returns the id of a symbol. If the name of the file is not a valid
// id, it reports that and returns what the name should be.
func (c *compiler) symbolID(f Entry) string {
	if ident.IsID(f.Stem()) {
		return f.Stem()
	}
	fixed := toID(f.Stem(), ident.IsID)
	hint := fmt.Sprintf("rename the file to 1 to %d letters, digits, _ and -", ident.MaxIDLength)
	if fixed != "" {
		hint = "rename the file to " + fixed + symbolExt
	}
	c.Errorf(codes.IDMalformed, WholeFile(f.Name), hint, "%s is not a valid symbol id.", wording.Quote(f.Stem()))
	return cmp.Or(fixed, f.Stem())
}

// minContrast is level AA of WCAG 2.x for text.
const minContrast = 4.5

// checkContrast finds symbols that are hard to see on their background. A
// symbol in currentColor is black or white, and one of them always has a
// contrast of at least 4.58:1, so this concerns symbols with colours of their
// own. Symbols that draw nothing have been reported.
func (c *compiler) checkContrast() {
	type pair struct{ category, symbol string }
	seen := make(map[pair]bool)
	for i := range c.elements {
		e := &c.elements[i]
		p := pair{e.CategoryID, e.SymbolID}
		if seen[p] {
			continue
		}
		seen[p] = true
		cat, sym := c.byCategory[e.CategoryID], c.symbols[e.SymbolID]
		if cat == nil || sym.drawing == nil || len(sym.drawing.Paints()) == 0 {
			continue
		}
		if anywhere := (pair{symbol: e.SymbolID}); !seen[anywhere] {
			seen[anywhere] = true
			for _, variant := range []string{taxonomy.VariantDefault, taxonomy.VariantDark} {
				look, _ := icons.LookOf(&taxonomy.Category{}, variant)
				c.checkLook(e.SymbolID, look, WholeFile(sym.file), " in its "+variant+" icon")
			}
		}
		for _, color := range cat.colors {
			if ground, ok := icons.ParseColor(color.id); ok {
				c.checkLook(e.SymbolID, icons.FilledLook(ground), color.Location, "")
			}
		}
	}
}

// checkLook checks the contrast of a symbol in one of its icons.
func (c *compiler) checkLook(id string, look icons.Look, at Location, where string) {
	drawing := c.symbols[id].drawing
	contrast := drawing.Contrast(look)
	if contrast >= minContrast {
		return
	}
	hint := "draw the symbol in currentColor"
	if where == "" {
		hint += ", or choose another colour"
	} else {
		hint += ", which is black or white as the icon requires"
	}
	c.Warnf(codes.ContrastLow, at, hint, "The symbol %s (%s) has a contrast of only %.2f:1 with %s%s; at least %.1f:1 is needed.",
		id, strings.Join(drawing.Paints(), ", "), contrast, look.Fill, where, minContrast)
}
