package live_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/cmd/internal/live"
)

// TestEdited shows what is told of edits: that one is served, or that the last good
// release still is. Opening the source and edits of comments are not told.
func TestEdited(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	v := liveStarter(t, dir, beta)
	var told []live.Edit
	s := openLive(t, dir, &live.Options{Interval: -1, Edited: func(e live.Edit) { told = append(told, e) }})
	good := release(t, s, v)
	require.Empty(t, told)

	file := filepath.Join(dir, beta, "elements", "purpose.yaml")
	was, err := os.ReadFile(file)
	require.NoError(t, err)
	step := func(text string) []live.Edit {
		t.Helper()
		told = nil
		writeFile(t, file, []byte(text))
		release(t, s, v)
		return told
	}
	require.Empty(t, step("# a comment\n"+string(was)))
	require.Equal(t, []live.Edit{{Version: v, Served: good, Failed: true}}, step("[{"))
	require.Equal(t, []live.Edit{{Version: v, Served: good, Failed: true}}, step("[{{"), "the next save, which is still bad")
	require.Equal(t, []live.Edit{{Version: v, Served: good}}, step(string(was)), "the edit is undone")
	edits := step(strings.Replace(string(was), "Providing a service", "Giving a service", 1))
	require.Equal(t, []live.Edit{{Version: v, Served: release(t, s, v)}}, edits)
	require.NotEqual(t, good.ContentHash(), edits[0].Served.ContentHash())

	told = nil
	writeFile(t, filepath.Join(dir, "draft", "2026-06-06-beta", "schema.yaml"), []byte("title: ["))
	release(t, s, v)
	require.Len(t, told, 1)
	require.Equal(t, live.Edit{Version: told[0].Version, Failed: true}, told[0], "a new version that does not compile yet")
}
