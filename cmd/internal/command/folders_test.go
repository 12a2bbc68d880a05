package command

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOutFollowsLinks shows that output goes to the target of a link, which may be
// on another disk, and does not replace the link.
func TestOutFollowsLinks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		args []string
		out  string // what is there in the end, below the target
	}{
		{"bake", []string{"icons", "bake", "bikes@latest", "--schemas", "schemas", "--out"}, "data.trips/dark.svg"},
		{"resolve", []string{"resolve", "documents/good.json", "--schemas", "schemas", "--out"}, ""},
	} {
		for _, there := range []bool{true, false} {
			t.Run(map[bool]string{true: c.name + " to what is there", false: c.name + " to nothing yet"}[there], func(t *testing.T) {
				p := newPlayer(t)
				require.NoError(t, os.Mkdir(p.sys.Path("disk"), 0o755))
				require.NoError(t, os.Symlink(filepath.Join("disk", "target"), p.sys.Path("link")))
				if there && c.out != "" {
					require.NoError(t, os.Mkdir(p.sys.Path("disk/target"), 0o755))
				} else if there {
					require.NoError(t, os.WriteFile(p.sys.Path("disk/target"), nil, 0o644))
				}
				code, _, stderr := execute(t.Context(), p.sys, append(c.args, "link")...)
				require.Zero(t, code, stderr)
				info, err := os.Lstat(p.sys.Path("link"))
				require.NoError(t, err)
				require.Equal(t, os.ModeSymlink, info.Mode().Type())
				require.FileExists(t, filepath.Join(p.sys.Path("disk/target"), c.out))
			})
		}
	}
}

// TestOutKeepsDirectory shows that an empty directory is filled, not replaced: it
// may be a mounted volume or a working directory.
func TestOutKeepsDirectory(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{
		"publish": {"schema", "publish", "../schemas", "--store", "."},
		"bake":    {"icons", "bake", "bikes@latest", "--schemas", "../schemas", "--out", "."},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlayer(t)
			p.sys.Dir = p.sys.Path("volume")
			require.NoError(t, os.Mkdir(p.sys.Dir, 0o750))
			before, err := os.Stat(p.sys.Dir)
			require.NoError(t, err)
			code, _, stderr := execute(t.Context(), p.sys, args...)
			require.Zero(t, code, stderr)
			after, err := os.Stat(p.sys.Dir)
			require.NoError(t, err)
			require.True(t, os.SameFile(before, after))
			hidden, err := filepath.Glob(filepath.Join(p.sys.Dir, ".datachain-*"))
			require.NoError(t, err)
			require.Empty(t, hidden)
			require.NotEmpty(t, tree(t, p.sys.Dir))
		})
	}
}
