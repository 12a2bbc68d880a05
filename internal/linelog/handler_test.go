package linelog_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/linelog"
)

// both writes a record with a handler of ours and with that of slog.
func both(t *testing.T, json bool, o *slog.HandlerOptions, derive func(slog.Handler) slog.Handler, r slog.Record) (ours, standard string) {
	t.Helper()
	var a, b bytes.Buffer
	out := linelog.NewWriter(&a)
	mine, theirs := linelog.NewText(out, o), slog.Handler(slog.NewTextHandler(&b, o))
	if json {
		mine, theirs = linelog.NewJSON(out, o), slog.NewJSONHandler(&b, o)
	}
	assert.Equal(t, theirs.Enabled(t.Context(), r.Level), mine.Enabled(t.Context(), r.Level))
	require.NoError(t, derive(mine).Handle(t.Context(), r.Clone()))
	require.NoError(t, derive(theirs).Handle(t.Context(), r))
	out.Flush()
	return a.String(), b.String()
}

func asItIs(h slog.Handler) slog.Handler { return h }

// Whatever is logged, slog would have written the same.
func TestSameAsSlog(t *testing.T) {
	at := time.Date(2026, 9, 1, 10, 20, 30, 123_987_654, time.FixedZone("", 5400))
	record := func(at time.Time, level slog.Level, message string, attrs ...slog.Attr) slog.Record {
		r := slog.NewRecord(at, level, message, 0)
		r.AddAttrs(attrs...)
		return r
	}
	records := map[string]slog.Record{
		"request": record(at, slog.LevelInfo, "request", slog.String("method", "GET"), slog.String("path", "/a@b/c"),
			slog.Int("status", 200), slog.Int64("bytes", 1234), slog.Duration("duration", 123456), slog.String("client", "2001:db8::1"),
			slog.Bool("b", true), slog.Uint64("u", 1<<63)),
		"no attributes": record(at, slog.LevelInfo, "message"),
		"no time":       record(time.Time{}, slog.LevelInfo, "message"),
		"far future":    record(time.Date(12026, 1, 1, 0, 0, 0, 0, time.UTC), slog.LevelInfo, "message"),
		"last day":      record(time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC), slog.LevelInfo, "message"),
		"whole second":  record(at.Truncate(time.Second), slog.LevelInfo, "message"),
		"level between": record(at, slog.LevelInfo+1, "message"),
		"words":         record(at, slog.LevelWarn, "several words", slog.String("a key", "a value"), slog.String("b", "x=y")),
		"empty":         record(at, slog.LevelInfo, "", slog.String("", ""), slog.Attr{}),
		"quotes":        record(at, slog.LevelInfo, `"`, slog.String("a", `back\slash`), slog.String("b", "new\nline\x7f")),
		"not ASCII":     record(at, slog.LevelInfo, "é", slog.String("a", "日本"), slog.String("b", "\xff\u2028")),
		"others":        record(at, slog.LevelError, "m", slog.Any("error", errors.New("e")), slog.Float64("f", 1.5), slog.Time("t", at), slog.Group("g", slog.Int("i", 1)), slog.Any("nil", nil)),
		"long":          record(at, slog.LevelInfo, strings.Repeat("x", 1000), slog.String("a", strings.Repeat("y", 1000))),
	}
	derived := map[string]func(slog.Handler) slog.Handler{
		"as it is": asItIs,
		"attrs":    func(h slog.Handler) slog.Handler { return h.WithAttrs([]slog.Attr{slog.Int("n", 1)}) },
		"group":    func(h slog.Handler) slog.Handler { return h.WithGroup("g").WithAttrs([]slog.Attr{slog.Int("n", 1)}) },
	}
	options := map[string]*slog.HandlerOptions{
		"none": nil, "zero": {}, "source": {AddSource: true},
		"replaced": {Level: slog.LevelWarn, ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr { return slog.String("x"+a.Key, "y") }},
	}
	for name, r := range records {
		for how, derive := range derived {
			for with, o := range options {
				for _, json := range []bool{false, true} {
					ours, standard := both(t, json, o, derive, r)
					assert.Equal(t, standard, ours, "%s, %s, %s, %v", name, how, with, json)
				}
			}
		}
	}
}

func FuzzSameAsSlog(f *testing.F) {
	f.Add(int64(1_788_000_000_123_456_789), 0, "request", "path", "/api/v2/schemas", int64(200))
	f.Add(int64(-1), 4, "a b", "k=", "\x00\"\\é\u2028\xff", int64(-5))
	f.Fuzz(func(t *testing.T, nanos int64, level int, message, key, value string, n int64) {
		r := slog.NewRecord(time.Unix(0, nanos), slog.Level(level), message, 0)
		r.AddAttrs(slog.String(key, value), slog.Int64("n", n), slog.Duration("d", time.Duration(n)), slog.Uint64(value, uint64(n)))
		for _, json := range []bool{false, true} {
			ours, standard := both(t, json, nil, asItIs, r)
			require.Equal(t, standard, ours)
		}
	})
}

// A warning brings with it what was logged before.
func TestWarningsAreWrittenAtOnce(t *testing.T) {
	for _, open := range []func(*linelog.Writer, *slog.HandlerOptions) slog.Handler{linelog.NewText, linelog.NewJSON} {
		for _, derived := range []bool{false, true} {
			var out bytes.Buffer
			w := linelog.NewWriter(&out)
			w.StopTimer()
			log := slog.New(open(w, nil))
			if derived {
				log = log.With("a", 1).WithGroup("g")
			}
			log.Debug("never")
			log.Info("first")
			require.Empty(t, out.String())
			log.Warn("second")
			assert.Contains(t, out.String(), "first")
			assert.Contains(t, out.String(), "second")
			assert.NotContains(t, out.String(), "never")
		}
	}
}

// BenchmarkRequest measures the line of a request, ours beside that of slog.
func BenchmarkRequest(b *testing.B) {
	w := linelog.NewWriter(new(nowhere))
	for _, bb := range []struct {
		name    string
		handler slog.Handler
	}{
		{"text", linelog.NewText(w, nil)},
		{"text of slog", slog.NewTextHandler(w, nil)},
		{"JSON", linelog.NewJSON(w, nil)},
		{"JSON of slog", slog.NewJSONHandler(w, nil)},
	} {
		b.Run(bb.name, func(b *testing.B) {
			b.ReportAllocs()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					r := slog.NewRecord(time.Now(), slog.LevelInfo, "request", 0)
					r.AddAttrs(
						slog.String("method", "GET"), slog.String("path", "/api/v2/schemas/ai@latest/manifest"),
						slog.String("route", "/api/v2/schemas/{version}/manifest"), slog.Int("status", 200), slog.Int64("bytes", 1234),
						slog.Duration("duration", 123456), slog.String("client", "192.0.2.1"), slog.String("request_id", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
					_ = bb.handler.Handle(context.Background(), r)
				}
			})
		})
	}
}

// nowhere takes everything, as a file would that nobody reads.
type nowhere struct{}

func (*nowhere) Write(p []byte) (int, error) { return len(p), nil }
