package stores

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/datachain-go/datachain/cmd/internal/flags"
	"github.com/datachain-go/datachain/cmd/internal/sources"
	"github.com/datachain-go/datachain/cmd/internal/usage"
	"github.com/datachain-go/datachain/internal/files"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/release/trust"
)

// System is what is needed of the operating system.
type System struct {
	// Dir is the working directory, and UID the user, or negative if there are none.
	Dir    string
	UID    int
	Getenv func(string) string
	// Warn is called once with the reason why the project file is ignored.
	Warn func(error)
}

// Flags are the global flags of a program.
type Flags struct {
	// Location is where versions are.
	Location Location
	// Bucket says how to reach buckets.
	Bucket Access
	// Trust verifies the stores that are read, by the file TrustFile; nil for none.
	Trust     *trust.Trust
	TrustFile string

	at        string // the day of an old copy, "" for now
	system    System
	uses      map[*cobra.Command]uses
	variables map[string]string // those that have set flags, by flag
	warned    bool
}

// uses says how a command uses the flags.
type uses struct {
	required []string
	// environment lets environment variables name the location, and fallback finds one if
	// nothing names it.
	environment, fallback bool
}

// AddFlags adds the flags to the root of all commands.
func AddFlags(root *cobra.Command, s System) *Flags {
	g := &Flags{system: s, uses: make(map[*cobra.Command]uses)}
	flags.AddGlobal(root, g.list()...)
	flags.Exclusive(root, "schemas", "store")
	flags.Exclusive(root, "schemas", "samples")
	return g
}

func (g *Flags) list() []flags.Flag {
	return []flags.Flag{
		flags.New("schemas", "schema source directory (default the working directory, if it is one)", flags.Dir(&g.Location.Schemas)),
		flags.New("store", "directory of published versions, s3://bucket/prefix, or the URL of a server", flags.DirOr(&g.Location.Store, "dir|URL", "a directory, a bucket or a URL")),
		flags.New("samples", "the built-in sample taxonomies", flags.Switch(&g.Location.Samples)),
		flags.New("trust", "file with the origin and public keys of the log that verifies the store", flags.File(&g.TrustFile, "json")),
		flags.New("s3-endpoint", "URL of S3-compatible storage other than AWS, for a store at s3://bucket/prefix", flags.BaseURL(&g.Bucket.Endpoint)),
		flags.New("s3-region", "region of the bucket (default that of the AWS configuration)", flags.Text(&g.Bucket.Region, "name", "the name of a region")),
	}
}

// locations are the flags that name one. A command that requires a store can use the samples as well,
// to publish them.
var locations = []string{"schemas", "samples", "store"}

// Read makes a command read schema versions, without some of the flags. When the command runs, the
// location is known: if nothing names it, it is that of the project file, else the working directory
// if it is a schema source, else the samples.
func (g *Flags) Read(cmd *cobra.Command, without ...string) {
	var names []string
	for _, f := range g.list() {
		if !slices.Contains(without, f.Name()) {
			names = append(names, f.Name())
		}
	}
	flags.Use(cmd, names...)
	g.uses[cmd] = uses{environment: true, fallback: true}
}

// ReadLater makes a command read schema versions that it finds itself if nothing names them.
func (g *Flags) ReadLater(cmd *cobra.Command) {
	g.Read(cmd)
	g.uses[cmd] = uses{environment: true}
}

// Require makes a command use flags of the command line only, the first of which are required.
func (g *Flags) Require(cmd *cobra.Command, required []string, others ...string) {
	flags.Use(cmd, slices.Concat(required, others)...)
	g.uses[cmd] = uses{required: required}
}

