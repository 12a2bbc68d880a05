package repotest_test

import (
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	yamlv3 "go.yaml.in/yaml/v3"
)

// action is the part of action.yml that the tests look at.
type action struct {
	Inputs map[string]struct {
		Description, Default string
	}
	Runs struct {
		Using string
		Steps []actionStep
	}
}

type actionStep struct {
	Name, Shell, Run, Uses, If string
	Env, With                  map[string]string
}

func readYAML(t *testing.T, file string, into any) {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	decoder := yamlv3.NewDecoder(strings.NewReader(string(text)))
	require.NoError(t, decoder.Decode(into))
}

// TestAction checks what GitHub would: each step can run, and uses inputs that exist.
func TestAction(t *testing.T) {
	var a action
	readYAML(t, "action.yml", &a)
	require.Equal(t, "composite", a.Runs.Using)
	used := map[string]bool{}
	for _, s := range a.Runs.Steps {
		require.NotEqual(t, s.Uses == "", s.Run == "", "%v", s)
		if s.Run != "" {
			require.Equal(t, "bash", s.Shell, s.Name)
			require.NotContains(t, s.Run, "${{", "%s: an expression in a script can inject commands", s.Name)
		}
		expressions := s.If
		for _, value := range s.Env {
			expressions += " " + value
		}
		for _, found := range regexp.MustCompile(`inputs\.([a-z-]+)`).FindAllStringSubmatch(expressions, -1) {
			require.Contains(t, a.Inputs, found[1])
			used[found[1]] = true
		}
	}
	for name, input := range a.Inputs {
		require.NotEmpty(t, input.Description, name)
		require.True(t, used[name], "the input %s is not used", name)
	}
}

// TestActionRuns runs the check of the action with a command that writes down how it
// was called.
func TestActionRuns(t *testing.T) {
	var a action
	readYAML(t, "action.yml", &a)
	check := a.Runs.Steps[len(a.Runs.Steps)-1]
	require.Equal(t, "Check", check.Name)
	for name, c := range map[string]struct {
		inputs map[string]string
		calls  string // one line per call
		fails  bool
	}{
		"documents": {map[string]string{"documents": "a b.json\n\n  \ndocs\n"}, "validate|--format|github|--|a b.json|docs|\n", false},
		"lint":      {map[string]string{"lint": "schemas"}, "schema|lint|schemas|--format|github|\n", false},
		"both": {
			map[string]string{"lint": "my schemas", "documents": "docs", "strict": "true"},
			"schema|lint|my schemas|--format|github|--strict|\nvalidate|--format|github|--strict|--schemas|my schemas|--|docs|\n", false,
		},
		"breaking": {map[string]string{"breaking": "schemas"}, "schema|breaking|schemas|--format|github|\n", false},
		"against": {
			map[string]string{"breaking": "my schemas", "against": "my store", "strict": "true"},
			"schema|breaking|my schemas|--format|github|--strict|--against|my store|\n", false,
		},
		"store":   {map[string]string{"store": "out", "documents": "docs"}, "validate|--format|github|--store|out|--|docs|\n", false},
		"schemas": {map[string]string{"schemas": "s", "documents": "docs"}, "validate|--format|github|--schemas|s|--|docs|\n", false},
		"register": {
			map[string]string{"register": "my docs", "store": "out", "strict": "true"},
			"documents|check|my docs|--format|github|--store|out|\n", false,
		},
		"review": {
			map[string]string{"review": "my docs", "schemas": "s"},
			"documents|review|my docs|--format|github|--schemas|s|\n", false,
		},
		"review with all": {
			map[string]string{"review": "docs", "review-links": "true", "review-accepted": "my accepted.json", "strict": "true"},
			"documents|review|docs|--format|github|--links|--accepted|my accepted.json|--fail|\n", false,
		},
		"merge":           {map[string]string{"merge": "my docs", "store": "out"}, "merge|my docs|--format|md|--store|out|\n", false},
		"merge, decision": {map[string]string{"merge": "fail"}, "merge|fail|--format|md|\n", false},
		"merge, strict":   {map[string]string{"merge": "fail", "strict": "true"}, "merge|fail|--format|md|\n", true},
		"nothing":         {nil, "", true},
		"commands":        {map[string]string{"documents": "$(touch bad); `touch bad`"}, "validate|--format|github|--|$(touch bad); `touch bad`|\n", false},
		"flags":           {map[string]string{"documents": "--fix"}, "validate|--format|github|--|--fix|\n", false},
		"findings":        {map[string]string{"lint": "fail", "documents": "docs"}, "schema|lint|fail|--format|github|\nvalidate|--format|github|--schemas|fail|--|docs|\n", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			stub := "#!/usr/bin/env bash\nprintf '%s|' \"$@\" >>calls\necho >>calls\n[[ \" $* \" != *' fail '* ]]\n"
			require.NoError(t, os.WriteFile(filepath.Join(dir, "datachain"), []byte(stub), 0o755))                       //nolint:gosec // it is run
			cmd := exec.CommandContext(t.Context(), "bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", check.Run) //nolint:gosec // as GitHub does
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"))
			for variable, expression := range check.Env {
				input := regexp.MustCompile(`^\$\{\{ inputs\.([a-z-]+) \}\}$`).FindStringSubmatch(expression)
				require.Len(t, input, 2, expression)
				value, given := c.inputs[input[1]]
				if !given {
					value = a.Inputs[input[1]].Default
				}
				cmd.Env = append(cmd.Env, variable+"="+value)
			}
			output, err := cmd.CombinedOutput()
			require.Equal(t, c.fails, err != nil, "%s", output)
			calls, err := os.ReadFile(filepath.Join(dir, "calls"))
			if c.calls != "" {
				require.NoError(t, err)
			}
			require.Equal(t, c.calls, string(calls))
			require.NoFileExists(t, filepath.Join(dir, "bad"))
		})
	}
}

