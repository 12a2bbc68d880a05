package serve

import (
	"io"
	"sync"
	"time"
)

const (
	logDelay = 100 * time.Millisecond // how long a line may wait
	logRoom  = 64 << 10               // how many bytes may wait
)

// LogWriter gathers log lines, so that a request does not pay for a system call.
// They are written when there are many, after a tenth of a second, and by Flush.
// Nothing is dropped: a writer that is slow makes callers wait. Make one with
// [NewLogWriter].
type LogWriter struct {
	mu        sync.Mutex
	w         io.Writer
	buf       []byte
	timer     *time.Timer // runs while lines wait
	immediate bool
}

// NewLogWriter returns a writer that gathers lines for another one.
func NewLogWriter(w io.Writer) *LogWriter {
	l := &LogWriter{w: w, buf: make([]byte, 0, logRoom)}
	l.timer = time.AfterFunc(logDelay, l.Flush)
	l.timer.Stop()
	return l
}

// Write takes a line. It does not fail: an error of the log has nowhere to go.
func (l *LogWriter) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.buf)+len(line) > logRoom {
		l.flush()
	}
	if len(l.buf) == 0 {
		l.timer.Reset(logDelay)
	}
	l.buf = append(l.buf, line...)
	if l.immediate || len(l.buf) > logRoom {
		l.flush()
	}
	return len(line), nil
}

// Flush writes the lines that wait. Call it once more at the end.
func (l *LogWriter) Flush() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.flush()
}

// Immediate writes the lines that wait, and from now on each line at once, since
// the program may end at any time.
func (l *LogWriter) Immediate() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.immediate = true
	l.flush()
}

func (l *LogWriter) flush() {
	l.timer.Stop()
	if len(l.buf) == 0 {
		return
	}
	_, _ = l.w.Write(l.buf)
	if l.buf = l.buf[:0]; cap(l.buf) > 2*logRoom { // after an unusually long line
		l.buf = make([]byte, 0, logRoom)
	}
}
