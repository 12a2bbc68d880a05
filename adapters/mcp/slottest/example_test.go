package slottest_test

import (
	"testing"

	"github.com/datachain-go/datachain/adapters/mcp"
	"github.com/datachain-go/datachain/adapters/mcp/slottest"
)

// A test of slots is one line and a way to open them.
func ExampleRun() {
	var t *testing.T // as TestSlots gets it
	slottest.Run(t, func(_ *testing.T, b slottest.Bounds) slottest.Slots {
		return mcp.NewMemorySlots(&mcp.MemorySlotsOptions{MaxAge: b.MaxAge})
	}, nil)
}