// TestActionDownloads runs the step of the action that downloads the archive of a release, from a
// server: it is compared with the checksums of the release, and what is no release is built.
func TestActionDownloads(t *testing.T) {
	var a action
	readYAML(t, "action.yml", &a)
	download := a.Runs.Steps[0]
	require.Equal(t, "Download datachain", download.Name)

	const name = "datachain-1.0.0-linux-amd64"
	archive := packed(t, name)
	sums := fmt.Sprintf("%x  datachain.rb\n%x  %s.tar.gz\n", sha256.Sum256(nil), sha256.Sum256(archive), name)

	for what, c := range map[string]struct {
		ref, system, sums string
		archive           []byte
		want              string // downloaded, built or refused
	}{
		"a release":                      {"v1.0.0", "Linux-X64", sums, archive, "downloaded"},
		"an archive that was replaced":   {"v1.0.0", "Linux-X64", sums, archive[:len(archive)-1], "refused"},
		"an archive that is not listed":  {"v1.0.0", "Linux-X64", "", archive, "refused"},
		"an archive that is missing":     {"v1.0.0", "Linux-X64", sums, nil, "refused"},
		"a tag without a release":        {"v1.0.1", "Linux-X64", sums, archive, "built"},
		"a commit":                       {"0123456789012345678901234567890123456789", "Linux-X64", sums, archive, "built"},
		"a branch":                       {"main", "Linux-X64", sums, archive, "built"},
		"the action of this repository":  {"", "Linux-X64", sums, archive, "built"},
		"a system that has no archive":   {"v1.0.0", "Linux-ARM", sums, archive, "built"},
		"a ref that is more than a name": {"v1.0.0/../x", "Linux-X64", sums, archive, "built"},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			release := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				const at = "/owner/datachain/releases/download/v1.0.0/"
				switch {
				case r.URL.Path == at+"SHA256SUMS":
					_, _ = io.WriteString(w, c.sums)
				case r.URL.Path == at+name+".tar.gz" && c.archive != nil:
					_, _ = w.Write(c.archive)
				default:
					w.WriteHeader(http.StatusNotFound)
				}
			}))
			defer release.Close()
			temp := t.TempDir()
			source := filepath.Join(temp, "action")
			require.NoError(t, os.Mkdir(source, 0o700))
			require.NoError(t, os.WriteFile(filepath.Join(source, "go.mod"), []byte("module datachain\n"), 0o600))
			cmd := exec.CommandContext(t.Context(), "bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", download.Run) //nolint:gosec // as GitHub does
			cmd.Env = append(os.Environ(), "REPOSITORY=owner/datachain", "REF="+c.ref, "SYSTEM="+c.system,
				"GITHUB_SERVER_URL="+release.URL, "GITHUB_ACTION_PATH="+source, "RUNNER_TEMP="+temp,
				"GITHUB_PATH="+filepath.Join(temp, "path"), "GITHUB_OUTPUT="+filepath.Join(temp, "output"))
			log, err := cmd.CombinedOutput()
			require.Equal(t, c.want == "refused", err != nil, "%s", log)
			path, _ := os.ReadFile(filepath.Join(temp, "path"))
			output, _ := os.ReadFile(filepath.Join(temp, "output"))
			switch c.want {
			case "downloaded":
				require.Equal(t, filepath.Join(temp, name, "bin")+"\n", string(path))
				require.FileExists(t, filepath.Join(temp, name, "bin", "datachain"))
				require.Empty(t, output, "nothing is built")
			case "built":
				require.Equal(t, filepath.Join(temp, "datachain")+"\n", string(path))
				require.Regexp(t, "^key=datachain-"+c.system+"-[0-9a-f]{64}\n$", string(output))
			default:
				require.Empty(t, string(path)+string(output))
			}
		})
	}
	for _, s := range a.Runs.Steps[1 : len(a.Runs.Steps)-1] {
		require.Contains(t, s.If, "steps.release.outputs.key", "nothing is built that was downloaded")
	}
}

