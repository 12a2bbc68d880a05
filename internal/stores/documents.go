package stores

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/datachain-go/datachain/documents"
	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/internal/source"
)

// OpenDocuments opens the documents in a directory, or those of another register at a URL.
func OpenDocuments(at string, o *Options) (documents.Origin, error) {
	if strings.Contains(at, "://") {
		return openMirror(at, o)
	}
	origin, err := documents.Directory(absolute(o.Dir, at), &documents.DirectoryOptions{YAML: settingsJSON})
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, ErrNoDir
	case err != nil:
		return nil, errors.New(Reason(err))
	}
	return origin, nil
}

// Documents returns the documents that were published into the store, or nil if it can't
// have any.
func (o *Opened) Documents(name string) documents.Origin {
	files, ok := o.Store.(documents.Files)
	if !ok {
		return nil
	}
	return documents.Stored(name, files)
}

// settingsJSON turns the YAML of a register.yaml into JSON. All its values are texts, so
// that a telephone number needs no quotes.
func settingsJSON(text []byte) ([]byte, error) {
	v, wrong := source.ParseValue("register.yaml", text)
	if wrong != nil {
		return nil, fmt.Errorf("line %d: %s", wrong.Position.Line, strings.TrimSuffix(wrong.Message, "."))
	}
	if !v.IsObject() { // such as an empty file that is just being written
		return nil, errors.New("it must have keys and values")
	}
	return appendSettings(nil, v), nil
}

func appendSettings(b []byte, v source.Value) []byte {
	open, end := byte('{'), byte('}')
	switch scalar, ok := v.Scalar(); {
	case ok:
		return jcs.AppendQuote(b, scalar)
	case !v.Exists():
		return append(b, "null"...)
	case v.IsList():
		open, end = '[', ']'
	}
	b = append(b, open)
	first := true
	for item := range v.Items() {
		if !item.Exists() {
			continue // a key without a value
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		if open == '{' {
			b = append(jcs.AppendQuote(b, item.Key()), ':')
		}
		b = appendSettings(b, item)
	}
	return append(b, end)
}
