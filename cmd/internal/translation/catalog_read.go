package translation

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/datachain-go/datachain/internal/wording"
)

// maxEntries limits the entries of a file that is read.
const maxEntries = 1_000_000

// ParseCatalog reads a PO file in UTF-8. Obsolete entries (#~) are skipped; plural forms are an
// error, since texts of a taxonomy have none. Errors name the line.
func ParseCatalog(text []byte) (*Catalog, error) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if !utf8.Valid(text) {
		return nil, errors.New("gettext: the file is not UTF-8")
	}
	p := parser{file: new(Catalog)}
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		if err := p.line(strings.TrimSpace(line), n); err != nil {
			return nil, fmt.Errorf("gettext: line %d: %w", n, err)
		}
	}
	if err := p.end(); err != nil {
		return nil, fmt.Errorf("gettext: line %d: %w", n, err)
	}
	return p.file, nil
}

// parser reads one line after the other.
type parser struct {
	file  *Catalog
	entry Entry
	// into is the string that further lines in quotes belong to.
	into *string
	// begun is set after the first keyword of an entry, and done after msgstr.
	begun, done bool
	// inPrevious is set while the lines of a previous msgid are read.
	inPrevious bool
}

func (p *parser) line(line string, n int) error {
	keyword, text, _ := strings.Cut(line, " ")
	switch {
	case line == "" || strings.HasPrefix(line, "#~"):
		return nil
	case line[0] == '#':
		return p.comment(line)
	case line[0] == '"':
		if p.into == nil {
			return errors.New("a string must follow msgctxt, msgid or msgstr")
		}
		return p.add(line)
	case keyword == "msgctxt" || keyword == "msgid" && (p.done || !p.begun):
		if err := p.start(n); err != nil {
			return err
		}
	}
	switch keyword {
	case "msgctxt":
		p.into = &p.entry.Context
	case "msgid":
		p.into = &p.entry.ID
	case "msgstr":
		if !p.begun || p.done {
			return errors.New("msgstr must follow msgid")
		}
		p.into, p.done = &p.entry.Value, true
	default:
		return fmt.Errorf("unknown keyword %s: texts of a taxonomy have msgctxt, msgid and msgstr", wording.Quote(keyword))
	}
	return p.add(strings.TrimSpace(text))
}

// comment reads a line that begins with #. It belongs to the next entry.
func (p *parser) comment(line string) error {
	if err := p.end(); err != nil {
		return err
	}
	switch {
	case strings.HasPrefix(line, "#,"):
		for flag := range strings.SplitSeq(line[2:], ",") {
			p.entry.Fuzzy = p.entry.Fuzzy || strings.TrimSpace(flag) == "fuzzy"
		}
	case strings.HasPrefix(line, "#."):
		p.entry.Comment += strings.TrimSpace(line[2:]) + "\n"
	case strings.HasPrefix(line, "#|"):
		return p.previous(strings.TrimSpace(line[2:]))
	}
	return nil
}

// previous reads a line about what an entry was before, of which only the msgid matters.
func (p *parser) previous(line string) error {
	keyword, text, _ := strings.Cut(line, " ")
	switch {
	case keyword == "msgid":
		p.inPrevious, line = true, strings.TrimSpace(text)
	case !strings.HasPrefix(line, `"`):
		p.inPrevious = false
	}
	if !p.inPrevious {
		return nil
	}
	s, err := unescape(line)
	p.entry.Previous += s
	return err
}

// start begins an entry.
func (p *parser) start(n int) error {
	if err := p.end(); err != nil {
		return err
	}
	p.begun, p.entry.Line = true, n
	return nil
}

// end adds the current entry to the file, if there is one.
func (p *parser) end() error {
	switch {
	case !p.begun:
		return nil
	case !p.done:
		return errors.New("the entry before it has no msgstr")
	case p.entry.ID == "" && p.entry.Context == "":
		p.header()
	case len(p.file.Entries) >= maxEntries:
		return fmt.Errorf("there are more than %d entries", maxEntries)
	default:
		p.entry.Comment = strings.TrimSuffix(p.entry.Comment, "\n")
		p.file.Entries = append(p.file.Entries, p.entry)
	}
	p.entry, p.into, p.begun, p.done, p.inPrevious = Entry{}, nil, false, false, false
	return nil
}

// header reads the language from the entry without an id.
func (p *parser) header() {
	for line := range strings.Lines(p.entry.Value) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.EqualFold(strings.TrimSpace(name), "language") {
			p.file.Language = strings.TrimSpace(value)
		}
	}
}

// add appends a string in quotes.
func (p *parser) add(quoted string) error {
	s, err := unescape(quoted)
	*p.into += s
	return err
}

// unescape returns the string in quotes.
func unescape(quoted string) (string, error) {
	if len(quoted) < 2 || quoted[0] != '"' || quoted[len(quoted)-1] != '"' {
		return "", fmt.Errorf("%s must be a string in double quotes", wording.Quote(quoted))
	}
	text := quoted[1 : len(quoted)-1]
	var b strings.Builder
	for text != "" {
		if text[0] == '"' {
			return "", errors.New("a quote in a string must be written as \\\"")
		}
		r, multibyte, tail, err := strconv.UnquoteChar(text, '"')
		if err != nil {
			return "", fmt.Errorf("invalid escape in %s", wording.Quote(quoted))
		}
		if multibyte || r < utf8.RuneSelf {
			b.WriteRune(r)
		} else {
			return "", fmt.Errorf("invalid escape in %s", wording.Quote(quoted)) // a byte that is not a character
		}
		text = tail
	}
	return b.String(), nil
}
