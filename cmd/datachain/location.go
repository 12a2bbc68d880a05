package main

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/datachain-go/datachain/cmd/datachain/internal/flags"
	"github.com/datachain-go/datachain/cmd/datachain/internal/location"
	"github.com/datachain-go/datachain/cmd/datachain/internal/sources"
)

// globalFlags are the flags of all commands: where schema versions come from.
func (p *program) globalFlags() []flags.Flag {
	return []flags.Flag{
		flags.New("schemas", "schema source directory (default the working directory, if it is one)", flags.Dir(&p.from.Schemas)),
		flags.New("store", "directory of published versions, s3://bucket/prefix, or the URL of a server", flags.DirOr(&p.from.Store, "dir|URL", "a directory, a bucket or a URL")),
		flags.New("samples", "the built-in sample taxonomies", flags.Switch(&p.from.Samples)),
		flags.New("trust", "file with the origin and public keys of the log that verifies the store", flags.File(&p.trustFile, "json")),
		flags.New("s3-endpoint", "URL of S3-compatible storage other than AWS, for a store at s3://bucket/prefix", flags.BaseURL(&p.bucket.Endpoint)),
		flags.New("s3-region", "region of the bucket (default that of the AWS configuration)", flags.Text(&p.bucket.Region, "name", "the name of a region")),
	}
}

// locationFlags says which of the global flags a command takes, and where else it looks for versions.
type locationFlags struct {
	flags []string
	// required are those that must be given.
	required []string
	// environment lets environment variables name the location, and fallback finds one if
	// nothing names it; see [program.findLocation].
	environment, fallback bool
}

// reads makes a command read schema versions, without some of the global flags. When the command
// runs, the location is known.
func (p *program) reads(cmd *cobra.Command, without ...string) {
	o := locationFlags{environment: true, fallback: true}
	for _, f := range p.globalFlags() {
		if !slices.Contains(without, f.Name()) {
			o.flags = append(o.flags, f.Name())
		}
	}
	p.locationFlags[cmd] = o
}

// changes makes a command change a store. The store and the key that signs its log come from the
// command line only. With other location flags, the store is not required.
func (p *program) changes(cmd *cobra.Command, others ...string) {
	o := locationFlags{flags: append(others, "store", "s3-endpoint", "s3-region")}
	if len(others) == 0 {
		o.required = []string{"store"}
	}
	p.locationFlags[cmd] = o
	flags.Add(cmd,
		flags.New("key", "private key that signs the log of the store; required if the store has one", flags.Key(&p.signing.key)),
		flags.New("key-command", "program that signs, such as with a KMS; see 'datachain log'", flags.Text(&p.signing.command, "command", "a command")),
	)
	flags.Needs(cmd, "key-command", "key")
}

// prepare checks the flags of a command before it runs, and finds out where versions are.
func (p *program) prepare(cmd *cobra.Command, _ []string) error {
	if cmd.HasSubCommands() {
		return nil // which says what is missing, or wrong
	}
	o := p.locationFlags[cmd]
	var err error
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if flags.IsGlobal(f) && f.Changed && err == nil && !slices.Contains(o.flags, f.Name) {
			hint := ""
			if f.Name == "schemas" && strings.Contains(cmd.Use, "[DIR]") {
				hint = "; the schema source is an argument: " + cmd.CommandPath() + " DIR"
			}
			err = badUsage(cmd, "%q does not use --%s%s", cmd.CommandPath(), f.Name, hint)
		}
	})
	if err != nil {
		return err
	}
	variables, err := p.fromEnvironment(cmd)
	if err == nil {
		err = flags.Check(cmd, variables)
	}
	for _, name := range o.required {
		if f := cmd.Flags().Lookup(name); !f.Changed && err == nil {
			if err = flags.Missing(f); name == "store" {
				err = errors.New("--store is required: a directory or s3://bucket/prefix")
			}
		}
	}
	if err != nil {
		return badUsage(cmd, "%w", err)
	}
	if cmd.Flags().Changed(helpAll) {
		return pflag.ErrHelp
	}
	if p.pace != nil && cmd.Name() != "serve" { // which does so when it has started
		p.pace()
	}
	if err := p.locate(cmd, variables); err != nil {
		return err
	}
	return p.checkBucket(cmd, variables)
}

// checkBucket refuses flags for buckets if no store is one. Variables may be set for other commands.
func (p *program) checkBucket(cmd *cobra.Command, variables map[string]string) error {
	against := ""
	if f := cmd.Flags().Lookup("against"); f != nil {
		against = f.Value.String()
	}
	elsewhere := !p.from.Known() && p.locationFlags[cmd].environment // the workspace of an editor says where
	if elsewhere || p.from.Bucket() || (location.Location{Store: against}).Bucket() {
		return nil
	}
	for _, name := range []string{"s3-endpoint", "s3-region"} {
		if cmd.Flags().Changed(name) && variables[name] == "" {
			return badUsage(cmd, "--%s requires a bucket: name it with --store s3://bucket/prefix", name)
		}
	}
	return nil
}

