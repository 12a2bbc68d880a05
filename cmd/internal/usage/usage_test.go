package usage_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/cmd/internal/flags"
	"github.com/datachain-go/datachain/cmd/internal/usage"
)

// run runs a command line of a small program.
func run(line string) (stdout string, err error) {
	root := &cobra.Command{Use: "prog", Short: "Do things", SilenceErrors: true, SilenceUsage: true}
	group := &cobra.Command{Use: "thing", Short: "Keep things"}
	show := &cobra.Command{
		Use: "show NAME [VERSION] --size N", Short: "Show a thing", Example: "  prog thing show x --size 1",
		Long: "Show a thing, in the words that were used\nwhen it was made.",
		RunE: func(*cobra.Command, []string) error { return nil },
	}
	var n int
	var format string
	flags.Add(show, flags.New("size", "how large it is", flags.Integer(&n, 9)), flags.New("format", "output format", flags.OneOf(&format, "text", "json").Default("text")))
	list := &cobra.Command{Use: "list [DIR]...", Short: "List things", RunE: show.RunE}
	flags.MakeBrief(list)
	root.AddCommand(group)
	group.AddCommand(show, list)
	failed := usage.Install(root, func() int { return 40 })
	var out bytes.Buffer
	root.SetOut(&out)
	root.SetErr(new(bytes.Buffer))
	root.SetArgs(strings.Fields(line))
	if err = root.Execute(); err == nil {
		err = failed()
	}
	return out.String(), err
}

// TestErrors makes mistakes in command lines.
func TestErrors(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"thing":                    `missing command after "prog thing"`,
		"think":                    `unknown command "think" for "prog"; did you mean thing?`,
		"thing shwo x":             `unknown command "shwo" for "prog thing"; did you mean show?`,
		"thing shwo --help":        `unknown command "shwo" for "prog thing"; did you mean show?`,
		"help thing lst":           `unknown command "lst" for "prog thing"; did you mean list?`,
		"thing show":               `missing NAME`,
		"thing show x y":           `VERSION must be a version, such as ai@latest, not "y"`,
		"thing show x ai@latest z": `unexpected argument "z" after "prog thing show NAME VERSION"`,
		"thing show x --siz 1":     `unknown flag --siz for "prog thing show"; did you mean --size?`,
		"thing show x -z":          `unknown flag -z for "prog thing show"`,
		"thing show x --size":      `--size requires a value: an integer from 1 to 9`,
	} {
		stdout, err := run(line)
		require.Empty(t, stdout, line)
		require.ErrorContains(t, err, want+"\nRun 'prog", line)
		require.True(t, strings.HasPrefix(err.Error(), want), err)
	}
	for _, line := range []string{"thing show x ai@latest --size 1", "thing list", "thing list a b c"} {
		_, err := run(line)
		require.NoError(t, err, line)
	}
}

// TestHelp reads help that fits 40 columns.
func TestHelp(t *testing.T) {
	t.Parallel()
	stdout, err := run("help thing show")
	require.NoError(t, err)
	before, _, _ := strings.Cut(stdout, "      --format")
	require.Equal(t, `Show a thing, in the words that were
used when it was made.

Usage:
  prog thing show NAME [VERSION] --size N [flags]

Examples:
  prog thing show x --size 1

Flags:
`, before)
	stdout, err = run("thing list --help")
	require.NoError(t, err)
	require.Contains(t, stdout, `Use "prog thing list --help-all" for all flags.`)
	stdout, err = run("thing --help")
	require.NoError(t, err)
	require.Contains(t, stdout, "Commands:\n  list        List things\n  show        Show a thing\n")
}
