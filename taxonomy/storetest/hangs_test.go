package storetest_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/storetest"
)

// TestHangs shows that a call that does not come back fails its clause, in words
// that name the call, whether or not it heeds its context.
func TestHangs(t *testing.T) {
	for _, c := range []struct {
		name, clause, want string
		store              func(d *defective, hang func(context.Context) error)
	}{
		{"Index", index, "the store hangs: Index ", func(d *defective, hang func(context.Context) error) {
			d.index = func(ctx context.Context) (*taxonomy.Index, error) { return nil, hang(ctx) }
		}},
		{"Release", releases, `the store hangs: Release of "Draft_1-x@2026-05-05-beta" `, func(d *defective, hang func(context.Context) error) {
			d.release = func(ctx context.Context, _ taxonomy.Version) (*taxonomy.Release, error) { return nil, hang(ctx) }
		}},
		{"concurrent", concurrent, "the store hangs: Release of ", func(d *defective, hang func(context.Context) error) {
			d.release = func(ctx context.Context, _ taxonomy.Version) (*taxonomy.Release, error) { return nil, hang(ctx) }
		}},
		{"update", forward, "the store hangs: Index ", func(d *defective, hang func(context.Context) error) {
			d.index = func(ctx context.Context) (*taxonomy.Index, error) { return nil, hang(ctx) }
		}},
		{"Icon", icons, "the store hangs: Icon ", func(d *defective, hang func(context.Context) error) {
			d.icon = func(ctx context.Context, _, _ string) ([]byte, error) { return nil, hang(ctx) }
		}},
		{"Changes", notifier, "the store hangs: Changes ", func(d *defective, hang func(context.Context) error) {
			d.changes = func(ctx context.Context) <-chan struct{} { _ = hang(ctx); return nil }
		}},
	} {
		heeds := func(ctx context.Context) error {
			<-ctx.Done()
			return ctx.Err()
		}
		forever := func(context.Context) error { return heeds(t.Context()) }
		for way, hang := range map[string]func(context.Context) error{"heeds its context": heeds, "does not": forever} {
			t.Run(c.name+" "+way, func(t *testing.T) {
				t.Parallel()
				err := check(c.clause, func(d *defective) { c.store(d, hang) })
				require.ErrorIs(t, err, storetest.ErrHangs)
				require.ErrorContains(t, err, c.want)
			})
		}
	}
}

// check runs one clause, with a second of patience.
func check(name string, breakIt func(d *defective)) error {
	for _, c := range storetest.Clauses() {
		if c.Name == name {
			return c.Check(context.Background(), time.Second, func(c storetest.Content) (taxonomy.Store, func(storetest.Content)) {
				d := &defective{model: newModel(c)}
				breakIt(d)
				return d, d.update
			})
		}
	}
	return fmt.Errorf("there is no clause %q", name)
}

// TestHangEnds shows, in a process of its own since it fails, that a run ends
// with the clause that hangs, and with no other.
func TestHangEnds(t *testing.T) {
	if os.Getenv("STORETEST_HANGS") != "" {
		wrong := storetest.Prove(t, "wrong", func(*testing.T) error { return fmt.Errorf("wrong") })
		hung := storetest.Prove(t, "hung", func(*testing.T) error { return fmt.Errorf("index: %w", storetest.ErrHangs) })
		fmt.Println("went on:", wrong, hung)
		return
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestHangEnds$")
	cmd.Env = append(os.Environ(), "STORETEST_HANGS=1")
	out, err := cmd.CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(out), "went on: true false")
	require.Contains(t, string(out), "index: the store hangs")
	require.Contains(t, string(out), `The clauses after "hung" were not checked because the store hangs.`)
}
