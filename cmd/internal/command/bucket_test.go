package command

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/datachain-go/datachain/adapters/s3store/s3test"
	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/flags"
	"github.com/datachain-go/datachain/taxonomy"
)

// withBucket starts storage with an empty bucket, and returns a system that is set up
// for it.
func withBucket(t *testing.T, dir string) (*s3test.S3, system) {
	t.Helper()
	server := s3test.NewS3("releases")
	listening := httptest.NewServer(server)
	t.Cleanup(listening.Close)
	none := filepath.Join(t.TempDir(), "none")
	for name, value := range map[string]string{
		"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_REGION": "eu-north-1", "AWS_EC2_METADATA_DISABLED": "true",
		"AWS_CONFIG_FILE": none, "AWS_SHARED_CREDENTIALS_FILE": none, "AWS_ENDPOINT_URL_S3": "", "AWS_ENDPOINT_URL": "", "AWS_MAX_ATTEMPTS": "1",
	} {
		t.Setenv(name, value)
	}
	sys := testSystem(dir)
	sys.CacheDir = t.TempDir()
	sys.Getenv = func(name string) string {
		if name == flags.Variable("s3-endpoint") {
			return listening.URL
		}
		return ""
	}
	return server, sys
}

const inBucket = "s3://releases/public"

// publishBucket publishes a version of robot into the bucket.
func publishBucket(t *testing.T, sys system, version string) string {
	t.Helper()
	src := t.TempDir()
	writeStarter(t, src, taxonomy.MustVersion(version))
	code, stdout, stderr := execute(t.Context(), sys, "schema", "publish", src, "--store", inBucket)
	require.Zero(t, code, stderr)
	return stdout
}

// Commands work on a bucket as on a directory.
func TestBucketCommands(t *testing.T) {
	_, sys := withBucket(t, t.TempDir())
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	succeeds := func(want string, args ...string) {
		t.Helper()
		code, stdout, stderr := execute(t.Context(), sys, args...)
		require.Zero(t, code, stderr)
		require.Contains(t, stdout, want)
	}
	require.Contains(t, publishBucket(t, sys, "robot@2026-01-01-beta"), "new")
	require.Contains(t, publishBucket(t, sys, "robot@2026-01-01-beta"), "unchanged")
	succeeds("robot@2026-01-01-beta", "schema", "list", "--store", inBucket)
	succeeds("no problems", "check", "--store", inBucket)
	succeeds("robot@2026-02-01-stable", "schema", "promote", "robot@latest-beta", "--store", inBucket, "--date", "2026-02-01")
	succeeds("upgrade to robot@2026-02-01-stable", "schema", "deprecate", "robot@2026-01-01-beta", "--store", inBucket, "--successor", "robot@latest")
	succeeds("Deprecated: robot@2026-01-01-beta", "schema", "list", "--store", inBucket)
	succeeds("Retired robot@2026-01-01-beta", "schema", "retire", "robot@2026-01-01-beta", "--store", inBucket)
	succeeds(`"robot@2026-02-01-stable"`, "schema", "list", "--store", inBucket, "--format", "json")
	succeeds("", "icons", "bake", "--store", inBucket)
	succeeds("<svg", "icons", "sheet", "--store", inBucket)
}

// What left the index of a bucket is removed a day later, by a command of its own.
func TestBucketCollect(t *testing.T) {
	server, sys := withBucket(t, t.TempDir())
	collect := func(args ...string) string {
		t.Helper()
		code, stdout, stderr := execute(t.Context(), sys, append([]string{"schema", "collect", "--store", inBucket}, args...)...)
		require.Zero(t, code, stderr)
		return stdout
	}
	for _, version := range []string{"robot@2026-01-01-beta", "robot@2026-02-01-stable"} {
		publishBucket(t, sys, version)
	}
	require.Equal(t, inBucket+" has no unused files.\n", collect())
	code, _, stderr := execute(t.Context(), sys, "schema", "retire", "robot@2026-01-01-beta", "--store", inBucket)
	require.Zero(t, code, stderr)
	before := server.Objects("releases")
	require.Contains(t, collect("--dry-run"), "Unused in "+inBucket+":\n  robot/2026-01-01-beta/sha256-")
	require.Equal(t, before, server.Objects("releases"))
	for range 2 {
		require.Contains(t, collect(), "Unused in "+inBucket+"; run this again after 24h to remove:\n  robot/2026-01-01-beta/sha256-")
	}
	// A day after the first run.
	var list struct {
		Unused []map[string]string `json:"unused"`
	}
	require.NoError(t, json.Unmarshal([]byte(server.Objects("releases")["public/collect.json"]), &list))
	for _, u := range list.Unused {
		u["since"] = time.Now().Add(-25 * time.Hour).UTC().Format(time.RFC3339)
	}
	text, err := json.Marshal(list)
	require.NoError(t, err)
	server.Put("releases", "public/collect.json", string(text))
	require.Contains(t, collect(), "Removed from "+inBucket+":\n  robot/2026-01-01-beta/sha256-")
	for key := range server.Objects("releases") {
		require.NotContains(t, key, "2026-01-01-beta")
	}

	server.Before = func(r *http.Request) (int, string) {
		if r.Method == http.MethodGet {
			return 0, ""
		}
		return http.StatusForbidden, "AccessDenied"
	}
	require.Equal(t, inBucket+" has no unused files.\n", collect("--dry-run"), "a dry run only reads")
}

