package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/datachain-go/datachain/adapters/s3store/s3target"
	"github.com/datachain-go/datachain/cmd/datachain/internal/stores"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/release/publish/dirtarget"
	"github.com/datachain-go/datachain/release/watch"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/trust"
	"github.com/datachain-go/datachain/trust/signedlog"
)

// locationFlags adds the flags that say where schema versions are to a command that reads
// them, without some that it can't use. When the command runs, the location is known: see
// [program.settle].
func (p *program) locationFlags(cmd *cobra.Command, without ...string) *stores.Location {
	l := new(stores.Location)
	for _, row := range p.locationRows(l) {
		if !slices.Contains(without, row.name) {
			addFlag(cmd, row)
		}
	}
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error {
		if err := p.fromEnvironment(cmd, l); err != nil {
			return err
		}
		return p.settle(cmd, l)
	}
	return l
}

// locationRows are the flags of commands and servers that read versions.
func (p *program) locationRows(l *stores.Location) []flagRow {
	return slices.Concat([]flagRow{
		{"schemas", "dir", "", "schema source directory (default the working directory, if it is one)", anyText(&l.Schemas)},
		{"store", "dir|URL", "", "published versions: a directory, s3://bucket/prefix, or the URL of a server", anyText(&l.Store)},
		{"samples", kindSwitch, "", "use the built-in sample taxonomies", given(&l.Samples)},
		{"trust", "file", "", "verify the store by its signed log, with the origin and public keys in this file", p.readTrust},
	}, p.bucketRows())
}

// givenLocation returns the flags of a command line that say where versions are, to repeat them in
// the next command.
func (p *program) givenLocation(cmd *cobra.Command) string {
	var b strings.Builder
	for _, row := range p.locationRows(new(stores.Location)) {
		flag := cmd.Flags().Lookup(row.name)
		if flag == nil || !flag.Changed {
			continue
		}
		b.WriteString(" --" + row.name)
		if row.kind != kindSwitch {
			value := flag.Value.String()
			if strings.ContainsAny(value, " '\"$&;") {
				value = "'" + strings.ReplaceAll(value, "'", `'\''`) + "'"
			}
			b.WriteString(" " + value)
		}
	}
	return b.String()
}

// The flags of access to buckets. Each has a variable, for every command.
const (
	endpointFlag = "s3-endpoint"
	regionFlag   = "s3-region"
)

func (p *program) bucketRows() []flagRow {
	return []flagRow{
		{endpointFlag, "URL", "", "URL of S3-compatible storage other than AWS, for a store at s3://bucket/prefix", anyText(&p.bucket.Endpoint)},
		{regionFlag, "name", "", "region of the bucket (default that of the AWS configuration)", anyText(&p.bucket.Region)},
	}
}

// storeFlag adds --store to a command that changes a store, which is always named on the
// command line: it is the directory or bucket with some purpose.
func (p *program) storeFlag(cmd *cobra.Command, purpose string) *stores.Location {
	l := new(stores.Location)
	p.addStoreFlag(cmd, l, " (required)")
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error {
		if l.Store == "" {
			return badUsage(cmd, "missing --store, the directory or bucket %s", purpose)
		}
		return nil
	}
	return l
}

func (p *program) addStoreFlag(cmd *cobra.Command, l *stores.Location, more string) {
	row := flagRow{"store", "dir|bucket", "", "directory of published versions, or s3://bucket/prefix" + more, anyText(&l.Store)}
	for _, row := range slices.Concat(p.bucketRows(), p.signRows(), []flagRow{row}) {
		addFlag(cmd, row)
	}
}

// changeFlags adds --schemas and --store to a command that changes a source or a store.
// It never uses the samples.
func (p *program) changeFlags(cmd *cobra.Command) *stores.Location {
	l := new(stores.Location)
	cmd.Flags().StringVar(&l.Schemas, "schemas", ".", "schema source `dir`ectory")
	p.addStoreFlag(cmd, l, "")
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error { return nameLocation(cmd, l, nil) }
	return l
}

