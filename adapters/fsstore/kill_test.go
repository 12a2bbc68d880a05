package fsstore_test

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/fsstore"
	"github.com/datachain-go/datachain/internal/temptest"
	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/storetest"
)

// The test binary is its own publisher when these are set: of which directory, and
// what it is to do.
const (
	childDir  = "FSSTORE_TEST_DIR"
	childTask = "FSSTORE_TEST_TASK"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(childDir); dir != "" {
		if err := child(dir, os.Getenv(childTask)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	temptest.TempInMemory()
	_ = flag.Set("test.parallel", "16") // many wait until files are old enough; the command line overrides it
	os.Exit(m.Run())
}

// child publishes the one or the other state without end, or one publication.
func child(dir, task string) error {
	ctx := context.Background()
	if task != "without end" {
		for _, p := range storetest.Publications() {
			if p.Release.Version().String() == task {
				_, err := publishTo(ctx, dir, []publish.Publication{p}, nil)
				return err
			}
		}
		return errors.New("unknown task " + task)
	}
	one, other, err := states()
	if err != nil {
		return err
	}
	fmt.Println("at work")
	for {
		for _, state := range [][]publish.Publication{other, one} {
			if _, err := publishTo(ctx, dir, state, &publish.Options{Icon: icon}); err != nil {
				return err
			}
		}
	}
}

// states returns two states of a store that differ in two betas.
func states() (one, other []publish.Publication, err error) {
	for _, p := range storetest.Publications() {
		if v := p.Release.Version(); v.Status() == taxonomy.Beta {
			changed, err := taxonomy.NewRelease(v, taxonomy.Content{
				Locales: []string{"en"}, Type: taxonomy.Type{ID: v.Type(), Categories: []string{}, Subchains: []taxonomy.Subchain{}},
			})
			if err != nil {
				return nil, nil, err
			}
			one = append(one, p)
			other = append(other, publish.Publication{Release: changed, Aliases: []string{v.Type() + "@next"}})
		}
	}
	return one, other, nil
}

func start(t *testing.T, dir, task string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // a child that hangs is killed
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), childDir+"="+dir, childTask+"="+task)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	return cmd, bufio.NewScanner(out)
}

// TestKill kills publishing processes at random moments. A reader that was
// there all the time and a new one must find one state or the other.
func TestKill(t *testing.T) {
	one, other, err := states()
	require.NoError(t, err)
	dir := publishedDir(t, one)
	lasting := openDir(t, dir, nil)
	for range 8 {
		cmd, out := start(t, dir, "without end")
		require.True(t, out.Scan(), "the child has not begun")
		time.Sleep(time.Duration(rand.IntN(60)) * time.Millisecond)
		require.NoError(t, cmd.Process.Kill())
		_ = cmd.Wait() // it was killed
		for _, s := range []*fsstore.Store{lasting, openDir(t, dir, nil)} {
			x, err := s.Index(t.Context())
			require.NoError(t, err)
			want := one
			if e, _ := x.Lookup(other[0].Release.Version().Ref()); e.ContentHash == other[0].Release.ContentHash() {
				want = other
			}
			require.NoError(t, holds(t, s, want))
		}
	}
	_, err = publishTo(t.Context(), dir, one, nil)
	require.NoError(t, err)
	require.NoError(t, holds(t, openDir(t, dir, nil), one))
}

// TestProcesses lets processes publish at the same time; nothing may be lost.
func TestProcesses(t *testing.T) {
	dir := t.TempDir()
	pubs := storetest.Publications()
	var children []*exec.Cmd
	for _, p := range pubs {
		cmd, _ := start(t, dir, p.Release.Version().String())
		children = append(children, cmd)
	}
	for _, cmd := range children {
		require.NoError(t, cmd.Wait())
	}
	require.NoError(t, holds(t, openDir(t, dir, nil), pubs))
}
