package gcpace_test

import (
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"

	"github.com/datachain-go/datachain/cmd/internal/gcpace"
	"github.com/stretchr/testify/require"
)

const mib = 1 << 20

// read returns a metric of the runtime.
func read(name string) uint64 {
	s := []metrics.Sample{{Name: name}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

func percent() uint64 { return read("/gc/gogc:percent") }

func TestPaceGC(t *testing.T) {
	t.Setenv("GOGC", "") // which is as if it were not set
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	runtime.GC() // of what other tests have left
	stop := gcpace.Start(48 * mib)
	require.Greater(t, percent(), uint64(200), "a small heap may grow by a multiple")

	live := make([]byte, 400*mib)
	require.Eventually(t, func() bool {
		runtime.GC()
		return percent() == 50
	}, time.Minute, time.Millisecond, "a large one grows by half")
	runtime.KeepAlive(live)

	live = make([]byte, 40*mib)
	require.Eventually(t, func() bool {
		runtime.GC()
		goal := read("/gc/heap/goal:bytes")
		return goal > 80*mib && goal < 110*mib
	}, time.Minute, time.Millisecond, "one in between by the headroom")
	runtime.KeepAlive(live)

	stop()
	require.Equal(t, uint64(100), percent())
	runtime.GC()
	require.Equal(t, uint64(100), percent())
	stop()
}

func TestPaceGCIdle(t *testing.T) {
	t.Setenv("GOGC", "")
	defer gcpace.StartFor(48*mib, 20*time.Millisecond)()
	garbage := make([]byte, 200*mib)
	for i := 0; i < len(garbage); i += 4096 {
		garbage[i] = 1
	}
	runtime.KeepAlive(garbage)
	require.Eventually(t, func() bool {
		if read("/memory/classes/heap/released:bytes") > 200*mib {
			return true
		}
		runtime.GC() // the last one may have come before the garbage
		return false
	}, time.Minute, 200*time.Millisecond, "nothing is returned to the system")
}

func TestPaceGCEnvironment(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(77))
	t.Setenv("GOGC", "77")
	gcpace.Start(math.MaxInt32)()
	require.Equal(t, uint64(77), percent())
}
