package program

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// Process is the id of a running process. Its methods read /proc, so that they work on
// Linux only.
type Process int

// tick is the unit of CPU time in /proc, the same on every Linux that Go supports.
const tick = 10 * time.Millisecond

// CPU returns the user and system time of the process.
func (p Process) CPU() (time.Duration, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p))
	if err != nil {
		return 0, err
	}
	// The program name is in parentheses and may contain any character.
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	var ticks int64
	for _, field := range fields[11:13] {
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return 0, err
		}
		ticks += n
	}
	return time.Duration(ticks) * tick, nil
}

// Resident returns the memory of the process in bytes.
func (p Process) Resident() (int64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", p))
	if err != nil {
		return 0, err
	}
	pages, err := strconv.ParseInt(strings.Fields(string(text))[1], 10, 64)
	return pages * int64(os.Getpagesize()), err
}
