package command

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/cmd/internal/transcripttest"
	"github.com/datachain-go/datachain/internal/goldentest"
)

// TestTutorials follows the tutorials as a reader would, one after the other in one home directory:
// each begins in a directory of its own, so that it works after the others. A code
// block after a line such as "`a/b.yaml`:" is a file to write; a block of the language
// "console" is a session, whose output must be what the page shows. With UPDATE=1 the output
// is written anew. Blocks of the language "sh" are not run: they change the machine.
func TestTutorials(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../../docs/tutorials/*.md")
	require.NoError(t, err)
	require.Len(t, files, 5)
	home := t.TempDir()
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".md"), func(t *testing.T) {
			page, err := os.ReadFile(file)
			require.NoError(t, err)
			require.Less(t, len(strings.Fields(string(page))), 2400, "ten minutes of reading")
			r := newReader(t, home)
			got := r.follow(string(page))
			require.Greater(t, r.commands, 5)
			for _, day := range date.FindAllString(got, -1) {
				require.LessOrEqual(t, day, time.Now().Format(time.DateOnly), "a reader has not seen that day yet")
			}
			goldentest.File(t, file, got)
		})
	}
}

// reader follows a tutorial.
type reader struct {
	*player
	home string
	// local is the address in the page, and the one that its server has here.
	local    *strings.Replacer
	server   *running
	commands int
}

func newReader(t *testing.T, home string) *reader {
	t.Helper()
	p := newPlayer(t)
	p.sys.Dir, p.Terminal = home, true
	p.sys.Now = func() time.Time { return time.Date(2026, time.November, 16, 18, 0, 0, 0, time.UTC) }
	return &reader{player: p, home: home}
}

// date is a day in a page or in the output of a command.
var date = regexp.MustCompile(`\b20\d\d-\d\d-\d\d`)

// block is a code block, with the name of the file before it if there is one.
var block = regexp.MustCompile("(?ms)(?:^`([^`\n]+)`:\n\n)?^```([a-z]+)\n(.*?)^```$") //nolint:gocritic // ^ begins a line

func (r *reader) follow(page string) string {
	return block.ReplaceAllStringFunc(page, func(text string) string {
		m := block.FindStringSubmatch(text)
		switch {
		case m[1] != "":
			name := r.sys.Path(m[1])
			require.NoError(r.T, os.MkdirAll(filepath.Dir(name), 0o755))
			require.NoError(r.T, os.WriteFile(name, []byte(m[3]), 0o644))
		case m[2] == "console":
			return "```console\n" + r.session(m[3]) + "```"
		}
		return text
	})
}

// mark is how the player marks exit codes, which a terminal does not show.
var mark = regexp.MustCompile(`(?m)^\[exit \d\]\n`)

// session runs the commands of a block and returns it with their output.
func (r *reader) session(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		command, ok := strings.CutPrefix(line, "$ ")
		if !ok {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		r.commands++
		r.Out.Reset()
		r.run(strings.TrimSpace(command))
		require.NotContains(r.T, r.Out.String(), "[exit 2]\n", "a reader can't go on after %s", command)
		b.WriteString(line)
		if out := strings.TrimRight(mark.ReplaceAllString(r.Out.String(), ""), "\n"); out != "" {
			b.WriteString(strings.ReplaceAll(out, r.home, "/home/you") + "\n")
		}
	}
	return b.String()
}

// run runs a command of the shell, as far as tutorials use them.
func (r *reader) run(line string) {
	args := transcripttest.Split(line)
	switch last := args[len(args)-1]; {
	case args[0] == "datachain" && last == "&":
		r.serve(args[2 : len(args)-1])
	case args[0] == "curl":
		r.Out.WriteString(r.server.become(r.local.Replace(last), http.StatusOK))
	case args[0] == "cp":
		require.NoError(r.T, os.CopyFS(r.sys.Path(last), os.DirFS(r.sys.Path(args[len(args)-2]))))
	case args[0] == "sed":
		part := strings.Split(args[2], "/")
		data, err := os.ReadFile(r.sys.Path(last))
		require.NoError(r.T, err)
		require.Contains(r.T, string(data), part[1])
		require.NoError(r.T, os.WriteFile(r.sys.Path(last), []byte(strings.Replace(string(data), part[1], part[2], 1)), 0o644))
	case args[0] == "find":
		var list strings.Builder
		r.Command("files " + args[1])
		for name := range strings.Lines(r.Out.String()) {
			list.WriteString(args[1] + "/" + name)
		}
		r.Out.Reset()
		r.Out.WriteString(list.String())
	case args[0] == "rm":
		require.NoError(r.T, os.RemoveAll(r.sys.Path(last)))
	default:
		r.Command(line)
	}
}

// serve starts a server with the flags of the page, at other ports: the last flag counts.
func (r *reader) serve(flags []string) {
	r.server = startServer(r.T, r.sys, append(flags, "--addr", anyPort, admission, fastDrain)...)
	r.local = strings.NewReplacer("http://localhost:8080", strings.TrimSuffix(r.server.api, "/api/v2"), "http://localhost:9090", r.server.admin)
}
