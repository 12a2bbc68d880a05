package main

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLogWriterLosesNothing(t *testing.T) {
	const writers, lines = 8, 5000
	out := new(lockedBuffer)
	l := newLogWriter(out)
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range lines {
				fmt.Fprintf(l, "%d %d %s\n", w, i, strings.Repeat("x", i%100))
			}
		})
	}
	wg.Wait()
	l.Flush()
	next := [writers]int{}
	for line := range strings.Lines(out.String()) {
		var w, i int
		_, err := fmt.Sscanf(line, "%d %d", &w, &i)
		require.NoError(t, err, "a line is whole: %q", line)
		require.Equal(t, next[w], i, "lines of one writer keep their order")
		next[w]++
	}
	for w := range writers {
		assert.Equal(t, lines, next[w])
	}
}

// writeCount counts writes.
type writeCount struct {
	lockedBuffer
	writes int
}

func (w *writeCount) Write(p []byte) (int, error) {
	w.writes++
	return w.lockedBuffer.Write(p)
}

func TestLogWriterGathers(t *testing.T) {
	out := new(writeCount)
	l := newLogWriter(out)
	for range 100 {
		fmt.Fprintln(l, "line")
	}
	l.Flush()
	l.Flush()
	assert.LessOrEqual(t, out.writes, 2, "a hundred lines are one write, or two on a slow machine")
	assert.Equal(t, strings.Repeat("line\n", 100), out.String())
}

func TestLogWriterDoesNotSleep(t *testing.T) {
	out := new(lockedBuffer)
	l := newLogWriter(out)
	for range 3 {
		before := len(out.String())
		fmt.Fprintln(l, "a line that nobody follows")
		require.Eventually(t, func() bool { return len(out.String()) > before }, 10*time.Second, time.Millisecond)
	}
}

func TestLogWriterLongLine(t *testing.T) {
	out := new(lockedBuffer)
	l := newLogWriter(out)
	long := strings.Repeat("x", 5*logBuffer)
	fmt.Fprintln(l, "short")
	fmt.Fprintln(l, long)
	fmt.Fprintln(l, "short")
	l.Flush()
	assert.Equal(t, "short\n"+long+"\nshort\n", out.String())
}

func TestWarningsAreWrittenAtOnce(t *testing.T) {
	for _, format := range []string{"text", "json"} {
		out := new(lockedBuffer)
		// A timer that never fires leaves the handler alone.
		l := newLogWriter(out)
		l.timer = time.AfterFunc(time.Hour, func() {})
		log := newLogger(l, &settings{logFormat: format, logLevel: "info"}).With("a", 1).WithGroup("g")
		log.Debug("never")
		log.Info("first")
		require.Empty(t, out.String())
		log.Warn("second")
		got := out.String()
		assert.Contains(t, got, "first")
		assert.Contains(t, got, "second")
		assert.NotContains(t, got, "never")
	}
}

// BenchmarkAccessLog measures the line of a request, written to a file at once
// and gathered.
func BenchmarkAccessLog(b *testing.B) {
	file, err := os.Create(b.TempDir() + "/log")
	require.NoError(b, err)
	defer file.Close()
	gathered := newLogWriter(file)
	defer gathered.Flush()
	for _, bb := range []struct {
		name string
		w    io.Writer
	}{{"at once", file}, {"gathered", gathered}, {"nowhere", io.Discard}} {
		log := slog.New(slog.NewTextHandler(bb.w, nil))
		b.Run(bb.name, func(b *testing.B) {
			b.ReportAllocs()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					log.LogAttrs(b.Context(), slog.LevelInfo, "request",
						slog.String("method", "GET"), slog.String("path", "/api/v2/schemas/ai@latest/manifest"),
						slog.String("route", "/api/v2/schemas/{version}/manifest"), slog.Int("status", 200), slog.Int64("bytes", 1234),
						slog.Duration("duration", 123456), slog.String("client", "192.0.2.1"), slog.String("request_id", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
				}
			})
		})
	}
}
