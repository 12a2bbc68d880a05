package linelog

import "time"

// Room is how many bytes may wait.
const Room = room

// StopTimer lets lines wait for ever.
func (l *Writer) StopTimer() { l.timer = time.AfterFunc(time.Hour, func() {}) }
