package storetest_test

import (
	"bytes"
	"context"
	"slices"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/storetest"
)

// indexDefects are stores that lose what an index says besides which versions there are.
var indexDefects = []defect{
	{
		name: "forgets states", caught: []string{states, fields, follow},
		store: rebuilt(func(entries []taxonomy.Entry, retired []taxonomy.RetiredVersion) ([]taxonomy.Entry, []taxonomy.RetiredVersion) {
			for i := range entries {
				entries[i].State = taxonomy.State{}
			}
			return entries, retired
		}),
	},
	{
		name: "keeps only the day of a deprecation", caught: []string{states, fields, follow},
		store: rebuilt(func(entries []taxonomy.Entry, retired []taxonomy.RetiredVersion) ([]taxonomy.Entry, []taxonomy.RetiredVersion) {
			for i := range entries {
				entries[i].State = taxonomy.State{Deprecated: entries[i].Deprecated}
			}
			return entries, retired
		}),
	},
	{
		name: "forgets retired versions", caught: []string{kept, fields, follow},
		store: rebuilt(func(entries []taxonomy.Entry, _ []taxonomy.RetiredVersion) ([]taxonomy.Entry, []taxonomy.RetiredVersion) {
			return entries, nil
		}),
	},
	{
		name: "keeps only the ids of retired versions", caught: []string{kept, fields, follow},
		store: rebuilt(func(entries []taxonomy.Entry, retired []taxonomy.RetiredVersion) ([]taxonomy.Entry, []taxonomy.RetiredVersion) {
			for i, r := range retired {
				retired[i] = taxonomy.RetiredVersion{ID: r.ID, ContentHash: r.ContentHash}
			}
			return entries, retired
		}),
	},
	{
		name: "retires a version of its own", caught: []string{kept, fields, follow},
		store: rebuilt(func(entries []taxonomy.Entry, retired []taxonomy.RetiredVersion) ([]taxonomy.Entry, []taxonomy.RetiredVersion) {
			if len(retired) > 0 {
				retired = append(retired, taxonomy.RetiredVersion{ID: taxonomy.MustVersion("ai@2020-01-01-beta"), ContentHash: taxonomy.Hash{1}})
			}
			return entries, retired
		}),
	},
	{
		name: "makes its index anew", caught: []string{evolutions, fields, follow},
		store: edited(func(x *taxonomy.Index) (*taxonomy.Index, error) {
			return taxonomy.NewIndex(x.Entries(), x.Retired()...)
		}),
	},
	{
		name: "does not load evolutions", caught: []string{evolutions, follow},
		store: edited(func(x *taxonomy.Index) (*taxonomy.Index, error) {
			text, err := taxonomy.EncodeIndex(x)
			if err != nil {
				return nil, err
			}
			return taxonomy.DecodeIndex(text)
		}),
	},
	{
		name: "tidies evolutions", caught: []string{evolutions, fields, follow},
		store: edited(func(x *taxonomy.Index) (*taxonomy.Index, error) {
			for typ := range x.Record().Evolutions {
				x = x.WithEvolution(typ, bytes.TrimSpace(x.EvolutionJSON(typ)))
			}
			return x, nil
		}),
	},
	{
		name: "gives all types the evolution of one", caught: []string{evolutions, fields, follow},
		store: edited(func(x *taxonomy.Index) (*taxonomy.Index, error) {
			if text := x.EvolutionJSON("ai"); text != nil {
				x = x.WithEvolution("Draft_1-x", text)
			}
			return x, nil
		}),
	},
	{
		name: "drops what it does not know", caught: []string{fields},
		store: edited(func(x *taxonomy.Index) (*taxonomy.Index, error) {
			next, err := taxonomy.NewIndex(x.Entries(), x.Retired()...)
			if err != nil {
				return nil, err
			}
			for typ := range x.Record().Evolutions {
				next = next.WithEvolution(typ, x.EvolutionJSON(typ))
			}
			return next, nil
		}),
	},
	{
		name: "does not see a change that leaves the versions as they are", caught: []string{follow, alsoTold}, wait: true,
		store: func(d *defective) {
			versions := func(x *taxonomy.Index) (all []taxonomy.Hash) {
				for _, e := range x.Entries() {
					all = append(all, e.ContentHash)
				}
				return all
			}
			d.onUpdate = func(c storetest.Content) {
				if d.model.index == nil || !slices.Equal(versions(c.Index), versions(d.model.index)) {
					d.model.update(c)
				}
			}
		},
	},
}

// edited breaks the index of a store.
func edited(edit func(x *taxonomy.Index) (*taxonomy.Index, error)) func(d *defective) {
	return func(d *defective) {
		d.index = func(ctx context.Context) (*taxonomy.Index, error) {
			x, err := d.model.Index(ctx)
			if err != nil {
				return nil, err
			}
			return edit(x)
		}
	}
}

// rebuilt breaks the versions of an index.
func rebuilt(edit func(entries []taxonomy.Entry, retired []taxonomy.RetiredVersion) ([]taxonomy.Entry, []taxonomy.RetiredVersion)) func(d *defective) {
	return edited(func(x *taxonomy.Index) (*taxonomy.Index, error) {
		return x.WithVersions(edit(x.Entries(), x.Retired()))
	})
}
