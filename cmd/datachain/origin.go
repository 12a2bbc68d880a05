package main

import (
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/taxonomy"
)

// origin is where a command reads versions from: a schema source, a store or the
// built-in samples. If none is named, it is the working directory if that holds a
// source, else the samples; see [program.settle].
type origin struct {
	schemas, store string
	samples        bool
}

// originFlags adds --schemas, --store and --samples to a command that reads.
func originFlags(cmd *cobra.Command) *origin {
	o := new(origin)
	cmd.Flags().StringVar(&o.schemas, "schemas", "", "schema source `dir`ectory (default the working directory, if it is one)")
	cmd.Flags().StringVar(&o.store, "store", "", "`dir`ectory of published versions, or s3://bucket/prefix")
	samplesFlag(cmd, &o.samples)
	dirFlag(cmd, "schemas")
	dirFlag(cmd, "store")
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error { return o.check(cmd) }
	return o
}

// samplesFlag adds --samples to a command.
func samplesFlag(cmd *cobra.Command, at *bool) {
	cmd.Flags().VarPF(newValue(kindSwitch, "", given(at)), "samples", "", "use the built-in sample taxonomies").NoOptDefVal = "true"
}

// changeFlags adds --schemas and --store to a command that changes a source or a
// store. It never uses the samples.
func changeFlags(cmd *cobra.Command) *origin {
	o := new(origin)
	cmd.Flags().StringVar(&o.schemas, "schemas", ".", "schema source `dir`ectory")
	cmd.Flags().StringVar(&o.store, "store", "", "`dir`ectory of published versions, or s3://bucket/prefix")
	dirFlag(cmd, "schemas")
	dirFlag(cmd, "store")
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error { return o.check(cmd) }
	return o
}

// storeFlag adds --store to a command that changes a store.
func storeFlag(cmd *cobra.Command) *string {
	store := cmd.Flags().String("store", "", "`dir`ectory of published versions, or s3://bucket/prefix (required)")
	dirFlag(cmd, "store")
	return store
}

// check refuses two of the flags at once, and an empty one: in a script that is a
// variable that was not set, and would select something else.
func (o *origin) check(cmd *cobra.Command) error {
	schemas, store := cmd.Flags().Changed("schemas"), cmd.Flags().Changed("store")
	switch {
	case schemas && store:
		return badUsage(cmd, "--schemas and --store can't be used together")
	case o.samples && schemas:
		return badUsage(cmd, "--schemas and --samples can't be used together")
	case o.samples && store:
		return badUsage(cmd, "--store and --samples can't be used together")
	case schemas && o.schemas == "":
		return badUsage(cmd, "--schemas must not be empty: name a directory, or omit it")
	case store && o.store == "":
		return badUsage(cmd, "--store must not be empty: name a directory or a bucket, or omit it")
	}
	return nil
}

// named reports whether the user has chosen an origin.
func (o origin) named() bool { return o.schemas != "" || o.store != "" || o.samples }

// settle returns the origin that a command reads: the one that was named, or else the
// working directory if it holds a source, or else the samples.
func (p *program) settle(from origin) origin {
	switch {
	case from.named():
		return from
	case p.sourceIn(".") != nil:
		return origin{schemas: "."}
	}
	return origin{samples: true}
}

// sourceIn returns the source that a directory is or belongs to, or nil. Unlike
// [program.openAuthoring] it wants to see a version: any directory may have
// subdirectories that can't be read or have a date in their name.
func (p *program) sourceIn(dir string) *authoring {
	a, err := p.openAuthoring(dir)
	if err != nil {
		return nil
	}
	if versions, _, err := a.versions(); err != nil || len(versions) == 0 {
		return nil
	}
	return a
}

// isStore reports whether a directory is a published store. Its subdirectories look
// like those of a source.
func isStore(dir string) bool {
	text, err := os.ReadFile(filepath.Join(dir, "index.json"))
	if err == nil {
		_, err = taxonomy.DecodeIndex(text)
	}
	return err == nil
}
