package publish

import (
	"fmt"
	"io"
	"path"

	"github.com/datachain-go/datachain/internal/published"
	"github.com/datachain-go/datachain/taxonomy"
)

// part is a directory of a release that is written as a whole.
type part struct {
	dir   string
	files []File
}

// releaseJSON returns the file that holds a release without its symbols.
func releaseJSON(r *taxonomy.Release) File {
	return File{published.ReleaseFile, func(w io.Writer) error {
		_, err := r.WriteTo(w)
		return err
	}}
}

// symbols returns the files of symbols.
func symbols(r *taxonomy.Release) part {
	p := part{dir: published.Symbols}
	for _, id := range r.SymbolIDs() {
		p.files = append(p.files, File{published.Symbol(id), func(w io.Writer) error {
			svg, _ := r.Symbol(id)
			_, err := io.WriteString(w, svg)
			return err
		}})
	}
	return p
}

// content returns the files that the content hash covers, in [LayoutFiles].
func content(r *taxonomy.Release) []File {
	files := []File{releaseJSON(r)}
	for _, f := range symbols(r).files {
		files = append(files, File{path.Join(published.Symbols, f.Name), f.Write})
	}
	return files
}

// derived returns the files that follow from the content, by subdirectory.
func derived(r *taxonomy.Release, o *Options) []part {
	icons, search := part{dir: published.Icons}, part{dir: published.Search}
	if o.Icon != nil {
		for _, e := range r.Elements() {
			for _, variant := range e.IconVariants {
				icons.files = append(icons.files, File{published.Icon(e.ID, variant), func(w io.Writer) error {
					svg, err := o.Icon(r, e, variant)
					if err != nil {
						return fmt.Errorf("icon of %s as %s: %w", e.ID, variant, err)
					}
					_, err = w.Write(svg)
					return err
				}})
			}
		}
	}
	if o.SearchIndex != nil {
		for _, locale := range searchLocales(r) {
			name, _ := published.SearchIndex(locale)
			search.files = append(search.files, File{name, func(w io.Writer) error {
				data, err := o.SearchIndex(r, locale)
				if err != nil {
					return fmt.Errorf("search index for %s: %w", locale, err)
				}
				_, err = w.Write(data)
				return err
			}})
		}
	}
	return []part{icons, search}
}
