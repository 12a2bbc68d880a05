package dtpr

import (
	"bytes"
	"path"
	"regexp"
	"strings"

	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// symbolLimit is how much of a symbol is read: more than the 256 KiB that [icons.Sanitize] accepts,
// whose error is more helpful.
const symbolLimit = 256<<10 + 1

// blank is the symbol of elements that have none: a dot.
const blank = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"><circle cx="18" cy="18" r="3" fill="currentColor"/></svg>`

// noSymbol is the id of that symbol.
const noSymbol = "no_symbol"

// background is the fill of the icon as DTPR writes it in symbols.
var background = regexp.MustCompile(`var\(\s*--symbol-bg\s*(?:,[^()]*)?\)`)

// readSymbols reads the symbols of a directory.
func (v *version) readSymbols(dir string) error {
	for _, f := range v.in(dir) {
		if path.Ext(f) != ".svg" {
			v.notes.file(Lost, f, "the file is not part of the layout")
			continue
		}
		if _, err := v.addSymbol(f); err != nil {
			return err
		}
	}
	return nil
}

// addSymbol imports the drawing in a file and returns its id.
func (v *version) addSymbol(file string) (string, error) {
	content, ok, err := v.read(file, symbolLimit)
	if err != nil {
		return "", err
	}
	id := v.symbols.define(stem(file), location{position: issue.Position{File: file}})
	v.content.Symbols[id] = blank
	if !ok {
		return id, nil
	}
	painted := background.ReplaceAll(content, []byte("var(--icon-fill, #fff)"))
	if !bytes.Equal(painted, content) {
		v.notes.file(Changed, file, "the background of the symbol is the fill of the icon")
	}
	symbol, issues := icons.Sanitize(painted)
	for _, i := range issues {
		kind, what := Changed, "the drawing was simplified: "
		if i.Severity == issue.SeverityError {
			kind, what = Lost, "the drawing is not allowed, so the symbol is a dot: "
		}
		i.Position.File = file
		v.notes.add(Note{Kind: kind, Message: what + i.Message, Position: i.Position})
	}
	if symbol != nil {
		v.content.Symbols[id] = string(symbol.SVG())
	}
	return id, nil
}

// symbolOf returns the symbol of an element.
func (v *version) symbolOf(o object, element string) (string, error) {
	if name := o.string("symbol_id"); name != "" {
		if id, ok := v.symbols.refer(name); ok {
			return id, nil
		}
		v.notes.at(Filled, o.get("symbol_id"), name, "the symbol does not exist, so it is a dot")
		id := v.symbols.define(name, locationOf(o.get("symbol_id")))
		v.content.Symbols[id] = blank
		return id, nil
	}
	for _, name := range v.drawings(o) {
		if id, ok := v.symbols.refer(stem(name)); ok {
			return id, nil
		}
		if file := v.ending(name); file != "" {
			return v.addSymbol(file)
		}
	}
	v.notes.at(Filled, o.main(), element, "the element has no symbol, so it is a dot")
	id, ok := v.symbols.refer(noSymbol)
	if !ok {
		id = v.symbols.define(noSymbol, locationOf(o.main()))
		v.content.Symbols[id] = blank
	}
	return id, nil
}

// drawings returns the paths at which the drawing of an element may be: that of its symbol, or the
// symbol with the name of its icon, since the icon includes the shape.
func (v *version) drawings(o object) []string {
	var list []string
	if name := o.string("symbol"); name != "" {
		list = append(list, name)
	}
	if name := o.string("icon"); path.Ext(name) == ".svg" {
		list = append(list, path.Join(path.Dir(name), "symbols", path.Base(name)))
	}
	return list
}

// ending returns the drawing whose path ends with a path on a website: the first of the shortest
// ones, or "".
func (v *version) ending(name string) string {
	name = "/" + strings.TrimLeft(path.Clean("/"+name), "/")
	best := ""
	for _, f := range v.svgs[path.Base(name)] {
		if strings.HasSuffix("/"+f, name) && (best == "" || len(f) < len(best)) {
			best = f
		}
	}
	return best
}
