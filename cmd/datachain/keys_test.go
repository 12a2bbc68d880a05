package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy"
)

// TestSignedStores publishes into a directory and a bucket with a key, adopts, rotates and
// cosigns, and reads with a trust file.
func TestSignedStores(t *testing.T) {
	for _, store := range []string{"dist", inBucket} {
		t.Run(store, func(t *testing.T) {
			dir, src := t.TempDir(), t.TempDir()
			_, sys := withBucket(t, dir)
			run := func(want int, args ...string) string {
				t.Helper()
				code, stdout, stderr := execute(t.Context(), sys, args...)
				require.Equal(t, want, code, "%v: %s%s", args, stdout, stderr)
				return stdout + stderr
			}
			newKey := func(args ...string) string {
				code, stdout, stderr := execute(t.Context(), sys, append([]string{"keys", "new"}, args...)...)
				require.Zero(t, code, stderr)
				return stdout
			}
			trust := newKey("example.org/log", "--out", "a.key")
			require.NoError(t, os.WriteFile(filepath.Join(dir, "trust.json"), []byte(trust), 0o600))
			newKey("example.org/log", "--out", "b.key")
			clock := strings.TrimSpace(newKey("example.org/clock", "--cosigner", "--out", "c.key"))
			require.Equal(t, clock, strings.TrimSpace(run(exitGood, "keys", "show", "c.key")))

			writeStarter(t, src, taxonomy.MustVersion("robot@2026-01-01-beta"))
			run(exitGood, "schema", "publish", src, "--store", store)
			require.Contains(t, run(exitFailed, "schema", "list", "--store", store, "--trust", "trust.json"), "the store has no log")
			require.Contains(t, run(exitFailed, "schema", "publish", src, "--store", store, "--sign", "a.key"), "datachain log adopt")
			require.Contains(t, run(exitGood, "log", "adopt", "--store", store, "--sign", "a.key"), "proves nothing about the time before")
			require.Contains(t, run(exitGood, "log", "adopt", "--store", store, "--sign", "a.key"), "has a log already")
			run(exitGood, "schema", "list", "--store", store, "--trust", "trust.json")

			require.Contains(t, run(exitFailed, "schema", "promote", "robot@2026-01-01-beta", "--store", store), "Use --sign KEY.")
			run(exitGood, "schema", "promote", "robot@2026-01-01-beta", "--store", store, "--sign", "a.key")
			run(exitGood, "keys", "rotate", "--store", store, "--sign", "a.key", "--new", "b.key")
			run(exitGood, "schema", "retire", "robot@2026-01-01-beta", "--store", store, "--sign", "b.key")
			run(exitGood, "check", "--store", store, "--trust", "trust.json")
			require.Contains(t, run(exitGood, "cosign", "--store", store, "--key", "c.key", "--trust", "trust.json"), "5 entries")
			run(exitGood, "check", "--store", store, "--trust", "trust.json")

			require.NoError(t, os.Chmod(filepath.Join(dir, "b.key"), 0o644))
			require.Contains(t, run(exitFailed, "schema", "retire", "robot@2026-01-01-stable", "--store", store, "--sign", "b.key"), "chmod 600 b.key")
		})
	}
}
