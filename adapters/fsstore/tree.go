package fsstore

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"

	"github.com/datachain-go/datachain/taxonomy"
)

// output is a file of a release: its name in the folder of the release, and how
// to write it.
type output struct {
	name  string
	write func(w io.Writer) error
}

// contentFiles returns the files that the content hash covers.
func contentFiles(r *taxonomy.Release) []output {
	files := []output{{releaseFile, func(w io.Writer) error {
		_, err := r.WriteTo(w)
		return err
	}}}
	for _, id := range r.SymbolIDs() {
		files = append(files, output{path.Join(symbolsDir, id+svgSuffix), func(w io.Writer) error {
			svg, _ := r.Symbol(id)
			_, err := io.WriteString(w, svg)
			return err
		}})
	}
	return files
}

// iconFiles returns the pre-baked icons, none without a way to draw them.
func iconFiles(r *taxonomy.Release, draw IconFunc) []output {
	if draw == nil {
		return nil
	}
	var files []output
	for _, e := range r.Elements() {
		for _, variant := range e.IconVariants {
			files = append(files, output{path.Join(iconsDir, e.ID, variant+svgSuffix), func(w io.Writer) error {
				svg, err := draw(r, e, variant)
				if err != nil {
					return fmt.Errorf("icon of %s as %s: %w", e.ID, variant, err)
				}
				_, err = w.Write(svg)
				return err
			}})
		}
	}
	return files
}

// indexFiles returns the search indexes, none without a way to make them.
func indexFiles(r *taxonomy.Release, index IndexFunc) []output {
	if index == nil {
		return nil
	}
	var files []output
	for _, locale := range r.Locales() {
		if !validLocale(locale) {
			continue // it can't name a file; whoever serves the store makes it
		}
		files = append(files, output{path.Join(searchDir, locale+indexSuffix), func(w io.Writer) error {
			data, err := index(r, locale)
			if err != nil {
				return fmt.Errorf("search index for %s: %w", locale, err)
			}
			_, err = w.Write(data)
			return err
		}})
	}
	return files
}

// folders returns the folders that files need, each after the one it is in.
func folders(files []output) []string {
	var dirs []string
	for _, f := range files {
		for dir := path.Dir(f.name); dir != "."; dir = path.Dir(dir) {
			dirs = append(dirs, dir)
		}
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

// intact reports whether files of a folder are, byte for byte, what they should
// be. An error is that of writing an output, never of reading the folder: what
// can't be read is not intact.
func (p *publisher) intact(ctx context.Context, dir string, files []output) (bool, error) {
	err := p.each(ctx, len(files), func(_, i int) error {
		same, err := equal(p.fsys, path.Join(dir, files[i].name), files[i].write)
		if err == nil && !same {
			return errDiffers
		}
		return err
	})
	if errors.Is(err, errDiffers) {
		return false, nil
	}
	return err == nil, err
}

// noneAdded reports whether a folder holds no symbols but those of the release.
func noneAdded(fsys fs.FS, dir string, r *taxonomy.Release) bool {
	entries, err := fs.ReadDir(fsys, path.Join(dir, symbolsDir))
	if err != nil {
		return len(r.SymbolIDs()) == 0 && errors.Is(err, fs.ErrNotExist)
	}
	for _, e := range entries {
		if id, ok := symbolID(e.Name()); ok {
			if _, known := r.Symbol(id); !known {
				return false
			}
		}
	}
	return true
}

// equal reports whether a file can be opened and holds what write writes.
func equal(fsys fs.FS, name string, write func(io.Writer) error) (bool, error) {
	f, _, err := openFile(fsys, name)
	if err != nil {
		return false, nil
	}
	defer closeRead(f)
	c := comparer{file: bufio.NewReader(f)}
	switch err := buffered(bufio.NewWriter(&c), write); {
	case errors.Is(err, errDiffers):
		return false, nil
	case err != nil:
		return false, err
	}
	_, err = c.file.ReadByte()
	return errors.Is(err, io.EOF), nil
}

var errDiffers = errors.New("differs")

// comparer is a writer that takes only what a file holds, in order.
type comparer struct {
	file *bufio.Reader
	buf  []byte
}

func (c *comparer) Write(p []byte) (int, error) {
	c.buf = slices.Grow(c.buf[:0], len(p))[:len(p)]
	if _, err := io.ReadFull(c.file, c.buf); err != nil || !bytes.Equal(p, c.buf) {
		return 0, errDiffers
	}
	return len(p), nil
}
