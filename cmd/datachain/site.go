package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/explorer"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/documents"
	"github.com/datachain-go/datachain/internal/stores"
)

func (p *program) siteCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "site [DOCUMENT|DIR]...",
		Short: "Write the explorer as static files",
		Long: `Write the explorer as static files: every page about every version, in every language,
with relative links, for any web host or bucket. Checking documents needs a server and
is left out. With --assets, visitors can search: a script loads what it needs, about
5 MB, when they first do.

Documents, thin or resolved, are added as a register: a list, and a page for each of them
in every language, with its history. Of a directory, all documents in it are. The default
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
		register, done, err := p.siteDocuments(cmd, schemas, args)
		if err != nil {
			return err
		}
		defer done()
		o := &explorer.Options{BaseURL: *base, Documents: register}
		if o.Assets, err = p.siteAssets(*assets); err != nil {
			return err
		}
		if err := p.addPictures(*assets, o); err != nil {
			return err
		}
		if err := p.writeSite(cmd.Context(), schemas.Service, *out, o); err != nil {
			return fmt.Errorf("--out %s: %w", *out, err)
		}
		_, err = fmt.Fprintf(p.stdout, "Wrote the site to %s. Open %s.\n", *out, filepath.Join(*out, "index.html"))
		return err
	}
	return cmd
}

// writeSite writes the files.
func (p *program) writeSite(ctx context.Context, service *datachain.Service, out string, o *explorer.Options) error {
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
		}, &explorer.SiteOptions{API: api})
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

// siteDocuments returns the register of the documents of a site, or nil if there are none.
// All findings are printed, and an invalid document is an error. Files that were named are
// copied to a temporary directory; done removes it.
func (p *program) siteDocuments(cmd *cobra.Command, schemas *schemaSet, typed []string) (_ *documents.Register, done func(), err error) {
	if len(typed) == 0 {
		if typed, err = p.projectDocuments(); err != nil || len(typed) == 0 {
			return nil, func() {}, err
		}
	}
	inputs, err := p.documents(cmd, typed)
	if err != nil {
		return nil, nil, err
	}
	dir, err := os.MkdirTemp("", "datachain-site-")
	if err != nil {
		return nil, nil, err
	}
	var register *documents.Register
	clean := func() {
		if register != nil {
			_ = register.Close() // it was only read
		}
		_ = os.RemoveAll(dir)
	}
	defer func() {
		if err != nil {
			clean()
		}
	}()
	dirs := []string{dir}
	for i, in := range inputs {
		file, err := p.read(in)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", in.name, err)
		}
		v, _, err := schemas.Present(cmd.Context(), file.Text)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", in.name, err)
		}
		if err := p.printFindings(schemas.newFile(in, file.Text, v, nil, false)); err != nil {
			return nil, nil, err
		}
		switch {
		case in.dir == "":
			if err := os.WriteFile(filepath.Join(dir, strconv.Itoa(i)+".json"), file.Text, 0o600); err != nil {
				return nil, nil, err
			}
		case !slices.Contains(dirs, in.dir):
			dirs = append(dirs, in.dir)
		}
	}
	origins := make([]documents.Origin, len(dirs))
	for i, dir := range dirs {
		if origins[i], err = stores.OpenDocuments(dir, &stores.Options{Dir: p.dir}); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", dir, err)
		}
	}
	if register, err = documents.New(schemas.Service, origins, &documents.Options{Refresh: -1}); err != nil {
		return nil, nil, err
	}
	for _, refused := range register.State().Refused() {
		return nil, nil, fmt.Errorf("%s: %s", refused.File, refused.Issues[0].Message)
	}
	return register, clean, nil
}
