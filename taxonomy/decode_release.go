package taxonomy

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// parts is a release as unchecked JSON texts. Both [DecodeRelease] and [NewRelease] build a
// release from parts, so that both check the same.
type parts struct {
	manifest, typ        string
	categories, elements []string
	symbols              map[string]string
}

// splitter cuts a release.json into its parts, which build checks.
type splitter struct {
	text string
	dec  *jsontext.Decoder
}

func split(text []byte) (parts, error) {
	s := splitter{
		text: string(text), // the release keeps texts that are cut from it
		dec:  jsontext.NewDecoder(bytes.NewBuffer(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)),
	}
	p, path, err := s.parts()
	if err == nil {
		return p, nil
	}
	// The strict parser has the best description of a syntax error.
	var syntax *document.SyntaxError
	if _, strict := document.Parse(text); errors.As(strict, &syntax) {
		return parts{}, &releaseError{Path: syntax.Path, Reason: syntax.Error(), Err: syntax}
	}
	return parts{}, &releaseError{Path: path, Reason: err.Error(), Err: err}
}

// parts reads the whole text; path is the place of an error.
func (s *splitter) parts() (p parts, path issue.Path, err error) {
	if s.dec.PeekKind() != '{' {
		return p, issue.Root, errors.New("must be an object with manifest, datachain_type, categories and elements")
	}
	if _, err := s.dec.ReadToken(); err != nil {
		return p, issue.Root, err
	}
	seen := make(map[string]bool)
	for s.dec.PeekKind() != '}' {
		tok, err := s.dec.ReadToken()
		if err != nil {
			return p, issue.Root, err
		}
		key := tok.String()
		if seen[key] {
			return p, issue.Root.Key(key), errors.New("the key appears twice")
		}
		seen[key] = true
		if err := s.part(key, &p); err != nil {
			return p, issue.Root.Key(key), err
		}
	}
	if _, err := s.dec.ReadToken(); err != nil {
		return p, issue.Root, err
	}
	if strings.Trim(s.text[s.dec.InputOffset():], " \t\r\n") != "" {
		return p, issue.Root, errors.New("there is more text after the release")
	}
	for _, key := range []string{"manifest", "datachain_type", "categories", "elements"} {
		if !seen[key] {
			return p, issue.Root.Key(key), errors.New("missing")
		}
	}
	return p, nil, nil
}

// part reads the value of one key of a release.json.
func (s *splitter) part(key string, p *parts) (err error) {
	switch key {
	case "manifest":
		p.manifest, err = s.value()
	case "datachain_type":
		p.typ, err = s.value()
	case "categories":
		p.categories, err = s.list()
	case "elements":
		p.elements, err = s.list()
	case "symbols":
		if s.dec.PeekKind() != '{' {
			return errors.New("must be an object of SVG texts by symbol id")
		}
		var raw string
		if raw, err = s.value(); err == nil {
			err = json.Unmarshal([]byte(raw), &p.symbols)
		}
	default: // the hash would not cover it
		err = errors.New("unknown key")
	}
	return err
}

func (s *splitter) value() (string, error) {
	raw, err := s.dec.ReadValue()
	end := s.dec.InputOffset()
	return s.text[end-int64(len(raw)) : end], err
}

func (s *splitter) list() ([]string, error) {
	if s.dec.PeekKind() != '[' {
		return nil, errors.New("must be an array")
	}
	if _, err := s.dec.ReadToken(); err != nil {
		return nil, err
	}
	var items []string
	for s.dec.PeekKind() != ']' {
		item, err := s.value()
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	_, err := s.dec.ReadToken()
	return items, err
}

// build returns the release of some parts. If sign is set, it writes the content hash into
// the manifest; otherwise the hash in the manifest must match.
func build(p parts, sign bool) (*Release, error) {
	r := &Release{symbols: maps.Clone(p.symbols), symbolIDs: slices.Sorted(maps.Keys(p.symbols))}
	b := builder{r: r}
	b.head(p)
	elements := b.elements(p.elements)
	if b.err != nil {
		return nil, b.err
	}
	if err := r.check(elements); err != nil {
		return nil, err
	}
	if err := r.seal(sign); err != nil {
		return nil, err
	}
	for s := range r.segments(false) {
		r.releaseLength += len(s)
	}
	return r, nil
}

// seal computes the content hash, and writes it into the manifest or compares it with the one
// there.
func (r *Release) seal(sign bool) (err error) {
	hash := r.contentHash()
	if sign {
		r.manifest.ContentHash = hash
		r.manifestJSON, err = editManifest(r.manifestJSON, map[string]any{"content_hash": hash})
		return err
	}
	if want := r.manifest.ContentHash; hash != want {
		qualifier := ""
		if r.symbols == nil {
			qualifier = "without symbols, "
		}
		return &releaseError{
			Version: r.version.String(), Path: manifestPath.Key("content_hash"), Err: ErrHashMismatch,
			Reason: fmt.Sprintf("%v: the manifest has %s, %sthe content has %s", ErrHashMismatch, want, qualifier, hash),
		}
	}
	return nil
}

// builder decodes the parts of a release and keeps the first error.
type builder struct {
	r         *Release
	read      treeReader
	canonical []byte // the buffer of part
	err       error
}

// head decodes everything but the elements.
func (b *builder) head(p parts) {
	r := b.r
	part(b, manifestPath, p.manifest, &r.manifest, &r.manifestJSON)
	r.version = r.manifest.ID
	r.removed = removals(&r.manifest)
	part(b, typePath, p.typ, &r.typ, &r.typeJSON)
	r.categories, r.categoryJSON = make([]*Category, len(p.categories)), make([]string, len(p.categories))
	for i, text := range p.categories {
		r.categories[i] = new(Category)
		part(b, categoriesPath.Index(i), text, r.categories[i], &r.categoryJSON[i])
	}
}

// part decodes one part and keeps its canonical text.
func part[T any](b *builder, path issue.Path, text string, into *T, canonical *string) {
	if b.err != nil {
		return
	}
	d, err := document.Parse([]byte(text))
	if err == nil {
		b.canonical = d.Root().AppendCanonical(b.canonical[:0])
		if string(b.canonical) != text {
			d, err = document.Parse(slices.Clone(b.canonical))
		}
	}
	if err == nil {
		*canonical = d.String()
		err = decode(&b.read, d, into)
	}
	if err != nil {
		b.err = b.r.partError(path, err)
	}
}

// elements decodes the elements.
func (b *builder) elements(texts []string) []*Element {
	values := make([]*Element, len(texts))
	b.r.elementJSON = make([]string, len(texts))
	for i, text := range texts {
		values[i] = new(Element)
		part(b, elementsPath.Index(i), text, values[i], &b.r.elementJSON[i])
	}
	return values
}