// Check checks the flags of a command before it runs. It sets those that are not on the command line
// from their environment variables.
func (g *Flags) Check(cmd *cobra.Command) error {
	used := flags.Used(cmd)
	var err error
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if flags.IsGlobal(f) && f.Changed && err == nil && !slices.Contains(used, f.Name) {
			hint := ""
			if f.Name == "schemas" && strings.Contains(cmd.Use, "[DIR]") {
				hint = "; the schema source is an argument: " + cmd.CommandPath() + " DIR"
			}
			err = usage.Error(cmd, "%q does not use --%s%s", cmd.CommandPath(), f.Name, hint)
		}
	})
	if err != nil {
		return err
	}
	if err = g.readEnvironment(cmd); err == nil {
		err = flags.Check(cmd, g.variables)
	}
	if err == nil && g.Location.Samples && g.Location.Store != "" && !slices.Contains(g.uses[cmd].required, "store") {
		err = fmt.Errorf("%s and %s can't be used together", cmp.Or(g.variables["samples"], "--samples"), cmp.Or(g.variables["store"], "--store"))
	}
	for _, name := range g.uses[cmd].required {
		if f := cmd.Flags().Lookup(name); !f.Changed && err == nil {
			if err = flags.Missing(f); name == "store" && len(g.uses[cmd].required) == 1 {
				err = errors.New("--store is required: a directory or s3://bucket/prefix")
			}
		}
	}
	if err != nil {
		return usage.Error(cmd, "%w", err)
	}
	return nil
}

// readEnvironment sets flags from environment variables. A location on the command line overrides
// another one in a variable.
func (g *Flags) readEnvironment(cmd *cobra.Command) (err error) {
	used := flags.Used(cmd)
	typed := slices.ContainsFunc(locations, cmd.Flags().Changed)
	g.variables, err = flags.FromEnvironment(cmd, g.system.Getenv, func(f *pflag.Flag) bool {
		isLocation := slices.Contains(locations, f.Name) || strings.HasPrefix(f.Name, "store")
		return flags.IsGlobal(f) && !slices.Contains(used, f.Name) || isLocation && (typed || !g.uses[cmd].environment)
	})
	return err
}

// Complete finds the location while a command line is completed.
func (g *Flags) Complete(cmd *cobra.Command) error {
	err := g.readEnvironment(cmd)
	if err == nil {
		err = g.locate(cmd)
	}
	return err
}

// Find finds out where versions are, after the flags were checked.
func (g *Flags) Find(cmd *cobra.Command) error {
	if err := g.locate(cmd); err != nil {
		return err
	}
	return g.checkBucket(cmd)
}

// locate sets the location, and the flag or the variable that named it.
func (g *Flags) locate(cmd *cobra.Command) error {
	for _, name := range locations {
		if cmd.Flags().Changed(name) {
			g.Location.By = cmp.Or(g.variables[name], "--"+name)
		}
	}
	if !g.uses[cmd].environment {
		return nil
	}
	if g.TrustFile != "" {
		if err := g.ReadTrust(); err != nil {
			return err
		}
	} else if cmd.Flags().Changed("at") {
		return usage.Error(cmd, "--at requires --trust")
	}
	if g.uses[cmd].fallback {
		if err := g.fallBack(cmd); err != nil {
			return err
		}
	}
	if cmd.Flags().Changed("accept-removals") && g.Location.Store == "" {
		return usage.Error(cmd, "--accept-removals requires --store")
	}
	if cmd.Flags().Changed("store-cache") && !g.Location.Remote() {
		return usage.Error(cmd, "--store-cache requires a --store that is a URL or a bucket")
	}
	return nil
}

