package console

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/datachain-go/datachain/adapters/storekit/layout"
	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/cmd/internal/inputs"
	"github.com/datachain-go/datachain/cmd/internal/location"
	"github.com/datachain-go/datachain/cmd/internal/report"
	"github.com/datachain-go/datachain/cmd/internal/schemas"
	"github.com/datachain-go/datachain/cmd/internal/sources"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/internal/files"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/release/trust"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Open opens the location of the command. It says which one if the command line does not name it,
// and which versions are left out.
func (c *Console) Open(ctx context.Context) (*schemas.Set, error) { return c.OpenAt(ctx, c.From) }

// OpenAt opens a location as [Console.Open] does.
func (c *Console) OpenAt(ctx context.Context, from location.Location) (*schemas.Set, error) {
	opened, err := c.OpenStore(ctx, from)
	if err != nil {
		return nil, err
	}
	c.Announce(from)
	for _, v := range opened.Broken {
		c.PrintError("%s is left out because it has %s; see '%s'", v.Version,
			wording.Count(len(v.Issues.With(issue.SeverityError)), "error"), report.Command("schema", "lint", opened.Source.Shown(source.Directory(v.Version))))
	}
	set := schemas.New(opened.Store)
	set.From, set.Log, set.Whole, set.Elsewhere = from, opened.Log, len(opened.Broken) == 0, stores.Elsewhere(from, c.StoreOptions())
	return set, nil
}

// Announce says which versions are used, unless they were named on the command line.
func (c *Console) Announce(l location.Location) {
	if text := c.Announcement(l); text != "" {
		c.Say("%s", text)
	}
}

// StoreOptions returns the options for opening stores.
func (c *Console) StoreOptions() *stores.Options {
	o := &stores.Options{Dir: c.Dir, CacheDir: c.CacheDir, Buckets: c.Buckets, Bucket: c.Bucket, Trust: c.Trust, SeenDir: c.SeenDir}
	if c.Claimed() != "" {
		o.SeenDir = "" // a log that is as old as was claimed is shorter than what was seen since
	}
	return o
}

// OpenStore opens a location for reading.
func (c *Console) OpenStore(ctx context.Context, l location.Location) (*stores.Opened, error) {
	bar := c.Progress("compiling")
	defer bar.End()
	o := c.StoreOptions()
	o.Report, o.Progress = c.StoreProblem, bar.Update
	if o.Report == nil {
		o.Report = func(err error) {
			if errors.Is(err, taxonomy.ErrRollback) || errors.Is(err, layout.ErrSequence) || trust.Reason(err) != "" {
				c.PrintError("%v", err)
			}
		}
	}
	opened, err := Await(ctx, func() (*stores.Opened, error) { return stores.Open(ctx, l, o) })
	if err != nil {
		return nil, err
	}
	c.AtEnd(opened.Close)
	return opened, nil
}

// OpenSource opens the schema source that a directory is or belongs to.
func (c *Console) OpenSource(typed string) (*sources.Source, error) {
	return c.OpenSourceAt(location.Location{Schemas: typed})
}

// OpenSourceAt opens the schema source at a location.
func (c *Console) OpenSourceAt(l location.Location) (*sources.Source, error) {
	a, err := sources.Open(c.Dir, l)
	if err == nil {
		c.AtEnd(func() { _ = a.Root.Close() }) // files are closed already
	}
	return a, err
}

// Documents lists the documents that were typed, each once: directories stand for every .json file
// below them.
func (c *Console) Documents(typed []string) ([]inputs.Input, error) {
	var list []inputs.Input
	seen := make(map[string]bool)
	add := func(d inputs.Input) {
		if !seen[d.Path] {
			seen[d.Path] = true
			list = append(list, d)
		}
	}
	for _, t := range typed {
		d := inputs.Named(c.Dir, t)
		if info, err := os.Stat(d.Path); err != nil || !info.IsDir() {
			add(d) // reading it returns the error
			continue
		}
		below := inputs.Below(d.Path)
		switch {
		case len(below) == 0 && sources.RootOf(c.Dir, t) != "":
			return nil, fmt.Errorf("%s: contains no .json files: it is a schema source, which 'datachain schema lint' checks", t)
		case len(below) == 0:
			return nil, fmt.Errorf("%s: contains no .json files", t)
		}
		for _, file := range below {
			add(inputs.Input{Name: c.Shown(file, t), Path: file, Dir: d.Path})
		}
	}
	return list, nil
}

// ReadText reads a file. Standard input may never end.
func (c *Console) ReadText(ctx context.Context, d inputs.Input) ([]byte, error) {
	s, err := Await(ctx, func() (*files.Snapshot, error) { return d.Read(c.Stdin) })
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.Name, err)
	}
	return s.Text, nil
}
