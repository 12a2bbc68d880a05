package register_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	samples "github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/internal/registertest"
)

// BenchmarkOpen opens a directory of 10,000 documents, and reports the memory that it
// needs. With DOCUMENTS=100000 there are more.
func BenchmarkOpen(b *testing.B) {
	n := 10_000
	if typed := os.Getenv("DOCUMENTS"); typed != "" {
		_, err := fmt.Sscan(typed, &n)
		require.NoError(b, err)
	}
	dir := b.TempDir()
	size := 0
	var texts [][]byte
	for _, name := range []string{"benefits.json", "crossing-camera.json", "air-station.json", "wifi-counter.json"} {
		sample, ok := samples.Find(name)
		require.True(b, ok)
		texts = append(texts, sample.Text)
	}
	for i := range n {
		text := bytes.Replace(texts[i%len(texts)], []byte(`"id": "`), fmt.Appendf(nil, `"id": "d%d-`, i), 1)
		size += len(text)
		require.NoError(b, os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.json", i)), text, 0o600))
	}
	service := registertest.Service(b)
	for b.Loop() {
		runtime.GC()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		origin, err := register.OpenDirectory(dir, nil)
		require.NoError(b, err)
		began := time.Now()
		r, err := register.New(service, []register.Origin{origin}, &register.Options{Refresh: -1})
		require.NoError(b, err)
		took := time.Since(began)
		runtime.GC()
		runtime.ReadMemStats(&after)
		require.Len(b, r.State().Documents(), n)
		b.ReportMetric(took.Seconds(), "s/open")
		b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/(1<<20), "MB")
		b.ReportMetric(float64(size)/(1<<20), "MB-text")
		require.NoError(b, r.Close())
	}
}
