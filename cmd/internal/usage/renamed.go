package usage

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// Renamed lists old names of commands, flags and values of flags. A command line that has one fails
// with the new name.
var Renamed = []struct{ Command, Flag, Now string }{
	{"keys new", "", "log keys new"},
	{"keys show", "", "log keys show"},
	{"keys rotate", "", "log rotate"},
	{"keys", "", "log keys"},
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
	for _, r := range Renamed {
		words := strings.Fields(r.Command)
		if r.Flag == "" && len(typed) >= len(words) && slices.Equal(words, typed[:len(words)]) {
			return r.Command, r.Now
		}
	}
	return "", ""
}

// renamedFlag returns the name that a flag of a command has now, or "".
func renamedFlag(cmd *cobra.Command, name string) string {
	path := strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" ")
	for _, r := range Renamed {
		isFlag := strings.HasPrefix(r.Now, "--")
		known := isFlag && cmd.Flags().Lookup(strings.TrimPrefix(r.Now, "--")) != nil
		if r.Flag == name && (r.Command == path || r.Command == "" && known) {
			return r.Now
		}
	}
	return ""
}
