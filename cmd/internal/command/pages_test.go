package command

import (
	"bytes"
	"cmp"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/datachain-go/datachain/cmd/internal/transcripttest"
)

// TestCodeBlocks checks every code block of the pages by its language, and every command and flag
// that a text names. The blocks of the language "text" are formats and output, not code.
func TestCodeBlocks(t *testing.T) {
	t.Parallel()
	checks := map[string]func(t *testing.T, page, code string){
		"console": followed,
		"python":  followed,
		"go":      runsProgram,
		"json":    func(t *testing.T, _, code string) { assert.True(t, json.Valid([]byte(code)), code) },
		"yaml":    parsesYAML,
		"xml":     parsesXML,
		"sh":      understandsScript,
		"js":      importsWhatExists,
		"text":    func(*testing.T, string, string) {},
	}
	fences := regexp.MustCompile("(?ms)^ *```(\\w*)\n(.*?)^ *```$") //nolint:gocritic // ^ begins a line
	for _, page := range documentation(t) {
		t.Run(strings.TrimPrefix(page, "../../../"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(page)
			require.NoError(t, err)
			for _, block := range fences.FindAllStringSubmatch(string(text), -1) {
				check := checks[block[1]]
				require.NotNil(t, check, "no test knows the language %q of the block\n%s", block[1], block[2])
				check(t, page, block[2])
			}
			prose := fences.ReplaceAllString(string(text), "")
			mentions(t, prose)
		})
	}
}

// documentation returns the pages for readers of all kinds.
func documentation(t *testing.T) []string {
	t.Helper()
	pages := []string{"../../../validate/testdata/cases/README.md"}
	require.NoError(t, filepath.WalkDir("../../..", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && slices.Contains([]string{".git", "build", "dist", "node_modules", "testdata"}, entry.Name()):
			return fs.SkipDir
		case filepath.Ext(path) == ".md" && entry.Name() != "CHANGELOG.md":
			pages = append(pages, filepath.ToSlash(path))
		}
		return nil
	}))
	require.Greater(t, len(pages), 40)
	return pages
}

// followed checks that a test runs the sessions and programs of a page: [TestTutorials], or TestTour
// and TestPython of the REST API.
func followed(t *testing.T, page, code string) {
	t.Helper()
	assert.True(t, strings.HasPrefix(page, "../../../docs/tutorials/") || page == "../../../docs/rest.md", "no test runs\n%s", code)
}

// runsProgram runs a program as a reader pastes it, and compares its output with the comment at its
// end. A program that needs arguments says so.
func runsProgram(t *testing.T, _, code string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "main.go")
	require.NoError(t, os.WriteFile(file, []byte(code), 0o600))
	cmd := exec.CommandContext(t.Context(), "go", "run", file)
	cmd.Dir = "../../.."
	out, err := cmd.CombinedOutput()
	_, want, promised := strings.Cut(code, "// Output:\n// ")
	if promised {
		assert.Equal(t, strings.ReplaceAll(want, "\n// ", "\n"), string(out))
	}
	assert.True(t, err == nil || strings.Contains(string(out), "usage: "), "%s\n%s", code, out)
}

// parsesYAML parses a file, knows its keys if it is authoring source, checks that the program understands its commands if it is for CI, and
// lets a register read the settings of one.
func parsesYAML(t *testing.T, page, code string) {
	t.Helper()
	var value any
	require.NoError(t, yaml.Unmarshal([]byte(code), &value), code)
	understandsCommands(t, code)
	if slices.Contains([]string{"authoring.md", "searching.md"}, filepath.Base(page)) {
		knowsKeys(t, value)
	}
	if page != "../../../docs/register.md" || strings.HasPrefix(code, "on:") { // a workflow
		return
	}
	p := newPlayer(t)
	p.write("settings/register.yaml", code)
	p.write("settings/logo.svg", `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>`)
	_, stdout, stderr := execute(t.Context(), p.sys, "documents", "check", "settings", "--samples")
	assert.NotContains(t, stdout+stderr, "register.yaml")
}

// knowsKeys checks that the schemas of authoring source have the keys of a value.
func knowsKeys(t *testing.T, value any) {
	t.Helper()
	switch value := value.(type) {
	case []any:
		for _, v := range value {
			knowsKeys(t, v)
		}
	case map[string]any:
		for key, v := range value {
			assert.True(t, sourceKeys()[key] || slices.Contains([]string{"en", "fr", "rule", "subject"}, key), "no schema has the key %s", key)
			knowsKeys(t, v)
		}
	}
}

// sourceKeys returns the keys in the schemas of package validate.
var sourceKeys = sync.OnceValue(func() map[string]bool {
	keys := map[string]bool{}
	files, _ := filepath.Glob("../../../validate/schemas/*.json")
	for _, file := range files {
		text, _ := os.ReadFile(file)
		for _, m := range regexp.MustCompile(`"(\w+)": *\{`).FindAllSubmatch(text, -1) {
			keys[string(m[1])] = true
		}
	}
	return keys
})

func parsesXML(t *testing.T, _, code string) {
	t.Helper()
	decoder := xml.NewDecoder(strings.NewReader(code))
	for {
		_, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		require.NoError(t, err, code)
	}
}

