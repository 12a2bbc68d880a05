package taxonomy

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// parts is a release as JSON texts, before anything is known of them. Both a
// release.json and the content that a program made go this way, so what is
// true of the one holds for the other.
type parts struct {
	manifest, typ        []byte
	categories, elements [][]byte
	symbols              map[string]string
}

// split cuts a release.json into its parts. What it lets through unchecked,
// build checks part by part.
func split(text []byte) (parts, error) {
	var p parts
	dec := jsontext.NewDecoder(bytes.NewBuffer(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	fail := func(err error) (parts, error) {
		// The strict decoder says best what is wrong with the text.
		if _, strict := ParseDocument(text); strict != nil {
			err = strict
		}
		return parts{}, &ReleaseError{Path: Root, Reason: err.Error(), Err: err}
	}
	if dec.PeekKind() != '{' {
		return fail(errors.New("want an object with manifest, datachain_type, categories and elements"))
	}
	if _, err := dec.ReadToken(); err != nil {
		return fail(err)
	}
	seen := make(map[string]bool)
	for dec.PeekKind() != '}' {
		tok, err := dec.ReadToken()
		if err != nil {
			return fail(err)
		}
		key := tok.String()
		if seen[key] {
			return fail(fmt.Errorf("the key %q stands twice", key))
		}
		seen[key] = true
		if err := p.read(dec, key); err != nil {
			return fail(err)
		}
	}
	if _, err := dec.ReadToken(); err != nil {
		return fail(err)
	}
	if _, err := dec.ReadToken(); !errors.Is(err, io.EOF) {
		return fail(errors.New("there is more text after the release"))
	}
	for _, key := range []string{"manifest", "datachain_type", "categories", "elements"} {
		if !seen[key] {
			return fail(fmt.Errorf("%s is missing", key))
		}
	}
	return p, nil
}

// read takes the value of one key of a release.json.
func (p *parts) read(dec *jsontext.Decoder, key string) (err error) {
	switch key {
	case "manifest":
		p.manifest, err = readValue(dec)
	case "datachain_type":
		p.typ, err = readValue(dec)
	case "categories":
		p.categories, err = readList(dec, key)
	case "elements":
		p.elements, err = readList(dec, key)
	case "symbols":
		var raw []byte
		if raw, err = readValue(dec); err == nil {
			err = json.Unmarshal(raw, &p.symbols)
		}
	default:
		// The hash covers the parts alone, so nothing else may ride along.
		err = fmt.Errorf("unknown key %q", key)
	}
	return err
}

func readValue(dec *jsontext.Decoder) ([]byte, error) {
	raw, err := dec.ReadValue()
	return raw.Clone(), err
}

func readList(dec *jsontext.Decoder, key string) ([][]byte, error) {
	if dec.PeekKind() != '[' {
		return nil, fmt.Errorf("%s: want a list", key)
	}
	if _, err := dec.ReadToken(); err != nil {
		return nil, err
	}
	var items [][]byte
	for dec.PeekKind() != ']' {
		raw, err := dec.ReadValue()
		if err != nil {
			return nil, err
		}
		// The decoder reads from the whole text, so raw stays valid; the
		// items are copied when they are brought into canonical form.
		items = append(items, raw)
	}
	_, err := dec.ReadToken()
	return items, err
}

// build makes a release of its parts, whole or not at all. Where sign is set
// the content hash is written into the manifest, otherwise it must be the one
// that stands there.
func build(p parts, sign bool) (*Release, error) {
	r := &Release{symbols: p.symbols, symbolIDs: slices.Sorted(maps.Keys(p.symbols))}
	if r.symbols == nil {
		r.symbols = map[string]string{}
	}
	b := builder{r: r}
	b.part(Root.Key("manifest"), p.manifest, &r.manifest, &r.manifestJSON)
	r.version = r.manifest.ID
	b.part(Root.Key("datachain_type"), p.typ, &r.typ, &r.typeJSON)
	r.categoryJSON = make([]string, len(p.categories))
	for i, raw := range p.categories {
		c := new(Category)
		b.part(Root.Key("categories").Index(i), raw, c, &r.categoryJSON[i])
		r.categories = append(r.categories, c)
	}
	leaves := b.elements(p.elements)
	if b.err == nil {
		b.err = r.check()
	}
	if b.err != nil {
		return nil, b.err
	}
	if err := r.seal(leaves, sign); err != nil {
		return nil, err
	}
	for s := range r.segments() {
		r.releaseLength += len(s)
	}
	return r, nil
}

// seal computes the content hash and writes or compares it.
func (r *Release) seal(elements []leaf, sign bool) error {
	t, err := r.contentTree(elements)
	if err != nil {
		return err
	}
	hash, err := t.root()
	if err != nil {
		return err
	}
	if !sign {
		if want := r.manifest.ContentHash; hash != want {
			return &ReleaseError{
				Version: r.version.String(), Path: Root.Key("manifest").Key("content_hash"), Err: ErrHashMismatch,
				Reason: fmt.Sprintf("%v: the manifest says %s, the content has %s", ErrHashMismatch, want, hash),
			}
		}
		return nil
	}
	r.manifest.ContentHash = hash
	text, err := MarshalCanonical(r.manifest)
	r.manifestJSON = string(text)
	return err
}

// builder reads the parts of a release and keeps the first error.
type builder struct {
	r   *Release
	err error
}

func (b *builder) fail(path Path, reason string, cause error) {
	if b.err == nil {
		b.err = &ReleaseError{Version: b.r.version.String(), Path: path, Reason: reason, Err: cause}
	}
}

// part brings one part into canonical form and reads it.
func (b *builder) part(path Path, raw []byte, into any, text *string) {
	if b.err != nil {
		return
	}
	canonical, err := Canonical(raw)
	if err == nil {
		err = json.Unmarshal(canonical, into)
	}
	if err != nil {
		b.fail(path, reason(err), err)
		return
	}
	*text = string(canonical)
}

// minChunk is how many elements are worth a goroutine.
const minChunk = 256

// elements reads the elements, on all processors where they are many.
func (b *builder) elements(raw [][]byte) []leaf {
	r, n := b.r, len(raw)
	r.elements, r.elementJSON = make([]*Element, n), make([]string, n)
	leaves := make([]leaf, n, n+len(r.categories)+len(r.symbolIDs)+2)
	slab := make([]Element, n)
	chunk := max(minChunk, (n+runtime.GOMAXPROCS(0)-1)/runtime.GOMAXPROCS(0))
	errs := make([]error, (n+chunk-1)/chunk)
	var wg sync.WaitGroup
	for c := range errs {
		wg.Go(func() {
			start, end := c*chunk, min((c+1)*chunk, n)
			reader := newElementReader(raw[start:end])
			for i := start; i < end; i++ {
				e := &slab[i]
				text, canonical, err := reader.read(raw[i], e)
				if err != nil {
					errs[c] = &ReleaseError{
						Version: r.version.String(), Path: Root.Key("elements").Index(i),
						Reason: reason(err), Err: err,
					}
					return
				}
				r.elements[i], r.elementJSON[i] = e, text
				leaves[i] = newLeaf(leafElement+"/"+e.ID, canonical)
			}
		})
	}
	wg.Wait()
	if i := slices.IndexFunc(errs, func(err error) bool { return err != nil }); i >= 0 && b.err == nil {
		b.err = errs[i]
	}
	return leaves
}

// reason says what is wrong in the words of the innermost JSON error.
func reason(err error) string {
	var semantic *json.SemanticError
	if errors.As(err, &semantic) {
		what := fmt.Sprintf("can't be a %s", semantic.JSONKind)
		if semantic.Err != nil {
			what = semantic.Err.Error()
		}
		if at := semantic.JSONPointer; at != "" {
			return string(at) + ": " + what
		}
		return what
	}
	return err.Error()
}
