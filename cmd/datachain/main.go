// Command datachain validates and resolves datachain documents, and lints, builds,
// compares, publishes and serves the taxonomies that they use.
//
// It exits with 0 on success, 1 if it found problems (an invalid document, lint
// errors, breaking changes) and 2 if it could not run. Results go to standard
// output, as text or, with --format json, as one JSON object. Progress and errors
// go to standard error.
//
// Each subcommand is a file, and a thin use of the packages of this module: a Go
// program can do the same with them.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/datachain-go/datachain/adapters/s3store/s3target"
	"github.com/datachain-go/datachain/adapters/sign"
	"github.com/datachain-go/datachain/cmd/datachain/internal/flags"
	"github.com/datachain-go/datachain/cmd/datachain/internal/location"
	"github.com/datachain-go/datachain/cmd/datachain/internal/report"
	"github.com/datachain-go/datachain/cmd/datachain/internal/server"
	"github.com/datachain-go/datachain/internal/gcpace"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/trust"
)

func main() {
	os.Exit(run(untilSignal(), os.Args[1:], thisSystem()))
}

// headroom is how much the heap of a command may grow between two garbage collections. Most of
// what a short command allocates it needs until its end.
const headroom = 16 << 20

// untilSignal returns a context that ends with the first signal to stop. By then
// signals are no longer caught, so that a second one ends the program at once:
// [signal.NotifyContext] would still catch it for a moment, and lose it.
func untilSignal() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		signal.Stop(signals)
		cancel()
	}()
	return ctx
}

// The exit codes.
const (
	exitGood     = 0
	exitFindings = 1 // problems were found and printed
	exitFailed   = 2 // the command could not run
)

// errFindings ends a command that has printed what it found.
var errFindings = errors.New("there are findings")

// program is one run of the command.
type program struct {
	system
	// from is where versions are, and origins say which commands take the flags that name it.
	from    location.Location
	origins map[*cobra.Command]*origin
	// bucket is how buckets are reached, as far as flags say it.
	bucket s3target.Access
	// trust verifies the stores that are read, by a file; nil for none. seenDir is where the
	// highest checkpoint of each log is kept, or "".
	trust     *trust.Trust
	trustFile string
	seenDir   string
	// signing is how the log of a store that is changed is signed.
	signing signing
	// storeProblem is called with problems of a store that do not change what is
	// read from it; nil ignores them.
	storeProblem func(error)
	// warned says that it was printed why the project file is ignored.
	warned bool
	// noHelp is why there is no help: cobra takes no error from its function.
	noHelp error

	mu      sync.Mutex
	closers []func()
}

// atEnd calls a function when the command has ended.
func (p *program) atEnd(f func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closers = append(p.closers, f)
}

// end calls the functions that were given to atEnd.
func (p *program) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, f := range p.closers {
		f()
	}
}

// run runs a command line and returns the exit code.
func run(ctx context.Context, args []string, sys system) int {
	out := &checkedWriter{w: sys.stdout}
	sys.stdout = out
	p := &program{system: sys}
	if sys.cacheDir != "" {
		p.seenDir = filepath.Join(sys.cacheDir, "datachain", "checkpoints")
	}
	defer p.end()
	root := p.rootCommand()
	root.SetArgs(append([]string{}, args...)) // nil would mean those of the process
	err := root.ExecuteContext(ctx)
	if err == nil {
		err = p.noHelp
	}
	if out.err != nil {
		err = out.err
	}
	err = readable(err)
	switch {
	case err == nil:
		return exitGood
	case errors.Is(err, errFindings):
		return exitFindings
	case ctx.Err() != nil && !errors.Is(err, server.ErrDrainTimeout):
		err = errors.New("interrupted")
	case errors.Is(err, taxonomy.ErrHashMismatch):
		err = advise(err, "'datachain check' lists every problem of a store.")
	}
	p.complain("%v", err)
	return exitFailed
}