// Errors name the bucket and what to do.
func TestBucketErrors(t *testing.T) {
	server, sys := withBucket(t, t.TempDir())
	for _, c := range []struct {
		want string
		args []string
	}{
		{"datachain schema publish DIR --store " + inBucket, []string{"schema", "list", "--store", inBucket}},
		{"the bucket does not exist", []string{"schema", "list", "--store", "s3://elsewhere"}},
		{"the bucket does not exist", []string{"schema", "publish", "testdata", "--store", "s3://elsewhere"}},
		{"the name of the bucket", []string{"schema", "list", "--store", "s3://x"}},
		{"--s3-endpoint must be an http or https URL", []string{"schema", "list", "--store", inBucket, "--s3-endpoint", "storage"}},
		{"must be a directory or a bucket", []string{"schema", "publish", "testdata", "--store", "https://datachain.example"}},
		{"--accept-removals requires", []string{"serve", "--samples", "--accept-removals"}},
	} {
		for i, arg := range c.args {
			if arg == "testdata" {
				c.args[i] = t.TempDir()
				writeStarter(t, c.args[i], taxonomy.MustVersion("robot@2026-01-01-beta"))
			}
		}
		code, _, stderr := execute(t.Context(), sys, c.args...)
		require.Equal(t, console.ExitFailed, code, c.args)
		require.Contains(t, stderr, c.want, c.args)
	}
	server.Before = func(*http.Request) (int, string) { return http.StatusForbidden, "AccessDenied" }
	code, _, stderr := execute(t.Context(), sys, "schema", "list", "--store", inBucket)
	require.Equal(t, console.ExitFailed, code)
	require.Contains(t, stderr, "allow s3:GetObject on arn:aws:s3:::releases/public/*")
}

// A server follows a bucket, continues while that fails, and starts without it.
func TestServeBucket(t *testing.T) {
	server, sys := withBucket(t, t.TempDir())
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	var down atomic.Bool
	server.Before = func(*http.Request) (int, string) {
		if down.Load() {
			return http.StatusForbidden, "AccessDenied"
		}
		return 0, ""
	}
	publishBucket(t, sys, "robot@2026-01-01-beta")
	endpoint := sys.Getenv(flags.Variable("s3-endpoint"))
	start := func() *running {
		return startServer(t, sys, "--store", inBucket, "--addr", anyPort, "--refresh", "10ms", "--s3-endpoint", endpoint, fastDrain, admission)
	}
	s := start()
	s.become(s.api+"/schemas/robot@latest/manifest", http.StatusOK)
	publishBucket(t, sys, "robot@2026-02-02-stable")
	s.become(s.api+"/schemas/robot@2026-02-02-stable/manifest", http.StatusOK)

	down.Store(true)
	require.Eventually(t, func() bool {
		status, body := s.get("/schemas/robot@latest/manifest")
		require.Equal(t, http.StatusOK, status, body)
		return strings.Contains(s.log.String(), "store read failed")
	}, 30*time.Second, 20*time.Millisecond)
	s.stop()
	again := start()
	again.become(again.api+"/schemas/robot@latest/manifest", http.StatusOK)
	again.logged("s3:GetObject")
	down.Store(false)
	require.Eventually(t, func() bool {
		again.get("/schemas")
		return strings.Contains(again.log.String(), "store recovered")
	}, 30*time.Second, 20*time.Millisecond)
	again.stop()
}

// TestCheckRolledBack restores an older index after a newer one was cached.
func TestCheckRolledBack(t *testing.T) {
	dir := t.TempDir()
	server, sys := withBucket(t, dir)
	publishBucket(t, sys, "robot@2026-01-01-stable")
	old := server.Objects("releases")["public/index.json"]
	publishBucket(t, sys, "robot@2026-02-02-stable")
	code, _, stderr := execute(t.Context(), sys, "schema", "list", "--store", inBucket) // caches the index
	require.Equal(t, console.ExitGood, code, stderr)
	code, stdout, _ := execute(t.Context(), sys, "check", "--store", inBucket)
	require.Equal(t, console.ExitGood, code, stdout)

	server.Put("releases", "public/index.json", old)
	code, stdout, _ = execute(t.Context(), sys, "check", "--store", inBucket)
	require.Equal(t, console.ExitFindings, code, stdout)
	require.Contains(t, strings.Join(strings.Fields(stdout), " "), "its sequence is lower: 1 after 2")
	code, stdout, _ = execute(t.Context(), sys, "check", "--store", inBucket, "--accept-removals")
	require.Equal(t, console.ExitGood, code, stdout)
	require.Contains(t, strings.Join(strings.Fields(stdout), " "), "a server accepts this at one start")

	// Other content is refused, though the old index knows nothing of the version.
	source := t.TempDir()
	writeStarter(t, source, taxonomy.MustVersion("robot@2026-02-02-stable"))
	category := filepath.Join(source, "robot", "2026-02-02-stable", "categories", "purpose.yaml")
	text, err := os.ReadFile(category)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(category, []byte(strings.Replace(string(text), "en: Purpose", "en: Reason", 1)), 0o644))
	code, _, stderr = execute(t.Context(), sys, "schema", "publish", source, "--store", inBucket)
	require.Equal(t, console.ExitFailed, code)
	require.Contains(t, stderr, "stable versions can't change")
}
