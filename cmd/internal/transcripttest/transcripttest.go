// Package transcripttest plays sessions of a program.
//
// A session is what a person would see: lines that begin with "$ " are commands, and what
// follows is their output, lines of standard error marked with "2> ", and the exit code if it
// is not 0. A line that begins with "# " is a comment.
package transcripttest

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/internal/goldentest"
)

// Test plays the sessions in a directory, each with a player of its own, and compares what they
// print, or with UPDATE=1 writes it anew.
func Test(t *testing.T, dir string, player func(*testing.T) *Player) {
	files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			t.Parallel()
			session, err := os.ReadFile(file)
			require.NoError(t, err)
			goldentest.File(t, file, player(t).Play(string(session)))
		})
	}
}

// System is a world in which nothing depends on the machine or the day.
func System(dir string) console.System {
	return console.System{
		Stdin: strings.NewReader(""), Dir: dir, UID: os.Getuid(), Getenv: func(string) string { return "" },
		Now: func() time.Time { return time.Date(2026, time.December, 24, 18, 0, 0, 0, time.UTC) },
		Build: &debug.BuildInfo{
			GoVersion: "go1.26.0", Main: debug.Module{Version: "v1.2.3"},
			Settings: []debug.BuildSetting{
				{Key: "vcs.revision", Value: "0123abc"},
				{Key: "vcs.time", Value: "2026-11-17T09:30:00Z"},
				{Key: "vcs.modified", Value: "true"},
			},
		},
	}
}

// Player plays a session.
type Player struct {
	T *testing.T
	// System is that of the program, whose environment is Env.
	System *console.System
	Env    map[string]string
	// Program is the name of the program, and Run runs a command line of it.
	Program string
	Run     func(args []string) int
	// Terminal means that both outputs are shown in the order in which they are written.
	Terminal bool
	// Names are pairs of names that differ between runs, and what the output has in their place.
	Names []string
	Out   strings.Builder
}

// New returns a player in a copy of a directory. It sets the environment of the system.
func New(t *testing.T, tree, program string, s *console.System, run func(args []string) int) *Player {
	t.Helper()
	require.NoError(t, os.CopyFS(s.Dir, os.DirFS(tree)))
	p := &Player{T: t, System: s, Env: map[string]string{}, Program: program, Run: run}
	s.Getenv = func(key string) string { return p.Env[key] }
	return p
}

// Play runs the commands of a session and returns it with their output.
func (p *Player) Play(session string) string {
	for line := range strings.Lines(session) {
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			if p.Out.Len() > 0 && !strings.HasSuffix(p.Out.String(), "\n\n") {
				p.Out.WriteByte('\n')
			}
			p.Out.WriteString(line)
			p.Command(strings.TrimSuffix(command, "\n"))
		} else if strings.HasPrefix(line, "# ") {
			if p.Out.Len() > 0 {
				p.Out.WriteByte('\n')
			}
			p.Out.WriteString(line)
		}
	}
	return p.Out.String()
}

// Command runs one command line.
//
//	PROGRAM ... [< FILE]    the program, with a file for standard input
//	cd DIR                  changes the working directory
//	terminal, NAME=VALUE    shows both outputs on a terminal, sets the environment
//	files DIR               lists the files of a directory, also hidden ones
//	cat FILE                prints a file
//	replace FILE OLD NEW    changes a file
//	append FILE LINE        adds a line to a file, which is created if necessary
//	mkdir DIR, remove PATH  creates a directory, removes a file or a directory
//	age DIR DURATION        makes everything in a directory look older than it is
//
// An argument with spaces is in single quotes.
func (p *Player) Command(line string) {
	args := Split(line)
	switch args[0] {
	case p.Program:
		p.run(args[1:])
	case "cd":
		p.System.Dir = p.System.Path(args[1])
	case "terminal":
		p.System.StdoutTerminal, p.System.StderrTerminal = true, true
	case "files":
		p.files(p.System.Path(args[1]))
	case "cat":
		data, err := os.ReadFile(p.System.Path(args[1]))
		require.NoError(p.T, err)
		p.Out.Write(data)
	case "replace":
		data, err := os.ReadFile(p.System.Path(args[1]))
		require.NoError(p.T, err)
		require.Contains(p.T, string(data), args[2])
		require.NoError(p.T, os.WriteFile(p.System.Path(args[1]), []byte(strings.ReplaceAll(string(data), args[2], args[3])), 0o644))
	case "append":
		f, err := os.OpenFile(p.System.Path(args[1]), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
		require.NoError(p.T, err)
		_, err = f.WriteString(args[2] + "\n")
		require.NoError(p.T, err)
		require.NoError(p.T, f.Close())
	case "mkdir":
		require.NoError(p.T, os.MkdirAll(p.System.Path(args[1]), 0o755))
	case "remove":
		require.NoError(p.T, os.RemoveAll(p.System.Path(args[1])))
	case "age":
		p.age(p.System.Path(args[1]), args[2])
	default:
		key, value, ok := strings.Cut(line, "=")
		require.True(p.T, ok, "unknown command %q", line)
		p.Env[key] = value
	}
}

// age sets the times of everything in a directory.
func (p *Player) age(dir, typed string) {
	age, err := time.ParseDuration(typed)
	require.NoError(p.T, err)
	then := time.Now().Add(-age)
	require.NoError(p.T, filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Chtimes(path, then, then))
	}))
}

// Split cuts a command line into its arguments.
func Split(line string) []string {
	var args []string
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			args = append(args, part)
		} else {
			args = append(args, strings.Fields(part)...)
		}
	}
	return args
}

func (p *Player) run(args []string) {
	var stdout, stderr bytes.Buffer
	p.System.Stdout, p.System.Stderr = &stdout, &stderr
	if p.Terminal {
		p.System.Stderr = &stdout
	}
	if n := len(args); n > 2 && args[n-2] == "<" {
		stdin, err := os.ReadFile(p.System.Path(args[n-1]))
		require.NoError(p.T, err)
		p.System.Stdin, args = bytes.NewReader(stdin), args[:n-2]
	}
	code := p.Run(args)
	// Escape sequences are written as people write them.
	names := strings.NewReplacer(append([]string{"\x1b", "^["}, p.Names...)...)
	p.Out.WriteString(names.Replace(stdout.String()))
	for line := range strings.Lines(names.Replace(stderr.String())) {
		if line == "\n" {
			p.Out.WriteString("2>\n")
		} else {
			p.Out.WriteString("2> " + line)
		}
	}
	if code != 0 {
		fmt.Fprintf(&p.Out, "[exit %d]\n", code)
	}
}

func (p *Player) files(dir string) {
	var names []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			name, relErr := filepath.Rel(dir, path)
			names, err = append(names, filepath.ToSlash(name)), relErr
		}
		return err
	})
	require.NoError(p.T, err)
	slices.Sort(names)
	for _, name := range names {
		p.Out.WriteString(name + "\n")
	}
}