// await returns what work returns, or the error of a context that ends before:
// pure packages can't be interrupted.
func await[T any](ctx context.Context, work func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := work()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, errors.Join(r.err, ctx.Err())
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

// say prints a message on standard error. A terminal gets lines that fit, and programs whole ones.
func (p *program) say(format string, args ...any) {
	_, _ = fmt.Fprintln(p.stderr, p.message(format, args...))
}

func (p *program) message(format string, args ...any) string {
	text := wording.Printable(fmt.Sprintf(format, args...))
	if p.stderrTerminal {
		text = report.Wrap(text, p.errWidth())
	}
	return text
}

// printf prints on standard output.
func (p *program) printf(format string, args ...any) error {
	_, err := fmt.Fprintf(p.stdout, format, args...)
	return err
}

// complain prints an error.
func (p *program) complain(format string, args ...any) {
	const name = "datachain:"
	text := p.message(name+" "+format, args...)
	_, _ = fmt.Fprintln(p.stderr, p.errStyle().Red(name)+strings.TrimPrefix(text, name))
}

func (p *program) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "datachain",
		Short: "Validate datachain documents and publish the taxonomies they use",
		Long: `A datachain document explains a system, such as an AI service or a street camera, to the
people it affects. Write and check documents, publish them in a register, and keep the
taxonomies that they use.

Exit codes: 0 success, 1 problems found, 2 could not run.`,
		SilenceErrors: true, SilenceUsage: true,
	}
	root.Version = p.versionAnswer().line()
	root.SetVersionTemplate("{{.Version}}\n")
	root.Flags().Bool("version", false, "print the version of this program")
	root.SetOut(p.stdout)
	root.SetErr(p.stderr)
	root.SetFlagErrorFunc(p.flagError)
	root.SetUsageFunc(p.usage)
	root.SetHelpFunc(p.help)
	root.PersistentPreRunE = p.prepare
	root.PersistentFlags().SortFlags = false
	flags.AddGlobal(root, p.globalFlags()...)
	root.MarkFlagsMutuallyExclusive(locations...)
	addCommands(root, "documents", "Documents:", p.starterCommand(), p.validateCommand(), p.resolveCommand(), p.upgradeCommand(), p.renderCommand(), p.signCommand(), p.compareCommand(), p.verifyCommand(), p.importCommand())
	addCommands(root, "taxonomies", "Taxonomies:", p.schemaCommand(), p.iconsCommand(), p.searchCommand(), p.codesCommand(), p.crosswalkCommand())
	addCommands(root, "publishing", "Publishing:", p.documentsCommand(), p.logCommand(), p.siteCommand(), p.checkCommand())
	addCommands(root, "serving", "Serving:", p.serveCommand(), p.mcpCommand(), p.lspCommand())
	root.AddCommand(p.optionsCommand(), p.versionCommand())
	p.complete(root)
	root.InitDefaultCompletionCmd()
	root.InitDefaultHelpCmd()
	for _, c := range root.Commands() {
		switch c.Name() {
		case "completion":
			c.Args, c.RunE = cobra.ArbitraryArgs, p.group
		case "help":
			c.Run, c.RunE = nil, helpOn
		}
	}
	return root
}

// addCommands adds a group of commands.
func addCommands(cmd *cobra.Command, id, title string, commands ...*cobra.Command) {
	cmd.AddGroup(&cobra.Group{ID: id, Title: title})
	for _, c := range commands {
		c.GroupID = id
		cmd.AddCommand(c)
	}
}

// versionAnswer is the output of `datachain version --format json`.
type versionAnswer struct {
	Version string `json:"version"`
	// Revision is the commit that the program was built from, if known, and
	// Modified reports whether there were other changes.
	Revision string `json:"revision,omitempty"`
	Modified bool   `json:"modified,omitempty"`
	// Time is the time of that commit, as RFC 3339.
	Time string `json:"time,omitempty"`
	Go   string `json:"go"`
}

func (p *program) versionCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version of this program",
	}
	format := formatFlag(cmd, formatText, formatJSON)
	licences := false
	flags.Add(cmd, flags.New("licences", "print the licence of the fonts that are part of the program", flags.Switch(&licences)))
	cmd.RunE = func(*cobra.Command, []string) error {
		if licences {
			return p.printf("Noto Sans and Noto Sans Arabic\n\n%s", sign.FontLicence())
		}
		a := p.versionAnswer()
		return p.answer(*format, a, true, func() error { return p.printf("%s\n", a.line()) })
	}
	return cmd
}

// line returns the answer for people.
func (a versionAnswer) line() string {
	var origin []string
	if a.Revision != "" {
		origin = append(origin, a.Revision)
	}
	if a.Modified {
		origin = append(origin, "modified")
	}
	if day, _, ok := strings.Cut(a.Time, "T"); ok {
		origin = append(origin, day)
	}
	line := "datachain " + a.Version
	if len(origin) > 0 {
		line += " (" + strings.Join(origin, ", ") + ")"
	}
	return line + " " + a.Go
}

func (p *program) versionAnswer() versionAnswer {
	if p.build == nil {
		return versionAnswer{Version: "(unknown)", Go: runtime.Version()}
	}
	a := versionAnswer{Version: cmp.Or(p.build.Main.Version, "(unknown)"), Go: p.build.GoVersion}
	for _, s := range p.build.Settings {
		switch s.Key {
		case "vcs.revision":
			a.Revision = s.Value
		case "vcs.modified":
			a.Modified = s.Value == "true"
		case "vcs.time":
			a.Time = s.Value
		}
	}
	return a
}

