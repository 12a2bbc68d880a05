package concurrent

// Cost returns the total cost of the values.
func (c *Cache[K, V]) Cost() int64 {
	total := int64(0)
	for i := range c.shards {
		s := &c.shards[i]
		s.mu.Lock()
		total += s.cost
		s.mu.Unlock()
	}
	return total
}

// Len returns the number of values, expired ones that are still held included.
func (m *Slots) Len() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.slots)
}
