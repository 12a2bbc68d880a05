package cputime_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/datachain-go/datachain/internal/cputime"
	"github.com/stretchr/testify/assert"
)

func TestCountsWork(t *testing.T) {
	clock := cputime.Start()
	defer clock.Stop()
	before := clock.Used()
	for n, begun := uint64(1), time.Now(); time.Since(begun) < 20*time.Millisecond; n++ {
		if n*n == 3 {
			t.Fatal("no square is 3")
		}
	}
	assert.Greater(t, clock.Used(), before)
	assert.True(t, clock.Exceeds(before))
	assert.False(t, clock.Exceeds(time.Hour))
}

func TestSkip(t *testing.T) {
	clock := cputime.Start()
	defer clock.Stop()
	other := cputime.Start()
	defer other.Stop()
	clock.Skip(func() {
		for other.Used() < 20*time.Millisecond {
			continue
		}
	})
	assert.Less(t, clock.Used(), other.Used()-15*time.Millisecond)
}

func TestDoesNotCountWaiting(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Log("this system has only the wall clock")
		return
	}
	clock, start := cputime.Start(), time.Now()
	defer clock.Stop()
	time.Sleep(50 * time.Millisecond)
	assert.Less(t, clock.Used(), time.Since(start)/2)
	assert.False(t, clock.Exceeds(25*time.Millisecond), "although more time has passed")
}
