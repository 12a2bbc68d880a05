package lru

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
