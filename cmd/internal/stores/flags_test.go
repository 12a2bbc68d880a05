package stores_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/cmd/internal/flags"
	"github.com/datachain-go/datachain/cmd/internal/stores"
)

// found returns the location that a command line stands for, in a directory with a project file.
func found(t *testing.T, line, project string, variables map[string]string) (*stores.Flags, string, error) {
	t.Helper()
	dir := t.TempDir()
	if project != "" {
		require.NoError(t, os.WriteFile(filepath.Join(dir, stores.ProjectFile), []byte(project), 0o600))
	}
	root := &cobra.Command{Use: "prog"}
	g := stores.AddFlags(root, stores.System{Dir: dir, UID: -1, Getenv: func(name string) string { return variables[name] }})
	read, write, locale := &cobra.Command{Use: "read"}, &cobra.Command{Use: "write"}, ""
	root.AddCommand(read, write)
	flags.Add(read, flags.New("locale", "language", flags.Locale(&locale)))
	flags.InProject(read, "locale")
	g.Read(read)
	g.Require(write, []string{"store"}, "s3-region")
	cmd := root.Commands()[0]
	name, rest, _ := strings.Cut(line, " ")
	if name == "write" {
		cmd = write
	}
	require.NoError(t, cmd.ParseFlags(strings.Fields(rest)))
	err := g.Check(cmd)
	if err == nil {
		err = g.Find(cmd)
	}
	return g, locale, err
}

// TestFlagsFind finds versions where flags, variables and the project file say.
func TestFlagsFind(t *testing.T) {
	t.Parallel()
	store := map[string]string{"DATACHAIN_STORE": "https://x.example"}
	for _, tt := range []struct {
		line, project string
		variables     map[string]string
		want          stores.Location
	}{
		{line: "read", want: stores.Location{Samples: true}},
		{line: "read", variables: store, want: stores.Location{Store: "https://x.example", By: "DATACHAIN_STORE"}},
		{line: "read --schemas x", variables: store, want: stores.Location{Schemas: "x", By: "--schemas"}},
		{line: "read", project: "schemas: s", want: stores.Location{Schemas: "s", By: "datachain.yaml: schemas"}},
		{line: "read --samples", project: "schemas: s", want: stores.Location{Samples: true, By: "--samples"}},
		{line: "read", project: "schemas: s", variables: store, want: stores.Location{Store: "https://x.example", By: "DATACHAIN_STORE"}},
		{line: "write --store dist", variables: store, want: stores.Location{Store: "dist", By: "--store"}},
	} {
		g, _, err := found(t, tt.line, tt.project, tt.variables)
		require.NoError(t, err)
		require.Equal(t, tt.want, g.Location, tt)
	}
	_, locale, err := found(t, "read", "locale: fr", nil)
	require.NoError(t, err)
	require.Equal(t, "fr", locale)
	_, locale, err = found(t, "read --locale de", "locale: fr", nil)
	require.NoError(t, err)
	require.Equal(t, "de", locale)
}

// TestFlagsRefused refuses flags that a command does not use, or that can't be used together.
func TestFlagsRefused(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"read --store a --samples":         "--samples and --store can't be used together",
		"read --s3-region x":               "--s3-region requires a bucket: name it with --store s3://bucket/prefix",
		"read --store s3://b --trust none": "--trust none: no such file or directory",
		"write":                            "--store is required: a directory or s3://bucket/prefix",
		"write --schemas x":                `"prog write" does not use --schemas`,
	} {
		_, _, err := found(t, line, "", nil)
		require.ErrorContains(t, err, want, line)
	}
	_, _, err := found(t, "write", "", map[string]string{"DATACHAIN_STORE": "dist"})
	require.ErrorContains(t, err, "--store is required", "a store is not changed because of a variable")
}
