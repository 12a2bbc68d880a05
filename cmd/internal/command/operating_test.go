package command

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/cmd/internal/flags"
	"github.com/datachain-go/datachain/internal/goldentest"
)

// reference is the page of flags and metrics.
const reference = "../../../docs/server-reference.md"

// TestOperatingFlags holds the table of flags in the page to the flags. With
// UPDATE=1 it is written anew.
func TestOperatingFlags(t *testing.T) {
	t.Parallel()
	const begin, end = "<!-- flags: written by a test -->\n", "<!-- end of flags -->\n"
	data, err := os.ReadFile(reference)
	require.NoError(t, err)
	before, rest, ok := strings.Cut(string(data), begin)
	require.True(t, ok)
	_, after, ok := strings.Cut(rest, end)
	require.True(t, ok)
	goldentest.File(t, reference, before+begin+flagTables()+end+after)
}

// flagTables writes the flags of serve in tables, one for each group.
func flagTables() string {
	var b strings.Builder
	group := ""
	serve := serveOf()
	show := func(f *pflag.Flag) {
		if !flags.HasVariable(f) {
			return
		}
		g := flags.GroupOf(f)
		if flags.IsGlobal(f) {
			g = "Where versions come from (the global flags)"
		}
		if g != group {
			group = g
			fmt.Fprintf(&b, "\n**%s**\n\n| flag | variable | default | |\n|---|---|---|---|\n", g)
		}
		standard := ""
		if f.DefValue != "" {
			standard = "`" + f.DefValue + "`"
		}
		kind, _ := pflag.UnquoteUsage(f)
		cell := strings.NewReplacer("|", `\|`, "<", `\<`).Replace
		fmt.Fprintf(&b, "| %s | `%s` | %s | %s |\n", strings.TrimSpace("`--"+f.Name+"` "+cell(kind)), flags.Variable(f.Name), standard, cell(f.Usage))
	}
	serve.Root().PersistentFlags().VisitAll(show)
	serve.LocalFlags().VisitAll(show)
	return b.String() + "\n"
}

// serveOf returns the command serve of a program.
func serveOf() *cobra.Command {
	root := newConsole(testSystem("")).Root
	for _, c := range root.Commands() {
		if c.Name() == "serve" {
			return c
		}
	}
	return nil
}

// TestRepeatedDefaults checks defaults that pages repeat, apart from the tables of flags.
// {name} stands for the default of the flag with this name.
func TestRepeatedDefaults(t *testing.T) {
	t.Parallel()
	serve := serveOf().Flags()
	name := regexp.MustCompile(`\{[a-z-]+\}`)
	unit := regexp.MustCompile(`^(\d+)([A-Za-z]+)$`)
	thousands := regexp.MustCompile(`^(\d{2,3})(\d{3})$`)
	spelled := func(value string) string {
		return thousands.ReplaceAllString(unit.ReplaceAllString(value, "$1 $2"), "$1,$2")
	}
	for page, claims := range map[string][]string{
		"server-reference.md": {
			"| cached responses | {cache-size} | `--cache-size` |",
			"| clients in the rate limiter | {limiter-keys}, with 270 to 800 bytes each | `--limiter-keys` |",
			"| a request body | {max-body} | `--max-body` |",
			"| requests at once | {max-requests} | `--max-requests` |",
			"`--shared-timeout`, {shared-timeout}",
		},
		"scale.md": {"`--cache-size`, {cache-size}"},
		"rest.md": {
			"{limit-icons} requests for images, {limit-read} other reads, {limit-validate} requests to `validate`, and {limit-resolve} to `resolve`",
			"request bodies have at most {max-body}",
		},
		"mcp.md": {"at most {max-body} in total"},
	} {
		text, err := os.ReadFile("../../../docs/" + page)
		require.NoError(t, err)
		for _, claim := range claims {
			want := name.ReplaceAllStringFunc(claim, func(n string) string {
				flag := serve.Lookup(strings.Trim(n, "{}"))
				require.NotNil(t, flag, n)
				return spelled(flag.DefValue)
			})
			assert.Contains(t, string(text), want, page)
		}
	}
	// The default of --refresh depends on the store, so its help says it.
	text, err := os.ReadFile("../../../docs/operating.md")
	require.NoError(t, err)
	require.Contains(t, serve.Lookup("refresh").Usage, "100ms for a directory, 1s for a bucket")
	require.Contains(t, string(text), "| within `--refresh`, 100 ms | within `--refresh`, 1 second |")
}

// TestOperatingMetrics shows that the page names every metric that there is.
func TestOperatingMetrics(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(reference)
	require.NoError(t, err)
	s := startServer(t, testSystem(t.TempDir()), "--addr", anyPort, admission, fastDrain)
	s.get("/schemas")
	_, body := getURL(t, s.admin+"/metrics")
	found := 0
	for line := range strings.Lines(body) {
		if rest, ok := strings.CutPrefix(line, "# TYPE datachain_"); ok {
			name, _, _ := strings.Cut(rest, " ")
			assert.Contains(t, string(page), "`datachain_"+name+"`")
			found++
		}
	}
	assert.Greater(t, found, 10)
}
