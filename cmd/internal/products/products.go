// Package products reads products of suppliers, and keeps the copies that documents are based on.
package products

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/cmd/internal/fetch"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/internal/files"
	"github.com/datachain-go/datachain/internal/limited"
	"github.com/datachain-go/datachain/internal/parallel"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/register/product"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Source is where products are read: files and URLs, each once. It is safe for concurrent use.
type Source struct {
	service *datachain.Service
	client  *fetch.Client
	dir     string // the working directory

	read parallel.Memo[string, *Product]
}

// New returns a source. Names of files are relative to a directory.
func New(service *datachain.Service, client *fetch.Client, dir string) *Source {
	return &Source{service: service, client: client, dir: dir}
}

// Product is a product that was read.
type Product struct {
	*document.Document
	// URL is where it was read, or "" for a file.
	URL string
	// Edition is the hash of its text.
	Edition string
}

// ErrUnusable means that a text was read, and is not a product or has mistakes.
var ErrUnusable = errors.New("can't use the product")

// IsURL reports whether a name is a URL, and not a file.
func IsURL(name string) bool { return strings.Contains(name, "://") }

// Read reads and validates the product at a URL or in a file. One that has mistakes besides its
// gaps is an error. Each is read once.
func (s *Source) Read(ctx context.Context, name string) (*Product, error) {
	return s.read.Get(name, func() (*Product, error) { return s.open(ctx, name) })
}

func (s *Source) open(ctx context.Context, name string) (*Product, error) {
	p, shown := new(Product), wording.Line(name)
	var text []byte
	var err error
	if IsURL(name) {
		p.URL, shown = name, wording.Line(stores.Redacted(name))
		text, err = s.client.Get(ctx, name)
	} else {
		text, err = readFile(files.Absolute(s.dir, name))
	}
	if err != nil {
		return nil, fmt.Errorf("can't read the product %s: %w", shown, err)
	}
	doc, found, err := product.Read(ctx, s.service, text)
	if err != nil {
		return nil, fmt.Errorf("%w %s: %w", ErrUnusable, shown, err)
	}
	if wrong := found.With(issue.SeverityError); len(wrong) > 0 {
		return nil, fmt.Errorf("%w %s, which has %s besides its gaps; the first: %s", ErrUnusable, shown,
			wording.Count(len(wrong), "mistake"), wording.Line(wrong[0].String()))
	}
	p.Document, p.Edition = doc, product.Edition(doc)
	return p, nil
}

// readFile reads a product from a file.
func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, errors.New(wording.Reason(err))
	}
	defer func() { _ = f.Close() }() // it was only read
	text, err := limited.Read(f, fetch.MaxFile, 0)
	if errors.Is(err, limited.ErrTooLarge) {
		return nil, fetch.ErrTooLarge
	}
	return text, err
}

// basesDir is the directory with copies of products, beside documents. Its name begins with a period,
// so that registers do not read it.
const basesDir = ".bases"

// BaseFile returns the file with the product that a document is based on.
func BaseFile(path, edition string) string {
	return filepath.Join(filepath.Dir(path), basesDir, edition+".json")
}

// ReadBase reads a copy of the product that a document is based on, from a file that may be missing:
// then the document is nil. A copy with another hash is refused.
func ReadBase(file, edition string) (*document.Document, error) {
	text, err := readFile(file)
	if _, missing := os.Stat(file); errors.Is(missing, fs.ErrNotExist) {
		return nil, nil //nolint:nilnil // it is optional
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	doc, err := document.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if now := product.Edition(doc); now != edition {
		return nil, fmt.Errorf("%s has another content than its name says, and is refused: restore it, or remove it to read it again", file)
	}
	return doc, nil
}

// KeepBase writes the copy of a product beside a document that is based on it.
func KeepBase(path string, p *Product) error {
	file := BaseFile(path, p.Edition)
	if kept, err := ReadBase(file, p.Edition); err == nil && kept != nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return fmt.Errorf("can't keep the product: %s", wording.Reason(err))
	}
	if err := files.Rewrite(file, p.Text()); err != nil {
		return fmt.Errorf("can't keep the product in %s: %s", file, wording.Reason(err))
	}
	return nil
}

// SweepBases removes the copies in a directory that no document in it is based on any more.
func SweepBases(dir string) {
	kept, err := os.ReadDir(filepath.Join(dir, basesDir))
	if err != nil || len(kept) == 0 {
		return
	}
	used := make(map[string]bool)
	documents, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, d := range documents {
		if !strings.EqualFold(filepath.Ext(d.Name()), ".json") || d.IsDir() {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, d.Name()))
		if err != nil {
			return // it may be based on any
		}
		doc, err := document.Parse(text)
		if err != nil {
			return
		}
		if b, ok := product.Base(doc); ok {
			used[b.Edition] = true
		}
	}
	for _, f := range kept {
		if edition, ok := strings.CutSuffix(f.Name(), ".json"); ok && product.IsEdition(edition) && !used[edition] {
			_ = os.Remove(filepath.Join(dir, basesDir, f.Name())) // it is only in the way
		}
	}
}
