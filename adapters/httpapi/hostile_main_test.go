package httpapi_test

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

// TestMain fails if a server leaves goroutines behind. It runs many tests at once:
// most of their time they wait.
func TestMain(m *testing.M) {
	_ = flag.Set("test.parallel", "8") // the command line, which is read next, overrides it
	code := m.Run()
	client.CloseIdleConnections()
	if err := goleak.Find(); err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, "Goroutines are left:", err)
		code = 1
	}
	os.Exit(code)
}

// internals matches what only the operator should see.
var internals = regexp.MustCompile(`runtime error|goroutine \d|nil pointer|index out of range|panic|\.go:\d|context (deadline|canceled)|` +
	`i/o timeout|EOF|\b(taxonomy|datachain|validate|resolve|httpapi|search|icons|jsontext|json|http|url|strconv|errors|memstore|fsstore)\.[A-Z]|\(MISSING\)|%!|/secret|/tmp/|/usr/|/home/`)

// discreet fails if a text mentions internals that the client did not send.
func discreet(t *testing.T, said, text string) {
	t.Helper()
	for _, found := range internals.FindAllString(text, -1) {
		require.Contains(t, said, found, "%s", text)
	}
}

// calm fails if something panicked, or if net/http logged an error.
func (w *world) calm(t *testing.T) {
	t.Helper()
	w.log.mu.Lock()
	defer w.log.mu.Unlock()
	for _, r := range w.log.records {
		require.NotContains(t, r.Message, "panic")
		require.False(t, strings.HasPrefix(r.Message, "http: ") && !strings.HasPrefix(r.Message, "http: TLS"), r.Message)
	}
}
