package command

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/flags"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/internal/files"
	"github.com/datachain-go/datachain/pages"
	"github.com/datachain-go/datachain/pages/server"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/taxonomy"
)

func siteCommand(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "site [DOCUMENT|DIR]... --out DIR",
		Short: "Write the explorer as static files",
		Long: `Write the explorer as static files for any web host or bucket: every page about every
version, in every language, with relative links. Checking documents as text needs a server
and is left out. With --assets, visitors can search, and describe a system by a form: a
script loads what it needs, about 6 MB, when they first do.

Documents, thin or resolved, are added as a register: a list, and pages for each of them
with its history. DIR stands for all documents in it. The default is the documents of the
project file, datachain.yaml. Documents that were published into the store are added, too.
Of the versions, the site then has those that the documents use.`,
		Example: `  datachain site --out public --store dist
  datachain site documents --out public --base-url https://example.org/datachain
  datachain site --out public --store dist --assets editors/wasm/dist`,
	}
	from := c.Reads(cmd)
	base := baseFlag(cmd, "URL of the site, for canonical links")
	var out, assets, fonts string
	all, languages := false, []string(nil)
	flags.Add(cmd,
		flags.New("out", "write into this directory, which must be empty or not exist", flags.Dir(&out).Letter("o")),
		flags.New("assets", "directory of the WebAssembly modules for searching and the form; 'make web' builds editors/wasm/dist (default the one installed with the program)", flags.Dir(&assets)),
		flags.New("fonts", fontsUsage, flags.Dir(&fonts)),
		flags.New("all-versions", "with documents, also write versions that none of them uses", flags.Switch(&all)),
		flags.New("languages", "write pages in these languages, separated by commas (default all)", flags.List(&languages, flags.Locale)),
	)
	flags.Require(cmd, "out")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := files.Vacant(c.Path(out), ""); err != nil {
			return fmt.Errorf("--out %s: %w", out, err)
		}
		built, err := openAssets(c, assets)
		if err != nil {
			return err
		}
		set, err := from.Open(cmd.Context())
		if err != nil {
			return err
		}
		reg, err := siteDocuments(cmd, c, from, set, args)
		if err != nil {
			return err
		}
		service := set.Service
		if reg != nil && !all {
			if service, err = usedBy(cmd.Context(), set, reg); err != nil {
				return err
			}
		}
		o := &pages.Options{BaseURL: *base, Documents: reg, Assets: built, Languages: languages}
		if o.Signs, err = signDrawer(c, fonts); err != nil {
			return err
		}
		if err := writeSite(cmd.Context(), service, c.Path(out), o); err != nil {
			return fmt.Errorf("--out %s: %w", out, err)
		}
		return c.Printf("Wrote the site to %s. Open %s.\n", out, filepath.Join(out, "index.html"))
	}
	return cmd
}

// usedBy returns the versions that documents use in one of their editions, or all if there are no
// documents.
func usedBy(ctx context.Context, set *stores.Set, reg *register.Register) (*datachain.Service, error) {
	used := make(map[string]bool)
	for _, d := range reg.State().Documents() {
		for _, e := range d.Editions {
			if e.Erased != nil {
				continue
			}
			text, err := reg.Text(ctx, d, e.Hash, register.Thin)
			if err != nil {
				return nil, err
			}
			var document taxonomy.Instance
			if err := json.Unmarshal(text, &document); err != nil {
				return nil, err
			}
			used[document.SchemaVersion] = true
		}
	}
	if len(used) == 0 {
		return set.Service, nil
	}
	return stores.NewSet(usedStore{set.Store, used}).Service, nil
}

// usedStore is a store of which only some versions are listed.
type usedStore struct {
	taxonomy.Store
	used map[string]bool
}

func (s usedStore) Index(ctx context.Context) (*taxonomy.Index, error) {
	x, err := s.Store.Index(ctx)
	if err != nil {
		return nil, err
	}
	return x.WithVersions(slices.DeleteFunc(x.Entries(), func(e taxonomy.Entry) bool { return !s.used[e.ID.String()] }), nil)
}

// writeSite writes the files.
func writeSite(ctx context.Context, service *datachain.Service, out string, o *pages.Options) error {
	site, err := pages.New(service, o)
	if err != nil {
		return err
	}
	api, err := httpapi.New(service, &httpapi.Options{BaseURL: o.BaseURL, Routes: server.Routes(nil, nil, nil), CacheBytes: -1, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	return files.Fill(out, func(dir string) error {
		return site.WriteSite(ctx, api, func(name string, body []byte) error {
			file := filepath.Join(dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
				return err
			}
			return os.WriteFile(file, body, 0o666)
		})
	})
}

// openAssets returns the files of --assets or those that were installed, or nil if there are
// neither.
func openAssets(c *console.Console, typed string) (fs.FS, error) {
	dir := cmp.Or(typed, c.Assets)
	if dir == "" {
		return nil, nil //nolint:nilnil // pages without scripts of their own
	}
	files := os.DirFS(c.Path(dir))
	if modules, _ := fs.Glob(files, "*.wasm"); len(modules) == 0 { // the pattern is valid
		return nil, fmt.Errorf("--assets %s: there are no WebAssembly modules: build them with 'make web'", dir)
	}
	return files, nil
}

// siteDocuments returns the register of the documents of a site: those that were typed,
// or those of the project, and those of the store. Findings are printed, and an invalid
// document is an error.
func siteDocuments(cmd *cobra.Command, c *console.Console, from *console.Versions, set *stores.Set, typed []string) (*register.Register, error) {
	typed, err := from.NamedDocuments(typed)
	if err != nil {
		return nil, err
	}
	if err := siteFindings(cmd, c, from, set, typed); err != nil {
		return nil, err
	}
	var origins []register.Origin
	for _, t := range typed {
		var opened []register.Origin
		if info, e := os.Stat(c.Path(t)); e == nil && !info.IsDir() {
			dir, name := filepath.Split(c.Path(t))
			opened = make([]register.Origin, 1)
			opened[0], err = register.OpenDirectory(dir, &register.DirectoryOptions{Names: []string{name}})
		} else {
			opened, err = stores.OpenDocuments("", []string{t}, from.Options())
		}
		if err != nil {
			return nil, err
		}
		origins = append(origins, opened...)
	}
	r, err := set.Register(origins...)
	if r == nil {
		return nil, err // a site without documents has none
	}
	c.AtEnd(func() { _ = r.Close() })             // it was only read
	for _, refused := range r.State().Refused() { // for example because no URL is configured
		for _, i := range refused.Issues {
			c.Say("%s", i)
		}
		err = console.ErrFindings
	}
	return r, err
}

// siteFindings prints the findings in documents, and fails if one is invalid.
func siteFindings(cmd *cobra.Command, c *console.Console, from *console.Versions, set *stores.Set, typed []string) error {
	if len(typed) == 0 {
		return nil
	}
	docs, err := from.Documents(cmd, typed)
	if err != nil {
		return err
	}
	for _, in := range docs {
		if within, err := filepath.Rel(in.Dir, in.Path); in.Dir != "" && err == nil && strings.Contains("/"+filepath.ToSlash(within), "/_") {
			continue // a draft
		}
		file, err := in.Read(c.Stdin)
		if err != nil {
			return fmt.Errorf("%s: %w", in.Name, stores.Readable(err))
		}
		v, _, err := set.Present(cmd.Context(), file.Text)
		if err != nil {
			return fmt.Errorf("%s: %w", in.Name, stores.Readable(err))
		}
		if err := c.PrintFindings(set.Report(in, file.Text, v, nil, false)); err != nil {
			return err
		}
	}
	return nil
}