// TestInstall runs the line of docs/install.md that downloads an archive and checks it.
func TestInstall(t *testing.T) {
	page, err := os.ReadFile("docs/install.md")
	require.NoError(t, err)
	const home = "https://github.com/datachain-go/datachain"
	_, line, found := strings.Cut(string(page), "```sh\nv=1.0.0; ")
	require.True(t, found)
	line, _, _ = strings.Cut(line, "```")
	require.Contains(t, line, home)
	name := "datachain-1.0.0-" + runtime.GOOS + "-" + runtime.GOARCH
	archive := packed(t, name)
	for _, sent := range [][]byte{archive, archive[1:]} {
		release := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/releases/download/v1.0.0/SHA256SUMS":
				fmt.Fprintf(w, "%x  datachain.rb\n%x  %s.tar.gz\n", sha256.Sum256(nil), sha256.Sum256(archive), name)
			case "/releases/download/v1.0.0/" + name + ".tar.gz":
				_, _ = w.Write(sent)
			default:
				w.WriteHeader(http.StatusNotFound)
			}
		}))
		cmd := exec.CommandContext(t.Context(), "bash", "-c", "v=1.0.0; "+strings.ReplaceAll(line, home, release.URL)) //nolint:gosec // as readers do
		cmd.Dir = t.TempDir()
		log, err := cmd.CombinedOutput()
		release.Close()
		right := len(sent) == len(archive)
		require.Equal(t, right, err == nil, "%s", log)
		_, err = os.Stat(filepath.Join(cmd.Dir, name, "bin", "datachain"))
		require.Equal(t, right, err == nil, "%s", log)
	}
}

// packed returns an archive with a program.
func packed(t *testing.T, name string) []byte {
	t.Helper()
	dir := t.TempDir()
	program := filepath.Join(dir, name, "bin", "datachain")
	require.NoError(t, os.MkdirAll(filepath.Dir(program), 0o700))
	require.NoError(t, os.WriteFile(program, []byte("#!/bin/sh\n"), 0o700)) //nolint:gosec // a program
	pack := exec.CommandContext(t.Context(), "tar", "-czf", "-", name)
	pack.Dir = dir
	archive, err := pack.Output()
	require.NoError(t, err)
	return archive
}