// fromEnvironment sets the flags that are not on the command line from their environment
// variables. A location on the command line overrides another one in a variable.
func (p *program) fromEnvironment(cmd *cobra.Command) (map[string]string, error) {
	o := p.locationFlags[cmd]
	typed := slices.ContainsFunc(locations, cmd.Flags().Changed)
	return flags.FromEnvironment(cmd, p.getenv, func(f *pflag.Flag) bool {
		isLocation := slices.Contains(locations, f.Name) || strings.HasPrefix(f.Name, "store")
		return flags.IsGlobal(f) && !slices.Contains(o.flags, f.Name) || isLocation && (typed || !o.environment)
	})
}

// locations are the flags that name one.
var locations = []string{"schemas", "store", "samples"}

// locate sets the location, and the flag or the variable that named it.
func (p *program) locate(cmd *cobra.Command, variables map[string]string) error {
	for _, name := range locations {
		if cmd.Flags().Changed(name) {
			p.from.By = cmp.Or(variables[name], "--"+name)
		}
	}
	if !p.locationFlags[cmd].environment {
		return nil
	}
	if p.trustFile != "" {
		if err := p.readTrust(cmp.Or(variables["trust"], "--trust")); err != nil {
			return err
		}
	}
	if p.locationFlags[cmd].fallback {
		if err := p.findLocation(cmd); err != nil {
			return err
		}
	}
	if cmd.Flags().Changed("accept-removals") && p.from.Store == "" {
		return badUsage(cmd, "--accept-removals requires --store")
	}
	if cmd.Flags().Changed("store-cache") && !p.from.Remote() {
		return badUsage(cmd, "--store-cache requires a --store that is a URL or a bucket")
	}
	return nil
}

// schemas returns the schema source that a command changes (default the working directory).
func (p *program) schemas() string { return cmp.Or(p.from.Schemas, ".") }

// givenLocation returns the global flags of a command line, to repeat them in a command that the
// user is told to run.
func (p *program) givenLocation(cmd *cobra.Command) string {
	var b strings.Builder
	for _, f := range p.globalFlags() {
		flag := cmd.Flags().Lookup(f.Name())
		if flag == nil || !flag.Changed {
			continue
		}
		b.WriteString(" --" + f.Name())
		if f.Name() != "samples" {
			value := flag.Value.String()
			if strings.ContainsAny(value, " '\"$&;") {
				value = "'" + strings.ReplaceAll(value, "'", `'\''`) + "'"
			}
			b.WriteString(" " + value)
		}
	}
	return b.String()
}

// findLocation finds a location if neither a flag nor a variable names one: that of the project
// file, else the working directory if it is a schema source, else the samples. It also sets other
// flags that the project file has a value for.
func (p *program) findLocation(cmd *cobra.Command) error {
	l := &p.from
	project, err := p.project()
	if err != nil {
		return err
	}
	if !l.Known() && project != nil {
		*l = project.Location(p.dir)
	}
	if !l.Known() {
		*l = location.Location{Samples: true}
		if sources.RootOf(p.dir, ".") != "" {
			*l = location.Location{Schemas: "."}
		}
	}
	if project == nil {
		return nil
	}
	for name, value := range map[string]string{"locale": project.Locale, "strict": map[bool]string{true: "true"}[project.Strict]} {
		f := cmd.Flags().Lookup(name)
		if f == nil || f.Changed || !flags.IsInProject(f) || value == "" {
			continue
		}
		if err := f.Value.Set(value); err != nil {
			return err
		}
	}
	return nil
}

// project returns the project file of the working directory, or nil if there is none.
func (p *program) project() (*location.Project, error) {
	project, err := location.FindProject(p.dir, p.uid)
	if errors.Is(err, location.ErrForeign) {
		if !p.warned {
			p.warned = true
			p.printError("%v", err)
		}
		return nil, nil //nolint:nilnil // as if there were none
	}
	return project, err
}

// announceLocation says which versions are used, unless they were named on the command
// line.
func (p *program) announceLocation(l location.Location) {
	by := strings.TrimSuffix(strings.TrimSuffix(l.By, ": store"), ": schemas")
	switch {
	case strings.HasPrefix(by, "--"):
	case by != "":
		p.say("Using %s (%s).", l, by)
	case l.Schemas != "":
		p.say("Using the schema source of the working directory.")
	case location.IsStore(p.dir):
		p.say("Using the built-in sample taxonomies; use --store . for the published versions in this directory.")
	default:
		p.say("Using the built-in sample taxonomies; name yours with --schemas or --store.")
	}
}
