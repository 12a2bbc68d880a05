package command

import (
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/report"
)

// eachCommand calls a function with every command, and the words that name it.
func eachCommand(do func(cmd *cobra.Command, words []string)) {
	each(newConsole(testSystem("")).Root, func(cmd *cobra.Command) { do(cmd, strings.Fields(cmd.CommandPath())[1:]) })
}

// TestWrongValues gives every flag of every command a wrong value: each is refused in the same
// words, before anything is opened.
func TestWrongValues(t *testing.T) {
	t.Parallel()
	flags := 0
	eachCommand(func(cmd *cobra.Command, words []string) {
		if cmd.HasSubCommands() || len(words) > 0 && (words[0] == "completion" || words[0] == "help") {
			return
		}
		check := func(f *pflag.Flag) {
			if f.Name == "help" || f.Name == "version" && !cmd.HasParent() {
				return
			}
			flags++
			wrong := "\x01" // no text is valid for a flag that has rules
			if f.Value.Set(wrong) == nil {
				wrong = "" // any text is, but not none
			}
			t.Run(strings.Join(words, " ")+" --"+f.Name, func(t *testing.T) {
				code, stdout, stderr := execute(t.Context(), testSystem(t.TempDir()), append(words, "--"+f.Name+"="+wrong)...)
				assert.Equal(t, console.ExitFailed, code)
				assert.Empty(t, stdout)
				want := "^datachain: --" + f.Name + ` must be [^\n]+, not "[^"]*"`
				if f.Name == "shared" { // which may have a password
					want = "^datachain: --shared must be a URL [^\n]+"
				}
				assert.Regexp(t, want+`(; [^\n]+)?\nRun 'datachain `+strings.Join(words, " ")+` --help' for usage.\n$`, stderr)
			})
		}
		cmd.LocalFlags().VisitAll(check)
		cmd.InheritedFlags().VisitAll(check)
	})
	require.Greater(t, flags, 400)
}

// TestSameFlag holds flags of the same name to the same kind and words, whatever the command.
func TestSameFlag(t *testing.T) {
	t.Parallel()
	// What these are about depends on the command.
	differs := regexp.MustCompile(`^(format|out|limit|only|documents|size|against|key|from|keep)$`)
	kinds := make(map[string]string)
	eachCommand(func(cmd *cobra.Command, words []string) {
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			known, ok := kinds[f.Name]
			if !ok {
				kinds[f.Name] = f.Value.Type()
			} else if !differs.MatchString(f.Name) {
				assert.Equal(t, known, f.Value.Type(), "%v --%s", words, f.Name)
			}
			assert.NotEqual(t, "language", f.Name, "the flag for languages is --locale")
		})
	})
}

// TestHelpFits reads the help of every command.
func TestHelpFits(t *testing.T) {
	t.Parallel()
	eachCommand(func(_ *cobra.Command, words []string) {
		if len(words) > 1 && words[0] == "completion" {
			return // which cobra writes
		}
		for _, flag := range []string{"--help", "--help-all"} {
			if flag == "--help-all" && strings.Join(words, " ") != "serve" {
				continue
			}
			code, stdout, stderr := execute(t.Context(), testSystem(""), append(words, flag)...)
			require.Equal(t, console.ExitGood, code, "%v: %s", words, stderr)
			for line := range strings.Lines(stdout) {
				assert.LessOrEqual(t, report.Width(strings.TrimSuffix(line, "\n")), 80, "%v: %s", words, line)
			}
			if strings.Join(words, " ")+flag == "serve--help" {
				assert.LessOrEqual(t, strings.Count(stdout, "\n"), 40, "one screen")
			}
			assert.Equal(t, 1, strings.Count(stdout, "\nUsage:\n"), words)
		}
	})
	code, stdout, _ := execute(t.Context(), testSystem(""), "options")
	require.Equal(t, console.ExitGood, code)
	for line := range strings.Lines(stdout) {
		assert.LessOrEqual(t, report.Width(strings.TrimSuffix(line, "\n")), 80, line)
	}
	_, flags, _ := strings.Cut(stdout, "\nGlobal flags:\n")
	_, stdout, _ = execute(t.Context(), testSystem(""), "options", "--help")
	require.Contains(t, stdout, flags)
}

// TestGlobalFlags shows that global flags can be before a command, and that a command refuses
// those that it does not use.
func TestGlobalFlags(t *testing.T) {
	t.Parallel()
	sys := testSystem(t.TempDir())
	code, stdout, stderr := execute(t.Context(), sys, "--samples", "schema", "list")
	require.Equal(t, console.ExitGood, code, stderr)
	require.Contains(t, stdout, "ai@latest")
	require.Empty(t, stderr, "a location that is named is not announced")
	code, _, stderr = execute(t.Context(), sys, "version", "--store", "dist")
	require.Equal(t, console.ExitFailed, code)
	require.Equal(t, "datachain: \"datachain version\" does not use --store\nRun 'datachain version --help' for usage.\n", stderr)
}

// TestWithoutEffect shows that flags that can't have an effect are refused, and arguments that can't
// be versions, before anything is opened.
func TestWithoutEffect(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"check --samples --accept-removals":                              "--accept-removals requires --store",
		"schema promote ai@latest-beta --schemas s --key k":              "--key requires --store",
		"schema promote ai@latest-beta --schemas s --no-icons":           "--no-icons requires --store",
		"sign x.json --base-url https://r.example --kind card --size A3": "--size requires --kind sign or notice",
		"sign x.json --base-url https://r.example --fonts fonts":         "--fonts requires --format svg or pdf",
		"version --licences --format json":                               "--format and --licences can't be used together",
		"new ai":                                                         `VERSION must be a version, such as ai@latest, not "ai"`,
		"schema diff ai@latest ai@2026-13-01-beta":                       `NEW must be a version, such as ai@latest, not "ai@2026-13-01-beta"; 2026-13-01 is not a valid date`,
	} {
		t.Run(line, func(t *testing.T) {
			code, stdout, stderr := execute(t.Context(), testSystem(t.TempDir()), strings.Fields(line)...)
			assert.Equal(t, console.ExitFailed, code)
			assert.Empty(t, stdout)
			assert.True(t, strings.HasPrefix(stderr, "datachain: "+want+"\nRun 'datachain "), stderr)
		})
	}
}
