package source

import (
	"bytes"
	"regexp"
	"slices"

	"github.com/datachain-go/datachain/taxonomy/document"
)

// beforeValue is the start of a line with a key or a dash, and too much space before what
// follows.
var beforeValue = regexp.MustCompile(`^ *(?:- +)*(?:- |[A-Za-z0-9_.$-]+: )( +)[^ #]`)

// Format returns the edits that tidy the white space of a YAML file: none at the ends of
// lines, one blank line between others and none at the start and the end, and one space
// after a key or a dash. Indentation and comments stay as they are. An edit that would
// change what the file says is left out: white space in a text that spans lines means
// something. There are none for a file that can't be parsed.
func Format(text []byte) []document.Edit {
	root, p := parseYAML(trimBOM(text))
	if p != nil {
		return []document.Edit{}
	}
	harmless := func(edits []document.Edit) bool {
		tidy, err := document.ApplyEdits(text, edits)
		if err != nil {
			return false
		}
		again, p := parseYAML(trimBOM(tidy))
		return p == nil && root.says(again)
	}
	edits := respace(text)
	if harmless(edits) {
		return edits
	}
	const most = 200 // each needs a parse
	kept := []document.Edit{}
	for _, e := range edits[:min(len(edits), most)] {
		if next := append(slices.Clip(kept), e); harmless(next) {
			kept = next
		}
	}
	return kept
}

// respace returns the edits of all lines.
func respace(text []byte) []document.Edit {
	edits := []document.Edit{}
	replace := func(start, end int, with string) {
		if string(text[start:end]) != with {
			edits = append(edits, document.Edit{Range: document.Range{Start: start, End: end}, Text: []byte(with)})
		}
	}
	newline := "\n"
	if bytes.Contains(text, []byte("\r\n")) {
		newline = "\r\n"
	}
	start := len(text) - len(trimBOM(text))
	blank, first := start, true // where the blank lines before a line begin
	for start < len(text) {
		end := start + bytes.IndexByte(text[start:], '\n')
		if end < start {
			end = len(text)
		}
		kept := bytes.TrimRight(text[start:end], " \t\r")
		next := min(end+1, len(text))
		if len(kept) == 0 {
			start = next
			continue
		}
		switch {
		case first:
			replace(blank, start, "")
		case start > blank:
			replace(blank, start, newline)
		}
		first = false
		if at := beforeValue.FindSubmatchIndex(kept); at != nil {
			replace(start+at[2], start+at[3], "")
		}
		replace(start+len(kept), next, newline)
		start, blank = next, next
	}
	if !first {
		replace(blank, len(text), "")
	}
	return edits
}

// says reports whether two files say the same, wherever in the text that is.
func (n *node) says(other *node) bool {
	if n.kind != other.kind || n.value != other.value || n.key != other.key || n.blank != other.blank || n.comment != other.comment || len(n.items) != len(other.items) {
		return false
	}
	for i := range n.items {
		if !n.items[i].says(&other.items[i]) {
			return false
		}
	}
	return true
}
