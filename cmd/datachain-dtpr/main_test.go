package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/cmd/internal/transcripttest"
)

// TestTranscripts plays the sessions under testdata/transcripts, each in its own copy of
// testdata/tree. With UPDATE=1 the output is written anew.
func TestTranscripts(t *testing.T) {
	t.Parallel()
	transcripttest.Test(t, "testdata/transcripts", func(t *testing.T) *transcripttest.Player {
		t.Helper()
		sys := transcripttest.System(t.TempDir())
		return transcripttest.New(t, "testdata/tree", "datachain-dtpr", &sys, func(args []string) int { return run(t.Context(), args, sys) })
	})
}

// TestPage requires that the program accepts the commands of the page about it.
func TestPage(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/importing.md")
	require.NoError(t, err)
	commands := regexp.MustCompile(`(?m)^datachain-dtpr (.*)$`).FindAllStringSubmatch(string(page), -1)
	require.NotEmpty(t, commands)
	for _, command := range commands {
		root := newProgram(transcripttest.System(t.TempDir())).Root
		ran := false
		for _, c := range root.Commands() {
			c.Run, c.RunE = nil, func(*cobra.Command, []string) error { ran = true; return nil }
		}
		root.SetArgs(transcripttest.Split(strings.TrimSpace(command[1])))
		require.NoError(t, root.ExecuteContext(t.Context()), command[0])
		require.True(t, ran, command[0])
	}
}
