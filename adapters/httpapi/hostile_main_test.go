package httpapi_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

// TestMain fails where a server leaves something running behind.
func TestMain(m *testing.M) {
	code := m.Run()
	client.CloseIdleConnections()
	if err := goleak.Find(); err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, "Goroutines are left:", err)
		code = 1
	}
	os.Exit(code)
}

// internals is what only the operator should see.
var internals = regexp.MustCompile(`runtime error|goroutine \d|nil pointer|index out of range|panic|\.go:\d|context (deadline|canceled)|` +
	`i/o timeout|EOF|\b(taxonomy|datachain|validate|resolve|httpapi|search|icons|jsontext|json|http|url|strconv|errors|memstore|fsstore)\.[A-Z]|\(MISSING\)|%!|/secret|/tmp/|/usr/|/home/`)

// discreet fails where a text tells of internals that the client did not bring up
// by itself.
func discreet(t *testing.T, said, text string) {
	t.Helper()
	for _, found := range internals.FindAllString(text, -1) {
		require.Contains(t, said, found, "%s", text)
	}
}

// calm fails where anything panicked, or net/http has something to complain about.
func (w *world) calm(t *testing.T) {
	t.Helper()
	w.log.mu.Lock()
	defer w.log.mu.Unlock()
	for _, r := range w.log.records {
		require.NotContains(t, r.Message, "panic")
		require.False(t, strings.HasPrefix(r.Message, "http: ") && !strings.HasPrefix(r.Message, "http: TLS"), r.Message)
	}
}