// TestHooks checks which files the hooks of pre-commit look at.
func TestHooks(t *testing.T) {
	var hooks []struct {
		ID, Name, Description, Entry, Language, Files string
		PassFilenames                                 *bool `yaml:"pass_filenames"`
		RequireSerial                                 bool  `yaml:"require_serial"`
	}
	readYAML(t, ".pre-commit-hooks.yaml", &hooks)
	matched := map[string][]string{}
	for _, h := range hooks {
		require.Equal(t, "golang", h.Language)
		require.True(t, strings.HasPrefix(h.Entry, "datachain "), h.Entry)
		require.NotEmpty(t, h.Description)
		files := regexp.MustCompile(h.Files)
		for _, file := range []string{
			"a.datachain.json", "docs/b.datachain.json", "documents/c.json", "documents/sub/d.json", "documents/_draft.json", "documents/.e.json",
			"documents/_drafts/f.json", "documents/register.yaml", "dist/documents/index.json", "package.json", "schemas/ai/2026-09-01-beta/schema.yaml",
			"schemas/ai/2026-09-01-beta/elements/x.yml", "schemas/ai/2026-09-01-beta/categories/x.json", "schemas/ai/2026-09-01-beta/symbols/x.svg", "logo.svg",
		} {
			if files.MatchString(file) {
				matched[h.ID] = append(matched[h.ID], filepath.Base(file))
			}
		}
	}
	documents := []string{"a.datachain.json", "b.datachain.json", "c.json", "d.json"}
	require.Equal(t, map[string][]string{
		"datachain-validate": documents, "datachain-fix": documents,
		"datachain-review":      {"c.json", "d.json", "register.yaml"},
		"datachain-schema-lint": {"schema.yaml", "x.yml", "x.json", "x.svg"},
	}, matched)

	// What docs/ci.md tells people to copy.
	page, err := os.ReadFile("docs/ci.md")
	require.NoError(t, err)
	_, recipe, _ := strings.Cut(string(page), "```yaml\nrepos:\n")
	recipe, _, _ = strings.Cut(recipe, "```")
	var repos []struct {
		Repo, Rev string
		Hooks     []struct {
			ID   string
			Args []string
		}
	}
	require.NoError(t, yamlv3.Unmarshal([]byte(recipe), &repos))
	require.Len(t, repos, 1)
	require.Regexp(t, `^v\d+\.\d+\.\d+$`, repos[0].Rev, "pre-commit keeps what it once had of a branch")
	for _, h := range repos[0].Hooks {
		require.Contains(t, matched, h.ID)
	}
}

// TestContinuousIntegrationPaths checks that files exist whose changes make a step of CI run: a
// step whose paths were moved would only run at night. So do the pure packages of the Makefile.
func TestContinuousIntegrationPaths(t *testing.T) {
	text, err := os.ReadFile(".ci/run")
	require.NoError(t, err)
	script := string(text)
	for _, list := range regexp.MustCompile(`(?m)^(\w+)='(.*)'$`).FindAllStringSubmatch(script, -1) {
		script = strings.ReplaceAll(script, "$"+list[1], list[2])
	}
	paths := map[string]bool{}
	for _, list := range regexp.MustCompile(`(?m)^on '([^']+)'|^on "([^"]+)"|\bchanged ([^|\n]+) \|\|`).FindAllStringSubmatch(script, -1) {
		for path := range strings.FieldsSeq(list[1] + list[2] + list[3]) {
			paths[strings.Trim(path, "'")] = true
		}
	}
	require.Contains(t, paths, "pages")
	require.Contains(t, paths, ":(glob)**/*.md")

	makefile, err := os.ReadFile("Makefile")
	require.NoError(t, err)
	pure := regexp.MustCompile(`(?m)^PURE := ((?:.*\\\n)*.*)$`).FindStringSubmatch(string(makefile))
	require.Len(t, pure, 2)
	for path := range strings.FieldsSeq(strings.ReplaceAll(pure[1], "\\\n", " ")) {
		paths[path] = true
	}
	require.Contains(t, paths, "search")

	for path := range paths {
		path = strings.TrimPrefix(path, ":(exclude,glob)")
		path = strings.TrimPrefix(path, ":(glob)")
		found, err := filepath.Glob(strings.TrimPrefix(path, "**/"))
		require.NoError(t, err)
		require.NotEmpty(t, found, "%s does not exist", path)
	}
}
