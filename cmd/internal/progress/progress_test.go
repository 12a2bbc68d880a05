package progress_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/cmd/internal/progress"
)

// TestBar draws a line for long work, now and then, and removes it.
func TestBar(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	b := progress.Start(&out, "compiling", func() time.Time { return at })
	b.Update(1, 9)
	require.Empty(t, out.String(), "the work may be short")
	at = at.Add(time.Second)
	b.Update(2, 9)
	b.Update(3, 9)
	require.Equal(t, "\r\x1b[Kcompiling: 2 of 9", out.String())
	b.End()
	at = at.Add(time.Hour)
	b.Update(4, 9)
	require.Equal(t, "\r\x1b[Kcompiling: 2 of 9\r\x1b[K", out.String())

	b = nil
	b.Update(1, 2)
	b.End()
}
