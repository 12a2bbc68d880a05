// Command datachain validates and resolves datachain documents, and lints, builds,
// compares, publishes and serves the taxonomies that they use.
//
// It exits with 0 on success, 1 if it found problems (an invalid document, lint
// errors, breaking changes) and 2 if it could not run. Results go to standard
// output, as text or, with --format json, as one JSON object. Progress and errors
// go to standard error.
//
// Each subcommand is a file: a function declares the command with its flags, another one runs
// it, and the answer that this returns knows how to print itself; see [answer]. Commands are a
// thin use of the packages of this module: a Go program can do the same with them.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/cmd/internal/global"
	"github.com/datachain-go/datachain/cmd/internal/report"
	"github.com/datachain-go/datachain/cmd/internal/schemas"
	"github.com/datachain-go/datachain/cmd/internal/server"
	"github.com/datachain-go/datachain/cmd/internal/usage"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
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

// program is one run of the command.
type program struct {
	system
	*global.Flags
	// seenDir is where the highest checkpoint of each log is kept, or "".
	seenDir string
	// signing says how to sign the log of the store that is changed.
	signing signing
	// storeProblem is called with problems of a store that do not change what is
	// read from it; nil ignores them.
	storeProblem func(error)
	// helpFailed says why help could not be printed.
	helpFailed func() error

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
		err = p.helpFailed()
	}
	if out.err != nil {
		err = out.err
	}
	err = schemas.Readable(err)
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
	p.printError("%v", err)
	return exitFailed
}

// await returns what work returns, or the error of a context that ends earlier. Pure packages take
// no context, and standard input may never end.
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

// printError prints an error on standard error.
func (p *program) printError(format string, args ...any) {
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
	root.PersistentPreRunE = p.prepare
	root.PersistentFlags().SortFlags = false
	p.Flags = global.Add(root, global.System{Dir: p.dir, UID: p.uid, Getenv: p.getenv, Warn: func(err error) { p.printError("%v", err) }})
	addCommands(root, "documents", "Documents:", p.starterCommand(), p.validateCommand(), p.resolveCommand(), p.upgradeCommand(), p.renderCommand(), p.signCommand(), p.compareCommand(), p.verifyCommand(), p.importCommand())
	addCommands(root, "taxonomies", "Taxonomies:", p.schemaCommand(), p.iconsCommand(), p.searchCommand(), p.codesCommand(), p.crosswalkCommand())
	addCommands(root, "publishing", "Publishing:", p.documentsCommand(), p.logCommand(), p.siteCommand(), p.checkCommand())
	addCommands(root, "serving", "Serving:", p.serveCommand(), p.mcpCommand(), p.lspCommand())
	root.AddCommand(p.optionsCommand(), p.versionCommand())
	p.helpFailed = usage.Install(root, p.helpWidth)
	p.complete(root)
	return root
}

// with adds subcommands to a command.
func with(cmd *cobra.Command, commands ...*cobra.Command) *cobra.Command {
	cmd.AddCommand(commands...)
	return cmd
}

// helpWidth is how many columns help has: fewer on a narrow terminal.
func (p *program) helpWidth() int { return min(p.outWidth(), textWidth) }

// optionsCommand shows the global flags.
func (p *program) optionsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "options",
		Short: "Show the flags of all commands: where schema versions come from",
		Long: `Show the flags of all commands that use schema versions. One of --schemas, --store and
--samples says where these come from. Without it, they come from the environment variable
DATACHAIN_STORE or DATACHAIN_SCHEMAS, else from the project file datachain.yaml, else
from the working directory if it is a schema source, else they are the samples.

Each flag has an environment variable, such as DATACHAIN_S3_REGION for --s3-region. Flags
override environment variables, and these override the project file. A command that
changes a store takes it from --store only.`,
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return p.printf("%s\n%s", report.Reflow(cmd.Long, p.helpWidth()), usage.Global(cmd, p.helpWidth()))
	}
	return cmd
}

// addCommands adds a group of commands.
func addCommands(cmd *cobra.Command, id, title string, commands ...*cobra.Command) {
	cmd.AddGroup(&cobra.Group{ID: id, Title: title})
	for _, c := range commands {
		c.GroupID = id
		cmd.AddCommand(c)
	}
}
