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

	"github.com/datachain-go/datachain/adapters/s3store/s3target"
	"github.com/datachain-go/datachain/cmd/datachain/internal/flags"
	"github.com/datachain-go/datachain/cmd/datachain/internal/location"
	"github.com/datachain-go/datachain/cmd/datachain/internal/report"
	"github.com/datachain-go/datachain/cmd/datachain/internal/server"
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

// program is one run of the command.
type program struct {
	system
	// from is where versions are, and locationFlags are the flags that name it, by command.
	from          location.Location
	locationFlags map[*cobra.Command]locationFlags
	// bucket has the flags that say how to reach buckets.
	bucket s3target.Access
	// trust verifies the stores that are read, by a file; nil for none. seenDir is where the
	// highest checkpoint of each log is kept, or "".
	trust     *trust.Trust
	trustFile string
	seenDir   string
	// signing says how to sign the log of the store that is changed.
	signing signing
	// storeProblem is called with problems of a store that do not change what is
	// read from it; nil ignores them.
	storeProblem func(error)
	// warned is set when the program has said why it ignores the project file.
	warned bool
	// helpError is the error of the help function, which can't return one to cobra.
	helpError error

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
		err = p.helpError
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
	p.locationFlags = make(map[*cobra.Command]locationFlags)
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