// understandsScript checks the syntax of a script, and that the program understands each of its
// commands that begins with datachain.
func understandsScript(t *testing.T, _, code string) {
	t.Helper()
	bash := exec.CommandContext(t.Context(), "bash", "-n")
	bash.Stdin = strings.NewReader(code)
	out, err := bash.CombinedOutput()
	require.NoError(t, err, "%s\n%s", code, out)
	understandsCommands(t, code)
}

// understandsCommands checks that the program understands its commands in a script.
func understandsCommands(t *testing.T, code string) {
	t.Helper()
	command := regexp.MustCompile(`^ *(?:- )?(?:run: )?(?:go run )?(?:\S*/)?datachain(-cloud)?(?:@v[0-9.]+)? (.*)`)
	for line := range strings.Lines(strings.ReplaceAll(code, "\\\n", " ")) {
		if m := command.FindStringSubmatch(line); m != nil {
			assert.True(t, m[1] != "" || !needsCloud(m[2]), "datachain can't open what it is told to: use datachain-cloud in %s", line)
			understood(t, m[2])
		}
	}
}

// needsCloud reports whether arguments name a bucket or Redis.
func needsCloud(args string) bool {
	return strings.Contains(args, "s3://") || strings.Contains(args, "--shared ")
}

// importsWhatExists checks that the npm packages declare what a program imports from them.
func importsWhatExists(t *testing.T, page, code string) {
	t.Helper()
	imports := regexp.MustCompile(`import \{(.*)\} from '@datachain-go/(\w+)(?:/(\w+))?'`).FindAllStringSubmatch(code, -1)
	require.NotEmpty(t, imports, "%s: no import in\n%s", page, code)
	for _, m := range imports {
		dir := map[string]string{"wasm": "wasm", "editor": "web"}[m[2]]
		types, err := os.ReadFile(filepath.Join("..", "..", "..", "editors", dir, cmp.Or(m[3], "index")+".d.ts"))
		require.NoError(t, err)
		for name := range strings.SplitSeq(m[1], ", ") {
			assert.Regexp(t, `export (function `+name+`\(|\{.*\b`+name+`\b.*\})`, string(types), page)
		}
	}
}

// shell ends the arguments of a command: a comment, a redirection, a pipe or a background job.
var shell = regexp.MustCompile(`(\s|^)(#|[<>|&]).*`)

// understood checks that the program accepts the arguments and flags of a command, as far as this
// can be known before it runs.
func understood(t *testing.T, line string) {
	t.Helper()
	sys := testSystem(t.TempDir())
	require.NoError(t, os.WriteFile(sys.Path("trust.json"), []byte(pageTrust), 0o600))
	var stderr bytes.Buffer
	sys.Stdout, sys.Stderr = io.Discard, &stderr
	root := newConsole(sys).Root
	var ran *cobra.Command
	each(root, func(c *cobra.Command) {
		if c.Runnable() && !c.HasSubCommands() {
			c.Run, c.RunE = nil, func(c *cobra.Command, _ []string) error { ran = c; return nil }
		}
	})
	root.SetArgs(transcripttest.Split(strings.TrimSpace(shell.ReplaceAllString(line, ""))))
	require.NoError(t, root.ExecuteContext(t.Context()), "datachain %s", line)
	assert.NotNil(t, ran, "datachain %s is not a command\n%s", line, stderr.String())
}

// pageTrust is the trust file of the pages.
const pageTrust = `{"origin": "example.org/log", "keys": [{"key": "example.org/log+8f13f9e4+AYqI4910CfGV/VLbLTy6XXLKZwm/HZQSG/N0iAG0D29c"}]}`

// each calls a function for a command and all below it.
func each(c *cobra.Command, do func(*cobra.Command)) {
	do(c)
	for _, below := range c.Commands() {
		each(below, do)
	}
}

// mentions checks that the commands and flags exist that a text names in backquotes.
func mentions(t *testing.T, text string) {
	t.Helper()
	root := newConsole(testSystem("")).Root
	all := map[string]bool{}
	each(root, func(c *cobra.Command) {
		c.Flags().VisitAll(func(f *pflag.Flag) { all[f.Name] = true })
		c.PersistentFlags().VisitAll(func(f *pflag.Flag) { all[f.Name] = true })
	})
	flag := regexp.MustCompile(`(?:^|\s)--([a-z][a-z0-9-]*)`)
	for _, span := range regexp.MustCompile("`(datachain(?:-cloud)? [a-z][^`]*|--[a-z][^`]*)`").FindAllStringSubmatch(text, -1) {
		command, known := span[1], func(name string) bool { return all[name] }
		if name, args, _ := strings.Cut(command, " "); strings.HasPrefix(name, "datachain") {
			assert.True(t, name == "datachain-cloud" || !needsCloud(args), "use datachain-cloud in %s", command)
			c, rest, err := root.Find(strings.Fields(args))
			require.NoError(t, err, command)
			require.True(t, c.Runnable() && !c.HasSubCommands() || len(rest) == 0, "%s is not a command", command)
			c.InitDefaultHelpFlag()
			known = func(name string) bool { return c.Flag(name) != nil }
		}
		for _, name := range flag.FindAllStringSubmatch(command, -1) {
			assert.True(t, known(name[1]), "%s: no flag --%s", command, name[1])
		}
	}
}
