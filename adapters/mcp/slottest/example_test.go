package slottest_test

import (
	"testing"

	"github.com/datachain-go/datachain/adapters/mcp"
	"github.com/datachain-go/datachain/adapters/mcp/slottest"
)

// A test of slots is one line and a way to open them.
func ExampleRunSlots() {
	var t *testing.T // as TestSlots gets it
	slottest.RunSlots(t, func(_ *testing.T, b slottest.SlotsBounds) slottest.Slots {
		return mcp.NewMemorySlots(&mcp.MemorySlotsOptions{MaxAge: b.MaxAge})
	}, nil)
}
