// Package temptest keeps the temporary files of tests in memory.
package temptest

import (
	"os"
)

// sharedMemory is where Linux keeps a file system in memory.
const sharedMemory = "/dev/shm"

// TempInMemory puts the temporary directories of this process in memory, if the system has such
// a file system and TMPDIR is not set. Call it in TestMain. Tests that publish sync every file:
// on a disk, those of fsstore take eight times as long.
func TempInMemory() {
	if os.Getenv("TMPDIR") != "" {
		return
	}
	probe, err := os.MkdirTemp(sharedMemory, "probe")
	if err != nil {
		return
	}
	if os.Remove(probe) == nil {
		_ = os.Setenv("TMPDIR", sharedMemory) // if it fails, the disk is used
	}
}
