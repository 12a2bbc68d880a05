package linelog_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/linelog"
)

// sink takes writes, and counts them.
type sink struct {
	mu     sync.Mutex
	text   strings.Builder
	writes int
}

func (s *sink) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.writes++
	return s.text.Write(p)
}

func (s *sink) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

func (s *sink) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.writes
}

func TestLosesNothing(t *testing.T) {
	const writers, lines = 8, 5000
	out := new(sink)
	l := linelog.NewWriter(out)
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

func TestGathers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := new(sink)
		l := linelog.NewWriter(out)
		for range 100 {
			fmt.Fprintln(l, "line")
		}
		l.Flush()
		l.Flush()
		assert.Equal(t, 1, out.count())
		assert.Equal(t, strings.Repeat("line\n", 100), out.String())
		time.Sleep(time.Minute)
		assert.Equal(t, 1, out.count(), "nothing was left")
	})
}

// A line that nobody follows is written all the same, each time.
func TestDoesNotSleep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := new(sink)
		l := linelog.NewWriter(out)
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

func TestLongLine(t *testing.T) {
	out := new(sink)
	l := linelog.NewWriter(out)
	long := strings.Repeat("x", 5*linelog.Room)
	fmt.Fprintln(l, "short")
	fmt.Fprintln(l, long)
	fmt.Fprintln(l, "short")
	l.Flush()
	assert.Equal(t, "short\n"+long+"\nshort\n", out.String())
}

// Once the end may come at any time, nothing waits.
func TestThrough(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := new(sink)
		l := linelog.NewWriter(out)
		fmt.Fprintln(l, "before")
		l.Through()
		assert.Equal(t, "before\n", out.String())
		fmt.Fprintln(l, "after")
		assert.Equal(t, "before\nafter\n", out.String())
		time.Sleep(time.Minute)
		assert.Equal(t, 2, out.count())
	})
}