// system is what the program uses of the operating system, so that a test can
// replace it.
type system struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	// Whether the two are terminals, and how many columns they have, if known.
	stdoutTerminal, stderrTerminal bool
	stdoutWidth, stderrWidth       int

	getenv func(string) string
	// environ lists the environment; nil for none.
	environ func() []string
	// dir is the working directory.
	dir string
	// uid is the user, or negative if there are none.
	uid int
	// cacheDir is the cache directory of the user, or "".
	cacheDir string
	now      func() time.Time
	// pace sets the pace of the garbage collector for a command.
	pace func()
	// signLimit limits the time of --key-command; 0 is the default.
	signLimit time.Duration
	// browse opens a file in a browser.
	browse func(ctx context.Context, path string) error
	// build is the build information of the program, or nil.
	build *debug.BuildInfo
	// assets is the directory of web assets that was installed with the program, or "".
	assets string
}

func thisSystem() system {
	dir, err := os.Getwd()
	if err != nil {
		dir = "." // relative paths work anyway
	}
	cacheDir, err := os.UserCacheDir()
	if err != nil {
		cacheDir = "" // there is no home directory
	}
	program, err := os.Executable()
	if err != nil {
		program = "" // it is not needed otherwise
	}
	build, _ := debug.ReadBuildInfo()
	return system{
		stdin:  os.Stdin,
		stdout: os.Stdout, stdoutTerminal: term.IsTerminal(int(os.Stdout.Fd())), stdoutWidth: widthOf(os.Stdout),
		stderr: os.Stderr, stderrTerminal: term.IsTerminal(int(os.Stderr.Fd())), stderrWidth: widthOf(os.Stderr),
		getenv: os.Getenv, environ: os.Environ, dir: dir, uid: os.Getuid(), cacheDir: cacheDir, now: time.Now, browse: browse, build: build,
		assets: installedAssets(program), pace: func() { gcpace.Start(headroom) },
	}
}

// installedAssets returns the directory of web assets that archives and packages have:
// share/datachain, beside the directory of the program. What `go run` and `go install` build
// has none.
func installedAssets(program string) string {
	// Package managers link to the program from another directory.
	program, err := filepath.EvalSymlinks(program)
	if err != nil {
		return ""
	}
	dir := filepath.Join(filepath.Dir(program), "..", "share", "datachain")
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return ""
	}
	return dir
}

// widthOf returns how many columns a terminal has, or 0.
func widthOf(f *os.File) int {
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}

// outWidth and errWidth are how many columns standard output and standard error have: those of the
// terminal, or as many as text for people has.
func (s *system) outWidth() int { return onTerminal(s.stdoutTerminal, s.stdoutWidth) }

func (s *system) errWidth() int { return onTerminal(s.stderrTerminal, s.stderrWidth) }

// textWidth is how many columns text for people has, and minWidth is the narrowest terminal that
// text is laid out for.
const (
	textWidth = 80
	minWidth  = 20
)

func onTerminal(terminal bool, width int) int {
	if !terminal || width < minWidth {
		return textWidth
	}
	return width
}

// path returns the path that the user typed, from the working directory.
func (s *system) path(typed string) string { return location.Absolute(s.dir, typed) }

// shown returns a path as the user would type it: relative if they typed a
// relative one.
func (s *system) shown(path, typed string) string {
	if filepath.IsAbs(typed) {
		return path
	}
	return location.Relative(s.dir, path)
}

// outStyle and errStyle are the styles of standard output and standard error.
func (s *system) outStyle() report.Style { return report.Style(s.stdoutTerminal && s.colors()) }

func (s *system) errStyle() report.Style { return report.Style(s.stderrTerminal && s.colors()) }

// colors honors NO_COLOR (no-color.org) and terminals without colors. Windows
// Terminal has them and sets no TERM.
func (s *system) colors() bool {
	if s.getenv("NO_COLOR") != "" {
		return false
	}
	t := s.getenv("TERM")
	return t != "dumb" && (t != "" || s.getenv("WT_SESSION") != "")
}

// checkedWriter keeps the first error of its writer, so that a result that was
// not written is a failure.
type checkedWriter struct {
	w   io.Writer
	err error
}

func (c *checkedWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	if err != nil && c.err == nil {
		c.err = fmt.Errorf("can't write the output: %w", err)
	}
	return n, err
}
