package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// renamed lists old names of commands, flags and values of flags. A command line that has one fails
// with the new name.
var renamed = []struct{ command, flag, now string }{
	{"keys new", "", "log keys new"},
	{"keys show", "", "log keys show"},
	{"keys rotate", "", "log rotate"},
	{"keys", "", "log keys"},
	{"cosign", "", "log cosign"},
	{"sign", "language", "--locale"},
	{"log rotate", "new", "--new-key"},
	{"schema diff", "format=markdown", "--format md"},
	{"schema import csv", "dry-run", "the default, so omit it"},
	{"schema import po", "dry-run", "the default, so omit it"},
	{"schema publish", "layout", "decided by the program, so omit it"},
	{"serve", "otel", "removed: scrape /metrics"},
	{"", "sign", "--key"},
	{"", "sign-command", "--key-command"},
	{"", "version", "--schema-version"},
}

// renamedCommand returns the name that a command had and the one that it has now, or "".
func renamedCommand(typed []string) (old, now string) {
	for _, r := range renamed {
		words := strings.Fields(r.command)
		if r.flag == "" && len(typed) >= len(words) && slices.Equal(words, typed[:len(words)]) {
			return r.command, r.now
		}
	}
	return "", ""
}

// renamedFlag returns the name that a flag of a command has now, or "".
func renamedFlag(cmd *cobra.Command, name string) string {
	path := strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" ")
	for _, r := range renamed {
		isFlag := strings.HasPrefix(r.now, "--")
		known := isFlag && cmd.Flags().Lookup(strings.TrimPrefix(r.now, "--")) != nil
		if r.flag == name && (r.command == path || r.command == "" && known) {
			return r.now
		}
	}
	return ""
}
