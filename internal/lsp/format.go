package lsp

import (
	"bytes"
	"context"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/internal/source"
	"github.com/datachain-go/datachain/taxonomy/document"
)

type formattingParams struct {
	documentParams
	Options struct {
		TabSize      int  `json:"tabSize"`
		InsertSpaces bool `json:"insertSpaces"`
	} `json:"options"`
}

// maxWidth is the width up to which an object or array stays on one line.
const maxWidth = 100

// formatting changes white space only: the order of keys stays as a person wrote it,
// and an object or array that is on one line stays there if it fits. A placement with
// variables, or with other lists or objects, has a line for each of its fields. Text that
// is not JSON is left alone.
func (q *query) formatting(ctx context.Context, p *formattingParams) (any, error) {
	return q.text.formatted(ctx, p, isDocument)
}

// formatting formats a file of the source. In YAML, only the white space at the ends of
// lines, blank lines and the space after keys and dashes change: indentation is the
// author's.
func (q *sourceQuery) formatting(ctx context.Context, p *formattingParams) (any, error) {
	if path.Ext(q.file) == ".json" {
		return q.text.formatted(ctx, p, isOther)
	}
	if q.shapes() == nil {
		return nil, nil
	}
	return q.text.edits(source.Format(q.text.content)), ctx.Err()
}

// formatted returns the edits that format a JSON text.
func (t *text) formatted(ctx context.Context, p *formattingParams, is role) (any, error) {
	doc, err := document.Parse(t.content)
	if err != nil {
		return nil, nil //nolint:nilerr // a finding says so
	}
	indent := "\t"
	if p.Options.InsertSpaces {
		indent = strings.Repeat(" ", min(max(p.Options.TabSize, 1), 16))
	}
	f := formatter{ctx: ctx, indent: indent, newline: "\n"}
	if bytes.Contains(t.content, []byte("\r\n")) {
		f.newline = "\r\n"
	}
	if !f.value(doc.Root(), 0, is) {
		return nil, ctx.Err()
	}
	return t.edits(respaced(t.content, append(f.b, f.newline...))), ctx.Err()
}

// formatter writes a value with new white space.
type formatter struct {
	ctx             context.Context
	b               []byte
	indent, newline string
	line            int // where the current line starts in b
}

// role is what a value is for [formatter].
type role int

const (
	isOther role = iota
	isDocument
	isElements
	isPlacement
)

// inside returns the role of a member or item.
func (r role) inside(child document.Value) role {
	switch {
	case r == isDocument && child.Key() == "elements":
		return isElements
	case r == isElements:
		return isPlacement
	}
	return isOther
}

// spreads reports whether a value has several lines even if it fits on one.
func (r role) spreads(v document.Value) bool {
	if r == isOther {
		return false
	}
	for child := range v.All() {
		if r == isPlacement && child.Len() > 0 || r.inside(child).spreads(child) {
			return true
		}
	}
	return false
}

// value writes a value, and reports whether it is complete.
func (f *formatter) value(v document.Value, depth int, is role) bool {
	kind := v.Kind()
	if kind != '{' && kind != '[' {
		f.b = append(f.b, v.Raw()...)
		return true
	}
	if f.ctx.Err() != nil {
		return false
	}
	// What is on one line stays there if it fits with the new white space. The comma or
	// bracket after it has room.
	start := len(f.b)
	f.inline(v)
	if v.Len() == 0 || !is.spreads(v) && utf8.RuneCount(f.b[f.line:]) < maxWidth && bytes.IndexByte(v.Raw(), '\n') < 0 && bytes.IndexByte(v.Raw(), '\r') < 0 {
		return true
	}
	f.b = f.b[:start]
	f.b = append(f.b, kind)
	first := true
	for child := range v.All() {
		if !first {
			f.b = append(f.b, ',')
		}
		first = false
		f.breakLine(depth + 1)
		if kind == '{' {
			f.b = append(append(f.b, child.RawKey()...), ": "...)
		}
		if !f.value(child, depth+1, is.inside(child)) {
			return false
		}
	}
	f.breakLine(depth)
	f.b = append(f.b, kind+2) // ] follows [ after \, and } follows { after |
	return true
}

func (f *formatter) breakLine(depth int) {
	f.b = append(f.b, f.newline...)
	f.line = len(f.b)
	f.b = append(f.b, strings.Repeat(f.indent, depth)...)
}

// inline writes a value on one line, or the beginning of one that does not fit.
func (f *formatter) inline(v document.Value) {
	kind := v.Kind()
	if kind != '{' && kind != '[' {
		f.b = append(f.b, v.Raw()...)
		return
	}
	f.b = append(f.b, kind)
	first := true
	for child := range v.All() {
		if len(f.b)-f.line > maxWidth*utf8.UTFMax {
			break
		}
		if !first {
			f.b = append(f.b, ", "...)
		}
		first = false
		if kind == '{' {
			f.b = append(append(f.b, child.RawKey()...), ": "...)
		}
		f.inline(child)
	}
	f.b = append(f.b, kind+2)
}

// respaced returns the edits between two texts that differ in white space between
// tokens only: small ones, so that cursors stay where they are.
func respaced(before, after []byte) []document.Edit {
	edits := []document.Edit{}
	for i, k := 0, 0; ; {
		from, fresh := i, k
		i, k = jcs.Space(before, i), jcs.Space(after, k)
		if old, with := before[from:i], after[fresh:k]; !bytes.Equal(old, with) {
			edits = append(edits, document.Edit{Range: document.Range{Start: from, End: i}, Text: with})
		}
		if i == len(before) {
			return edits
		}
		end := i + 1
		if before[i] == '"' {
			end, _, _ = jcs.String(before, i)
		}
		i, k = end, k+end-i
	}
}
