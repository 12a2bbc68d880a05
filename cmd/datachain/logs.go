package main

import (
	"context"
	"io"
	"log/slog"
	"sync"
	"time"
)

const (
	// logDelay is how long a line may wait for others.
	logDelay = 100 * time.Millisecond
	// logBuffer is how many bytes may wait.
	logBuffer = 64 << 10
)

// logWriter gathers lines, so that a request does not pay for a system call.
// They are written when there are many of them, after logDelay, and when Flush
// says so. Nothing is dropped: who logs faster than is written waits.
type logWriter struct {
	mu    sync.Mutex
	w     io.Writer
	buf   []byte
	timer *time.Timer // runs exactly while lines wait, or is stopped
}

func newLogWriter(w io.Writer) *logWriter {
	l := &logWriter{w: w, buf: make([]byte, 0, logBuffer)}
	l.timer = time.AfterFunc(logDelay, l.Flush)
	l.timer.Stop()
	return l
}

// Write takes a line. It never fails: there is nobody left to tell where the log
// can't be written.
func (l *logWriter) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.buf)+len(line) > logBuffer {
		l.write()
	}
	if len(l.buf) == 0 {
		l.timer.Reset(logDelay)
	}
	l.buf = append(l.buf, line...)
	return len(line), nil
}

// Flush writes the lines that wait. It is called once more when all is over.
func (l *logWriter) Flush() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.write()
}

func (l *logWriter) write() {
	l.timer.Stop()
	if len(l.buf) == 0 {
		return
	}
	_, _ = l.w.Write(l.buf)
	l.buf = l.buf[:0]
	if cap(l.buf) > 2*logBuffer { // after a line of unusual length
		l.buf = make([]byte, 0, logBuffer)
	}
}

// promptHandler is a handler whose warnings and errors are written at once.
type promptHandler struct {
	slog.Handler
	out *logWriter
}

// Handle writes a record.
func (h promptHandler) Handle(ctx context.Context, r slog.Record) error {
	err := h.Handler.Handle(ctx, r)
	if r.Level >= slog.LevelWarn {
		h.out.Flush()
	}
	return err
}

// WithAttrs and WithGroup keep the promise for loggers that derive from this.
func (h promptHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return promptHandler{h.Handler.WithAttrs(attrs), h.out}
}

// WithGroup begins a group.
func (h promptHandler) WithGroup(name string) slog.Handler {
	return promptHandler{h.Handler.WithGroup(name), h.out}
}

// newLogger returns the log of a server.
func newLogger(out *logWriter, s *settings) *slog.Logger {
	o := &slog.HandlerOptions{}
	level := new(slog.LevelVar)
	_ = level.UnmarshalText([]byte(s.logLevel)) // the flag takes nothing else
	o.Level = level
	if s.logFormat == "json" {
		return slog.New(promptHandler{slog.NewJSONHandler(out, o), out})
	}
	return slog.New(promptHandler{slog.NewTextHandler(out, o), out})
}
