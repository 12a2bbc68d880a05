package mcp

// Len returns the number of values, expired ones that are still held included.
func (m *MemorySlots) Len() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.slots)
}
