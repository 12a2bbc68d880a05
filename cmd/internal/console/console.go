// Package console has what the programs of this module share: it runs a command line, prints
// results, messages and errors, and opens the schema versions that the global flags name.
//
// A program exits with 0 on success, 1 if it found problems and 2 if it could not run. Results go
// to standard output, messages and errors to standard error.
package console

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/datachain-go/datachain/cmd/internal/flags"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/cmd/internal/usage"
)

// The exit codes.
const (
	ExitGood     = 0
	ExitFindings = 1 // problems were found and printed
	ExitFailed   = 2 // the command could not run
)

// ErrFindings ends a command that has printed what it found.
var ErrFindings = errors.New("there are findings")

// Console is one run of a program.
type Console struct {
	System
	// Root has the commands.
	Root *cobra.Command

	flags *stores.Flags
	out   *checkedWriter
	// helpFailed says why help could not be printed.
	helpFailed func() error

	mu      sync.Mutex
	closers []func()
}

// New returns a run of a program, whose commands are below root. It adds the global flags.
func New(root *cobra.Command, s System) *Console {
	out := &checkedWriter{w: s.Stdout}
	s.Stdout = out
	c := &Console{System: s, Root: root, out: out}
	root.SilenceErrors, root.SilenceUsage = true, true
	root.SetOut(c.Stdout)
	root.SetErr(c.Stderr)
	root.Version = c.Version().String()
	root.SetVersionTemplate("{{.Version}}\n")
	root.Flags().Bool("version", false, "print the version of this program")
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error { return c.Prepare(cmd) }
	root.PersistentFlags().SortFlags = false
	c.flags = stores.AddFlags(root, stores.System{Dir: s.Dir, UID: s.UID, Getenv: s.Getenv, Warn: func(err error) { c.PrintError("%v", err) }})
	return c
}

// Install gives the commands their help and usage errors, once all are there.
func (c *Console) Install() { c.helpFailed = usage.Install(c.Root, c.HelpWidth) }

// Prepare checks the flags of a command before it runs, and finds out where versions are.
func (c *Console) Prepare(cmd *cobra.Command) error {
	if cmd.HasSubCommands() {
		return nil // which says what is missing, or wrong
	}
	if err := c.flags.Check(cmd); err != nil {
		return err
	}
	if flags.HelpAll(cmd) {
		return pflag.ErrHelp
	}
	return c.flags.Find(cmd)
}

// AtEnd calls a function when the command has ended.
func (c *Console) AtEnd(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closers = append(c.closers, f)
}

// end calls the functions that were given to AtEnd.
func (c *Console) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, f := range c.closers {
		f()
	}
}

// Run runs a command line. The error is for [Console.Exit].
func (c *Console) Run(ctx context.Context, args []string) error {
	defer c.end()
	c.Root.SetArgs(append([]string{}, args...)) // nil would mean those of the process
	err := c.Root.ExecuteContext(ctx)
	if err == nil {
		err = c.helpFailed()
	}
	if c.out.err != nil {
		err = c.out.err
	}
	return stores.Readable(err)
}

// Exit prints the error of a command line, unless that printed what it found, and returns the exit
// code. After ctx has ended, the error is that the program was interrupted.
func (c *Console) Exit(ctx context.Context, err error) int {
	switch {
	case err == nil:
		return ExitGood
	case errors.Is(err, ErrFindings):
		return ExitFindings
	case ctx.Err() != nil:
		err = errors.New("interrupted")
	}
	c.PrintError("%v", err)
	return ExitFailed
}

// UntilSignal returns a context that ends with the first signal to stop: SIGTERM, SIGINT, or SIGHUP
// unless it is ignored, as under nohup. By then signals are no longer caught, so that a second one
// ends the program at once: [signal.NotifyContext] would still catch it for a moment, and lose it.
func UntilSignal() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // Notify would end that
		signal.Notify(signals, syscall.SIGHUP)
	}
	go func() {
		<-signals
		signal.Stop(signals)
		cancel()
	}()
	return ctx
}

// Await returns what work returns, or the error of a context that ends earlier. Pure packages take
// no context, and standard input may never end.
func Await[T any](ctx context.Context, work func() (T, error)) (T, error) {
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

// checkedWriter keeps the first error of its writer, so that a result that was
// not written is a failure.
type checkedWriter struct {
	w   io.Writer
	err error
}

func (w *checkedWriter) Write(p []byte) (int, error) {
	n, err := w.w.Write(p)
	if err != nil && w.err == nil {
		w.err = fmt.Errorf("can't write the output: %w", err)
	}
	return n, err
}
