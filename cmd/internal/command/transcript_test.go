package command

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/cmd/internal/cloud"
	"github.com/datachain-go/datachain/cmd/internal/transcripttest"
)

// TestTranscripts plays the sessions under testdata/transcripts, each in its own copy of
// testdata/tree. With UPDATE=1 the output is written anew.
func TestTranscripts(t *testing.T) {
	t.Parallel()
	transcripttest.Test(t, "testdata/transcripts", func(t *testing.T) *transcripttest.Player { return newPlayer(t).Player })
}

// player plays a session.
type player struct {
	*transcripttest.Player
	sys system
}

// testSystem is a world in which nothing depends on the machine or the day.
func testSystem(dir string) system {
	sys := system{transcripttest.System(dir), "datachain", cloud.Redis{}}
	sys.Buckets = cloud.Buckets{}
	return sys
}

func newPlayer(t *testing.T) *player {
	t.Helper()
	p := &player{sys: testSystem(t.TempDir())}
	p.Player = transcripttest.New(t, "testdata/tree", "datachain", &p.sys.System, func(args []string) int { return run(t.Context(), args, p.sys) })
	p.sys.Browse = p.browse
	return p
}

// browse prints what a browser would show. A temporary file is removed.
func (p *player) browse(_ context.Context, path string) error {
	name, err := filepath.Rel(p.sys.Dir, path)
	if err != nil || strings.HasPrefix(name, "..") {
		require.NoError(p.T, os.Remove(path))
		p.Names, name = []string{path, "TEMPORARY.html"}, "a temporary file"
	}
	_, err = fmt.Fprintf(p.sys.Stderr, "(a browser shows %s)\n", name)
	return err
}
