package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/explorer"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/adapters/view"
	"github.com/datachain-go/datachain/taxonomy/document"
)

func (p *program) siteCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "site [DOCUMENT|DIR]...",
		Short: "Write the explorer as static files",
		Long: `Write the explorer as static files: every page about every version, in every language,
with relative links, for any web host or bucket. Checking documents needs a server and
is left out. With --assets, visitors can search: a script loads what it needs, about
5 MB, when they first do.

Documents, thin or resolved, are added as pages with their resolved JSON. Of a
directory, all documents in it are. A document in several files is one page. The default
is the documents of the project file, datachain.yaml.`,
		Example: `  datachain site --out public --store dist
  datachain site documents --out public --base-url https://example.org/datachain
  datachain site --out public --store dist --assets web/wasm/dist`,
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: completeJSON,
	}
	from := p.locationFlags(cmd)
	out := cmd.Flags().String("out", "", "write into this `dir`ectory, which must be empty or not exist")
	base := new(string)
	completeKind(cmd, cmd.Flags().VarPF(newValue("URL", "", baseURL(base)), "base-url", "", "URL of the site, for canonical links"))
	assets := cmd.Flags().String("assets", "", "`dir`ectory of the WebAssembly modules that 'make web' builds, web/wasm/dist, for searching, and for pictures in previews of links if --base-url is set")
	dirFlag(cmd, "out")
	dirFlag(cmd, "assets")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if *out == "" {
			return errors.New("--out is required: name the directory to write")
		}
		if err := vacant(p.path(*out), ""); err != nil {
			return fmt.Errorf("--out %s: %w", *out, err)
		}
		schemas, err := p.open(cmd.Context(), *from)
		if err != nil {
			return err
		}
		docs, err := p.siteDocuments(cmd, schemas, args)
		if err != nil {
			return err
		}
		o := &explorer.Options{BaseURL: *base}
		if o.Assets, err = p.siteAssets(*assets); err != nil {
			return err
		}
		if err := p.addPictures(*assets, o); err != nil {
			return err
		}
		if err := p.writeSite(cmd.Context(), schemas.Service, *out, o, docs); err != nil {
			return fmt.Errorf("--out %s: %w", *out, err)
		}
		_, err = fmt.Fprintf(p.stdout, "Wrote the site to %s. Open %s.\n", *out, filepath.Join(*out, "index.html"))
		return err
	}
	return cmd
}

// writeSite writes the files.
func (p *program) writeSite(ctx context.Context, service *datachain.Service, out string, o *explorer.Options, docs []explorer.SiteDocument) error {
	pages, err := explorer.New(service, o)
	if err != nil {
		return err
	}
	api, err := httpapi.New(service, &httpapi.Options{BaseURL: o.BaseURL, CacheBytes: -1, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	return fill(p.path(out), func(dir string) error {
		return pages.WriteSite(ctx, func(name string, body []byte) error {
			file := filepath.Join(dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
				return err
			}
			return os.WriteFile(file, body, 0o666)
		}, &explorer.SiteOptions{API: api, Documents: docs})
	})
}

// siteAssets returns the files by which a site is searched, or nil if none are named.
func (p *program) siteAssets(dir string) (fs.FS, error) {
	if dir == "" {
		return nil, nil //nolint:nilnil // a site without search
	}
	files := os.DirFS(p.path(dir))
	for _, name := range explorer.SiteAssets() {
		if _, err := fs.Stat(files, name); err != nil {
			return nil, fmt.Errorf("--assets %s: %s is missing: build it with 'make web', and name web/wasm/dist", dir, name)
		}
	}
	return files, nil
}

// siteDocuments reads the documents of a site. All findings are printed, and an invalid
// document is an error. Files with the same document, such as its thin and its resolved
// form, are one page, named for the first of them.
func (p *program) siteDocuments(cmd *cobra.Command, schemas *schemaSet, typed []string) ([]explorer.SiteDocument, error) {
	if len(typed) == 0 {
		var err error
		if typed, err = p.projectDocuments(); err != nil || len(typed) == 0 {
			return nil, err
		}
	}
	inputs, err := p.documents(cmd, typed)
	if err != nil {
		return nil, err
	}
	var list []explorer.SiteDocument
	names, known := make(map[string]string), make(map[string]bool)
	for _, in := range inputs {
		d, err := p.siteDocument(cmd.Context(), schemas, in)
		if err != nil {
			return nil, err
		}
		same, err := document.Canonical(d.JSON)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", in.name, err)
		}
		if known[string(same)] {
			continue
		}
		known[string(same)] = true
		// Many file systems do not tell upper case from lower case.
		if other, taken := names[strings.ToLower(d.Name)]; taken {
			return nil, fmt.Errorf("%s and %s are different documents, but their pages have the same name: rename one of the files", other, in.name)
		}
		names[strings.ToLower(d.Name)] = in.name
		list = append(list, *d)
	}
	return list, nil
}

func (p *program) siteDocument(ctx context.Context, schemas *schemaSet, in input) (*explorer.SiteDocument, error) {
	file, err := p.read(in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", in.name, err)
	}
	v, shown, err := schemas.Present(ctx, file.Text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", in.name, err)
	}
	if err := p.printFindings(schemas.newFile(in, file.Text, v, nil, false)); err != nil {
		return nil, err
	}
	resolved, err := schemas.resolved(ctx, file.Text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", in.name, err)
	}
	return &explorer.SiteDocument{
		Name: documentName(in.name), Title: shown.Datachain.Title, JSON: resolved,
		Page: func(locale string) ([]byte, error) {
			var b bytes.Buffer
			_, err := view.Write(&b, shown, &view.Options{Locale: locale})
			return b.Bytes(), err
		},
	}, nil
}

// resolved returns a valid document in its resolved form.
func (s *schemaSet) resolved(ctx context.Context, text []byte) ([]byte, error) {
	doc, err := document.Parse(text)
	if err != nil || datachain.IsResolved(doc) {
		return text, err
	}
	schema, err := s.OpenFor(ctx, text)
	if err != nil {
		return nil, err
	}
	_, bundle, err := schema.Resolve(ctx, text, nil)
	if err != nil {
		return nil, err
	}
	return bundle.AppendJSON(nil), nil
}

// documentName returns the name of the files of a document: the name of its own file
// without extensions, with hyphens for characters that a URL would escape.
func documentName(path string) string {
	name := filepath.Base(path)
	for _, extension := range []string{".json", ".resolved", ".datachain"} {
		name = strings.TrimSuffix(name, extension)
	}
	return strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '-', r == '_', r == '.':
			return r
		}
		return '-'
	}, name)
}
