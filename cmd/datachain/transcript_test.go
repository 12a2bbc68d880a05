package main

import (
	"bytes"
	"context"
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

// TestTranscripts plays the sessions under testdata/transcripts. A session is
// what a person would see: lines that begin with "$ " are commands, and what
// follows is their output, lines of standard error marked with "2> ", and the
// exit code if it is not 0. Each session runs in its own copy of
// testdata/tree. With UPDATE=1 the output is written anew.
//
// Besides datachain a session has a few commands to look at files and to change
// them; see player.
func TestTranscripts(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/transcripts/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			t.Parallel()
			session, err := os.ReadFile(file)
			require.NoError(t, err)
			goldentest.File(t, file, newPlayer(t).play(string(session)))
		})
	}
}

// player plays a session.
type player struct {
	t   *testing.T
	sys system
	env map[string]string
	out strings.Builder
	// terminal means that both outputs are shown in the order in which they are written.
	terminal bool
	// opened is a temporary file that a browser has shown.
	opened string
}

// testSystem is a world in which nothing depends on the machine or the day.
func testSystem(dir string) system {
	return system{System: console.System{
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
	}}
}

func newPlayer(t *testing.T) *player {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("testdata/tree")))
	p := &player{t: t, sys: testSystem(dir), env: map[string]string{}}
	p.sys.Getenv = func(key string) string { return p.env[key] }
	p.sys.browse = p.browse
	return p
}

// browse prints what a browser would show. A temporary file is removed.
func (p *player) browse(_ context.Context, path string) error {
	name, err := filepath.Rel(p.sys.Dir, path)
	if err != nil || strings.HasPrefix(name, "..") {
		require.NoError(p.t, os.Remove(path))
		p.opened, name = path, "a temporary file"
	}
	_, err = fmt.Fprintf(p.sys.Stderr, "(a browser shows %s)\n", name)
	return err
}

// play runs the commands of a session and returns it with their output.
func (p *player) play(session string) string {
	for line := range strings.Lines(session) {
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			if p.out.Len() > 0 && !strings.HasSuffix(p.out.String(), "\n\n") {
				p.out.WriteByte('\n')
			}
			p.out.WriteString(line)
			p.command(strings.TrimSuffix(command, "\n"))
		} else if strings.HasPrefix(line, "# ") {
			if p.out.Len() > 0 {
				p.out.WriteByte('\n')
			}
			p.out.WriteString(line)
		}
	}
	return p.out.String()
}

// command runs one command line.
//
//	datachain ... [< FILE]  the program, with a file for standard input
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
func (p *player) command(line string) {
	args := split(line)
	switch args[0] {
	case "datachain":
		p.datachain(args[1:])
	case "cd":
		p.sys.Dir = p.sys.Path(args[1])
	case "terminal":
		p.sys.StdoutTerminal, p.sys.StderrTerminal = true, true
	case "files":
		p.files(p.sys.Path(args[1]))
	case "cat":
		data, err := os.ReadFile(p.sys.Path(args[1]))
		require.NoError(p.t, err)
		p.out.Write(data)
	case "replace":
		data, err := os.ReadFile(p.sys.Path(args[1]))
		require.NoError(p.t, err)
		require.Contains(p.t, string(data), args[2])
		require.NoError(p.t, os.WriteFile(p.sys.Path(args[1]), []byte(strings.ReplaceAll(string(data), args[2], args[3])), 0o644))
	case "append":
		f, err := os.OpenFile(p.sys.Path(args[1]), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
		require.NoError(p.t, err)
		_, err = f.WriteString(args[2] + "\n")
		require.NoError(p.t, err)
		require.NoError(p.t, f.Close())
	case "mkdir":
		require.NoError(p.t, os.MkdirAll(p.sys.Path(args[1]), 0o755))
	case "remove":
		require.NoError(p.t, os.RemoveAll(p.sys.Path(args[1])))
	case "age":
		p.age(p.sys.Path(args[1]), args[2])
	default:
		key, value, ok := strings.Cut(line, "=")
		require.True(p.t, ok, "unknown command %q", line)
		p.env[key] = value
	}
}

// age sets the times of everything in a directory.
func (p *player) age(dir, typed string) {
	age, err := time.ParseDuration(typed)
	require.NoError(p.t, err)
	then := time.Now().Add(-age)
	require.NoError(p.t, filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Chtimes(path, then, then))
	}))
}

// split cuts a command line into its arguments.
func split(line string) []string {
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

func (p *player) datachain(args []string) {
	var stdout, stderr bytes.Buffer
	p.sys.Stdout, p.sys.Stderr = &stdout, &stderr
	if p.terminal {
		p.sys.Stderr = &stdout
	}
	if n := len(args); n > 2 && args[n-2] == "<" {
		stdin, err := os.ReadFile(p.sys.Path(args[n-1]))
		require.NoError(p.t, err)
		p.sys.Stdin, args = bytes.NewReader(stdin), args[:n-2]
	}
	code := run(p.t.Context(), args, p.sys)
	// Escape sequences are written as people write them.
	names := strings.NewReplacer("\x1b", "^[")
	if p.opened != "" {
		names = strings.NewReplacer("\x1b", "^[", p.opened, "TEMPORARY.html")
	}
	text := func(b *bytes.Buffer) string { return names.Replace(b.String()) }
	p.out.WriteString(text(&stdout))
	for line := range strings.Lines(text(&stderr)) {
		if line == "\n" {
			p.out.WriteString("2>\n")
		} else {
			p.out.WriteString("2> " + line)
		}
	}
	if code != 0 {
		fmt.Fprintf(&p.out, "[exit %d]\n", code)
	}
}

func (p *player) files(dir string) {
	var names []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			name, relErr := filepath.Rel(dir, path)
			names, err = append(names, filepath.ToSlash(name)), relErr
		}
		return err
	})
	require.NoError(p.t, err)
	slices.Sort(names)
	for _, name := range names {
		p.out.WriteString(name + "\n")
	}
}