// fallBack finds a location if neither a flag nor a variable names one. It also sets other flags
// that the project file has a value for.
func (g *Flags) fallBack(cmd *cobra.Command) error {
	project, err := g.Project()
	if err != nil {
		return err
	}
	if !g.Location.Known() && project != nil {
		g.Location = project.Location(g.system.Dir)
	}
	if !g.Location.Known() {
		g.Location = Location{Samples: true}
		if sources.RootOf(g.system.Dir, ".") != "" {
			g.Location = Location{Schemas: "."}
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

// checkBucket refuses flags for buckets if no store is one. Variables may be set for other commands.
func (g *Flags) checkBucket(cmd *cobra.Command) error {
	against := ""
	if f := cmd.Flags().Lookup("against"); f != nil {
		against = f.Value.String()
	}
	elsewhere := !g.Location.Known() && g.uses[cmd].environment // the workspace of an editor says where
	if elsewhere || g.Location.Bucket() || (Location{Store: against}).Bucket() {
		return nil
	}
	for _, name := range []string{"s3-endpoint", "s3-region"} {
		if cmd.Flags().Changed(name) && g.variables[name] == "" {
			return usage.Error(cmd, "--%s requires a bucket: name it with --store s3://bucket/prefix", name)
		}
	}
	return nil
}

// ReadTrust reads the trust file.
func (g *Flags) ReadTrust() error {
	text, err := os.ReadFile(files.Absolute(g.system.Dir, g.TrustFile))
	if err == nil {
		g.Trust, err = trust.ParseTrust(text)
	}
	if err != nil {
		return fmt.Errorf("%s %s: %s", cmp.Or(g.variables["trust"], "--trust"), g.TrustFile, wording.Reason(err))
	}
	if g.at == "" {
		return nil
	}
	at, err := time.Parse(time.DateOnly, g.at)
	if err == nil && at.After(time.Now()) {
		err = fmt.Errorf("--at %s: it is in the future: name the day of the copy, or omit --at", g.at)
	}
	g.Trust = g.Trust.At(at)
	return err
}

// OldCopies lets a command verify an old copy: keys of the trust file must be valid on the day that
// --at names.
func (g *Flags) OldCopies(cmd *cobra.Command) {
	flags.Add(cmd, flags.New("at", "day (UTC) on which the keys of --trust must be valid, for an old copy (default now)", flags.Date(&g.at)))
}

// Claimed says that the day of an old copy was claimed, or is "".
func (g *Flags) Claimed() string {
	if g.at == "" {
		return ""
	}
	return fmt.Sprintf("The keys were valid on %s, the day that --at claims: nothing proves that the copy is of that day.", g.at)
}

// Project returns the project file of the working directory, or nil if there is none.
func (g *Flags) Project() (*Project, error) {
	project, err := FindProject(g.system.Dir, g.system.UID)
	if errors.Is(err, ErrForeign) {
		if !g.warned {
			g.warned = true
			g.system.Warn(err)
		}
		return nil, nil //nolint:nilnil // as if there were none
	}
	return project, err
}

// Source returns the schema source that is an argument of a command, or that it changes. If it is
// "", that is the working directory if it is a source, else what DATACHAIN_SCHEMAS or the project
// file names.
func (g *Flags) Source(typed string) (Location, error) {
	here := Location{Schemas: cmp.Or(typed, ".")}
	if typed != "" || sources.RootOf(g.system.Dir, ".") != "" {
		return here, nil
	}
	if dir := g.system.Getenv(flags.Variable("schemas")); dir != "" {
		return Location{Schemas: dir, By: flags.Variable("schemas")}, nil
	}
	project, err := g.Project()
	if err != nil || project == nil || project.Schemas == "" {
		return here, err
	}
	return project.Location(g.system.Dir), nil
}

// Typed returns the flags of a command line, to repeat them in a command that the user is told to
// run.
func (g *Flags) Typed(cmd *cobra.Command) (args []string) {
	for _, name := range flags.Used(cmd) {
		flag := cmd.Flags().Lookup(name)
		if !flag.Changed {
			continue
		}
		args = append(args, "--"+name)
		if name != "samples" {
			args = append(args, flag.Value.String())
		}
	}
	return args
}

// Announcement says which versions are used, unless they were named on the command line: then it is
// "".
func (g *Flags) Announcement(l Location) string {
	by := strings.TrimSuffix(strings.TrimSuffix(l.By, ": store"), ": schemas")
	switch {
	case strings.HasPrefix(by, "--"):
		return ""
	case by != "":
		return fmt.Sprintf("Using %s (%s).", l, by)
	case l.Schemas != "":
		return "Using the schema source of the working directory."
	case sources.IsStore(g.system.Dir):
		return "Using the built-in sample taxonomies; use --store . for the published versions in this directory."
	}
	return "Using the built-in sample taxonomies; name yours with --schemas or --store."
}
