// Package temptest keeps the temporary files of tests in memory.
package temptest

import (
	"os"
)

// sharedMemory is where Linux keeps a file system in memory.
const sharedMemory = "/dev/shm"

// TempInMemory makes the temporary directories of this process ones in memory, if the system
// has a file system there and the environment names no other place. TestMain calls it. Tests
// that publish wait for the disk after every file: those of fsstore take eight times as long
// there.
func TempInMemory() {
	if os.Getenv("TMPDIR") != "" {
		return
	}
	probe, err := os.MkdirTemp(sharedMemory, "probe")
	if err != nil {
		return
	}
	if os.Remove(probe) == nil {
		_ = os.Setenv("TMPDIR", sharedMemory) // else the disk serves as well
	}
}
