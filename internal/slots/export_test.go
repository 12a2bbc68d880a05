package slots

// Len returns the number of values, expired ones that are still held included.
func (m *Slots) Len() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.slots)
}