// variable returns the name of the environment variable of a flag.
func variable(flag string) string {
	return "DATACHAIN_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// fromEnvironment sets the flags that are not on the command line from their environment
// variables. A location on the command line overrides another one in a variable.
func (p *program) fromEnvironment(cmd *cobra.Command, l *stores.Location) error {
	flags := cmd.Flags()
	typed := flags.Changed("schemas") || flags.Changed("store") || flags.Changed("samples")
	var err error
	variables := make(map[string]string)
	flags.VisitAll(func(f *pflag.Flag) {
		name := variable(f.Name)
		value := p.getenv(name)
		isLocation := f.Name == "schemas" || f.Name == "samples" || strings.HasPrefix(f.Name, "store")
		if value == "" || f.Changed || err != nil || isLocation && typed || f.Annotations[variableKey] == nil {
			return
		}
		variables[f.Name] = name
		if e := flags.Set(f.Name, value); e != nil {
			err = badUsage(cmd, "%s: %w", name, e)
		}
	})
	if err != nil {
		return err
	}
	return nameLocation(cmd, l, variables)
}

// nameLocation sets what has named a location: a flag, or one of the variables. It refuses two of
// them, and an empty one: in a script that is a variable that was not set, and would select
// something else.
func nameLocation(cmd *cobra.Command, l *stores.Location, variables map[string]string) error {
	var by []string
	for _, name := range []string{"schemas", "store", "samples"} {
		f := cmd.Flags().Lookup(name)
		if f == nil || !f.Changed || name == "samples" && !l.Samples {
			continue
		}
		if f.Value.String() == "" {
			return badUsage(cmd, "--%s must not be empty: name a directory%s, or omit it", name, map[string]string{"store": " or a bucket"}[name])
		}
		by = append(by, "--"+name)
		if variables[name] != "" {
			by[len(by)-1] = variables[name]
		}
	}
	if len(by) > 1 {
		return badUsage(cmd, "%s and %s can't be used together", by[0], by[1])
	}
	l.By = strings.Join(by, "")
	return nil
}

// settle makes sure that a location is known: if neither a flag nor a variable has named
// it, it is what the project file says, else the working directory if it holds a source,
// else the samples. It sets other flags that the project file has a value for, too.
func (p *program) settle(cmd *cobra.Command, l *stores.Location) error {
	project, err := p.project()
	if err != nil {
		return err
	}
	if !l.Known() && project != nil {
		*l = project.Location(p.dir)
	}
	if !l.Known() {
		*l = stores.Location{Samples: true}
		if p.sourceIn(".") != nil {
			*l = stores.Location{Schemas: "."}
		}
	}
	if project == nil {
		return nil
	}
	for name, value := range map[string]string{"locale": project.Locale, "strict": map[bool]string{true: "true"}[project.Strict]} {
		f := cmd.Flags().Lookup(name)
		if f == nil || f.Changed || f.Annotations[projectKey] == nil || value == "" {
			continue
		}
		if err := f.Value.Set(value); err != nil {
			return err
		}
	}
	return nil
}

// projectKey is the annotation of a flag whose default can be in the project file.
const projectKey = "datachain-project"

// projectFlag makes the project file set the default of a flag.
func projectFlag(cmd *cobra.Command, name string) {
	_ = cmd.Flags().SetAnnotation(name, projectKey, []string{}) // there is such a flag
}

// localeFlag adds --locale to a command. The project file can have its default.
func localeFlag(cmd *cobra.Command, usage string) *string {
	locale := cmd.Flags().String("locale", "", usage)
	projectFlag(cmd, "locale")
	return locale
}

// project returns the project file of the working directory, or nil if there is none.
func (p *program) project() (*stores.Project, error) {
	project, err := stores.FindProject(p.dir, p.uid)
	if errors.Is(err, stores.ErrForeign) {
		if !p.warned {
			p.warned = true
			p.complain("%v", err)
		}
		return nil, nil //nolint:nilnil // as if there were none
	}
	return project, err
}

// announceLocation says which versions are used, unless they were named on the command
// line.
func (p *program) announceLocation(l stores.Location) {
	by := strings.TrimSuffix(strings.TrimSuffix(l.By, ": store"), ": schemas")
	switch {
	case strings.HasPrefix(by, "--"):
	case by != "":
		p.say("Using %s (%s).", l, by)
	case l.Schemas != "":
		p.say("Using the schema source of the working directory.")
	case stores.IsStore(p.dir):
		p.say("Using the built-in sample taxonomies; use --store . for the published versions in this directory.")
	default:
		p.say("Using the built-in sample taxonomies; name yours with --schemas, --store or %s.", stores.ProjectFile)
	}
}

// access returns how to reach buckets.
func (p *program) access() s3target.Access {
	a := p.bucket
	a.Endpoint = cmp.Or(a.Endpoint, p.getenv(variable(endpointFlag)))
	a.Region = cmp.Or(a.Region, p.getenv(variable(regionFlag)))
	return a
}

// openDocuments opens the documents in a directory, or those of another register, which
// --trust verifies.
func (p *program) openDocuments(typed string) (register.Origin, error) {
	return stores.OpenDocuments(typed, &stores.Options{Dir: p.dir, Trust: p.trust, SeenDir: p.seenDir})
}

// openStore opens a location for reading.
func (p *program) openStore(ctx context.Context, l stores.Location) (*stores.Opened, error) {
	bar := p.progress("compiling")
	defer bar.end()
	o := &stores.Options{Dir: p.dir, CacheDir: p.cacheDir, Bucket: p.access(), Trust: p.trust, SeenDir: p.seenDir, Report: p.storeProblem, Progress: bar.update}
	if o.Report == nil {
		o.Report = func(err error) {
			if errors.Is(err, taxonomy.ErrRollback) || trust.Reason(err) != "" {
				p.complain("%v", err)
			}
		}
	}
	opened, err := await(ctx, func() (*stores.Opened, error) { return stores.Open(ctx, l, o) })
	if err != nil {
		return nil, err
	}
	p.atEnd(opened.Close)
	return opened, nil
}

// openSource opens the source that a directory is or belongs to.
func (p *program) openSource(typed string) (*stores.Source, error) {
	return p.openSourceAt(stores.Location{Schemas: typed})
}

func (p *program) openSourceAt(l stores.Location) (*stores.Source, error) {
	a, err := stores.OpenSource(p.dir, l)
	if err == nil {
		p.atEnd(func() { _ = a.Root.Close() }) // files are closed already
	}
	return a, err
}

// sourceIn returns the source that a directory is or belongs to, or nil.
func (p *program) sourceIn(typed string) *stores.Source {
	a := stores.SourceIn(p.dir, typed)
	if a != nil {
		p.atEnd(func() { _ = a.Root.Close() }) // only read
	}
	return a
}

// openArgument opens the schema source that is an argument of a command, and says which one
// it is if that is neither an argument nor the working directory.
func (p *program) openArgument(args []string) (*stores.Source, error) {
	l, err := p.sourceArgument(args)
	if err != nil {
		return nil, err
	}
	if l.By != "" {
		p.announceLocation(l)
	}
	return p.openSourceAt(l)
}

// sourceArgument returns the schema source that is an argument of a command. Without one,
// it is the working directory if that is a source, else what DATACHAIN_SCHEMAS or the
// project file names.
func (p *program) sourceArgument(args []string) (stores.Location, error) {
	here := stores.Location{Schemas: dirArgument(args)}
	if len(args) > 0 || p.sourceIn(".") != nil {
		return here, nil
	}
	if dir := p.getenv(variable("schemas")); dir != "" {
		return stores.Location{Schemas: dir, By: variable("schemas")}, nil
	}
	project, err := p.project()
	if err != nil || project == nil || project.Schemas == "" {
		return here, err
	}
	return project.Location(p.dir), nil
}

// openChanged opens a store that a command changes.
func (p *program) openChanged(ctx context.Context, typed string) (*stores.Opened, error) {
	l := stores.Location{Store: typed, By: "--store"}
	if l.Remote() && !l.Bucket() {
		return nil, notPublished(typed)
	}
	return p.openStore(ctx, l)
}

func notPublished(typed string) error {
	return advise(fmt.Errorf("--store %s: must be a directory or a bucket, not a URL", stores.Redacted(typed)),
		"A server publishes nothing: publish into the store that it serves.")
}

// changeStore opens a directory or a bucket for publishing and changes the store in
// it.
func (p *program) changeStore(ctx context.Context, typed string, change func(t publish.Target) (*publish.Report, error)) (*publish.Report, error) {
	var report *publish.Report
	var err error
	switch l := (stores.Location{Store: typed}); {
	case l.Bucket():
		var t *s3target.Target
		access := p.access()
		if t, err = s3target.Open(ctx, typed, &access); err == nil {
			report, err = p.signed(ctx, t, change)
			err = errors.Join(err, t.Close())
		}
	case l.Remote():
		return nil, notPublished(typed)
	default:
		report, err = changeDir(ctx, p.path(typed), func(t publish.Target) (*publish.Report, error) { return p.signed(ctx, t, change) })
	}
	if e, ok := errors.AsType[*publish.Error](err); ok {
		err = e.Err
	}
	switch {
	case errors.Is(err, publish.ErrNoKey):
		err = advise(err, "Use --sign KEY.")
	case errors.Is(err, publish.ErrReplacedKey), trust.Reason(err) == "unknown_key" && p.signing.sign != "":
		err = advise(err, "Another key signs the log of this store: use that one with --sign.")
	}
	if err != nil {
		return nil, fmt.Errorf("--store %s: %w", typed, err)
	}
	return report, nil
}

// signed changes a target, with the key that was named, if any. The highest checkpoint of the
// store is kept, so that an older copy of the store is refused.
func (p *program) signed(ctx context.Context, t publish.Target, change func(t publish.Target) (*publish.Report, error)) (*publish.Report, error) {
	key, err := p.signing.key(ctx, p)
	switch {
	case err != nil:
		return nil, err
	case key == nil:
		return change(t)
	}
	var seen *watch.SeenFile
	if p.seenDir != "" {
		seen = watch.NewSeenFile(p.seenDir, "published "+t.String()+" "+key.Public)
		key.Seen = seen
	}
	report, err := change(publish.Sign(t, key))
	if e, ok := errors.AsType[*publish.Error](err); ok {
		err = e.Err
	}
	if seen != nil && (errors.Is(err, signedlog.ErrRollback) || errors.Is(err, signedlog.ErrFork)) {
		err = advise(err, "The store is an older copy, or was changed: restore the newest copy. If that is lost, delete "+seen.File()+
			" to continue from here. Readers that have seen the newest copy will refuse the store.")
	}
	return report, err
}

// changeDir opens a directory for publishing and changes the store in it. The caller
// knows the name that was typed, so errors do not have it.
func changeDir(ctx context.Context, dir string, change func(t publish.Target) (*publish.Report, error)) (*publish.Report, error) {
	t, err := dirtarget.Create(ctx, dir)
	var report *publish.Report
	if err == nil {
		report, err = change(t)
		err = errors.Join(err, t.Close())
	}
	if e, ok := errors.AsType[*publish.Error](err); ok {
		err = e.Err
	}
	return report, err
}
