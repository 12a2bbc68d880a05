package server_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/datachain-go/datachain/cmd/internal/server"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sink counts writes.
type sink struct {
	lockedBuffer
	writes int
}

func (s *sink) Write(p []byte) (int, error) {
	s.mu.Lock()
	s.writes++
	s.mu.Unlock()
	return s.lockedBuffer.Write(p)
}

func (s *sink) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.writes
}

func TestLogLosesNothing(t *testing.T) {
	const writers, lines = 8, 5000
	out := new(sink)
	l := server.NewLogWriter(out)
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

func TestLogGathers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := new(sink)
		l := server.NewLogWriter(out)
		for range 100 {
			fmt.Fprintln(l, "line")
		}
		l.Flush()
		l.Flush()
		assert.Equal(t, 1, out.count())
		assert.Equal(t, strings.Repeat("line\n", 100), out.String())
		time.Sleep(time.Minute)
		assert.Equal(t, 1, out.count(), "nothing is left")
	})
}

// TestLogDelay shows that a line is written although no other follows.
func TestLogDelay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := new(sink)
		l := server.NewLogWriter(out)
		for i := range 3 {
			fmt.Fprintln(l, "a line")
			fmt.Fprintln(l, "and one more")
			synctest.Wait()
			require.Equal(t, i, out.count())
			time.Sleep(time.Second)
			synctest.Wait()
			require.Equal(t, i+1, out.count())
		}
	})
}

func TestLogLongLine(t *testing.T) {
	out := new(sink)
	l := server.NewLogWriter(out)
	long := strings.Repeat("x", 1<<20)
	fmt.Fprintln(l, "short")
	fmt.Fprintln(l, long)
	fmt.Fprintln(l, "short")
	l.Flush()
	assert.Equal(t, "short\n"+long+"\nshort\n", out.String())
}

func TestLogImmediate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := new(sink)
		l := server.NewLogWriter(out)
		fmt.Fprintln(l, "before")
		l.Immediate()
		assert.Equal(t, "before\n", out.String())
		fmt.Fprintln(l, "after")
		assert.Equal(t, "before\nafter\n", out.String())
		time.Sleep(time.Minute)
		assert.Equal(t, 2, out.count())
	})
}

// BenchmarkLog measures the line of a request to a pipe that another process
// reads, with and without a LogWriter.
func BenchmarkLog(b *testing.B) {
	reader := exec.Command("cat")
	in, err := reader.StdinPipe()
	require.NoError(b, err)
	require.NoError(b, reader.Start())
	b.Cleanup(func() {
		_ = in.Close()
		_ = reader.Wait()
	})
	for name, w := range map[string]io.Writer{"gathered": server.NewLogWriter(in), "direct": in, "nowhere": io.Discard} {
		b.Run(name, func(b *testing.B) {
			handler := slog.NewTextHandler(w, nil)
			for b.Loop() {
				r := slog.NewRecord(time.Now(), slog.LevelInfo, "request", 0)
				r.AddAttrs(
					slog.String("method", "GET"), slog.String("path", "/api/v2/schemas/ai@latest/manifest"),
					slog.String("route", "/api/v2/schemas/{version}/manifest"), slog.Int("status", 200), slog.Int64("bytes", 1234),
					slog.Float64("duration_ms", 0.123), slog.String("client", "192.0.2.1"), slog.String("request_id", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
				_ = handler.Handle(context.Background(), r)
			}
		})
	}
}

func ExampleLogWriter() {
	out := server.NewLogWriter(os.Stdout)
	defer out.Flush()
	log := slog.New(slog.NewTextHandler(out, &slog.HandlerOptions{
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		},
	}))
	log.Info("request", "status", 200)
	// Output: level=INFO msg=request status=200
}
