package linelog

import (
	"io"
	"sync"
	"time"
)

const (
	// delay is how long a line may wait for others.
	delay = 100 * time.Millisecond
	// room is how many bytes may wait.
	room = 64 << 10
)

// Writer gathers lines, so that a request does not pay for a system call. They
// are written when there are many of them, after a tenth of a second, and when
// Flush says so. Nothing is dropped: who logs faster than is written waits. Make
// one with [NewWriter].
type Writer struct {
	mu      sync.Mutex
	w       io.Writer
	buf     []byte
	timer   *time.Timer // runs exactly while lines wait, or is stopped
	through bool
}

// NewWriter returns a writer that gathers lines for another.
func NewWriter(w io.Writer) *Writer {
	l := &Writer{w: w, buf: make([]byte, 0, room)}
	l.timer = time.AfterFunc(delay, l.Flush)
	l.timer.Stop()
	return l
}

// Write takes a line. It never fails: there is nobody left to tell where the log
// can't be written.
func (l *Writer) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.buf)+len(line) > room {
		l.write()
	}
	if len(l.buf) == 0 && !l.through {
		l.timer.Reset(delay)
	}
	l.buf = append(l.buf, line...)
	if l.through {
		l.write()
	}
	return len(line), nil
}

// Flush writes the lines that wait. It is called once more when all is over.
func (l *Writer) Flush() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.write()
}

// Through writes the lines that wait, and from now on each line at once: nothing
// is to be lost where the end may come at any time.
func (l *Writer) Through() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.through = true
	l.write()
}

func (l *Writer) write() {
	l.timer.Stop()
	if len(l.buf) == 0 {
		return
	}
	_, _ = l.w.Write(l.buf)
	l.buf = l.buf[:0]
	if cap(l.buf) > 2*room { // after a line of unusual length
		l.buf = make([]byte, 0, room)
	}
}
