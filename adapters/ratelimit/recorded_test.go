package ratelimit_test

import (
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/ratelimit"
	"github.com/datachain-go/datachain/internal/goldentest"
)

// recorded are the limits and the numbers of keys of the recorded schedules.
var (
	recordedLimits = ratelimit.Limits{Read: 9, Icons: 40, Validate: 3, Resolve: 1}
	recordedKeys   = []int{0, 0, 0, 7, 20, 60}
)

// TestRecorded repeats requests and compares the decisions with recorded ones, which were
// written by an earlier implementation: a row has the schedule, the time in milliseconds,
// the key, and whether the request passed, what remains and when the oldest expires, in
// seconds.
func TestRecorded(t *testing.T) {
	const path = "testdata/decisions.csv"
	if goldentest.Updating() {
		writeRecorded(t, path)
	}
	file, err := os.Open(path)
	require.NoError(t, err)
	rows, err := csv.NewReader(file).ReadAll()
	require.NoError(t, err)
	require.NoError(t, file.Close())
	require.Greater(t, len(rows), 4000)
	var m *ratelimit.Memory
	var clock *fakeClock
	last := ""
	for i, row := range rows {
		if row[0] != last {
			last = row[0]
			m, clock = newMemory(t, ratelimit.Options{Limits: recordedLimits, MaxKeys: recordedKeys[number(t, last)]})
		}
		clock.elapsed.Store(int64(time.Duration(number(t, row[1])) * time.Millisecond))
		d := allow(t, m, ratelimit.NewKey(ratelimit.Bucket(number(t, row[2])), client(number(t, row[3])), row[4]))
		require.Equal(t, row[5:], decided(d), "row %d: %v", i+1, row)
	}
}

// decided returns a decision as it is recorded.
func decided(d ratelimit.Decision) []string {
	return []string{strconv.FormatBool(d.Allowed), strconv.Itoa(d.Remaining), strconv.Itoa(int(d.Reset / time.Second))}
}

func number(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	require.NoError(t, err)
	return n
}

// writeRecorded records random requests of a few clients with many names at random times.
func writeRecorded(t *testing.T, path string) {
	t.Helper()
	var rows [][]string
	for schedule, keys := range recordedKeys {
		rnd := rand.New(rand.NewPCG(uint64(schedule), 9))
		m, clock := newMemory(t, ratelimit.Options{Limits: recordedLimits, MaxKeys: keys})
		names, clients, pace := []int{1, 5, 60, 3, 8, 40}[schedule], 2+rnd.IntN(5), 1+rnd.IntN(200)
		at := 0
		for range 800 {
			if rnd.IntN(100) == 0 {
				at += rnd.IntN(180_000)
			}
			at += rnd.IntN(pace)
			clock.elapsed.Store(int64(time.Duration(at) * time.Millisecond))
			bucket, c, name := rnd.IntN(4), rnd.IntN(clients), ""
			if n := rnd.IntN(names); n > 0 {
				name = fmt.Sprint(n)
			}
			d := allow(t, m, ratelimit.NewKey(ratelimit.Bucket(bucket), client(c), name))
			rows = append(rows, append([]string{strconv.Itoa(schedule), strconv.Itoa(at), strconv.Itoa(bucket), strconv.Itoa(c), name}, decided(d)...))
		}
	}
	file, err := os.Create(path)
	require.NoError(t, err)
	require.NoError(t, csv.NewWriter(file).WriteAll(rows))
	require.NoError(t, file.Close())
}
