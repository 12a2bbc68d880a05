package testengine

import "os"

// shared is where Linux keeps a file system in memory.
const shared = "/dev/shm"

// TempInMemory makes the temporary directories of this process ones in memory, if the system
// has a file system there and the environment names no other place. TestMain calls it. Tests
// that publish wait for the disk after every file: those of fsstore take eight times as long
// there.
func TempInMemory() {
	if os.Getenv("TMPDIR") != "" {
		return
	}
	probe, err := os.MkdirTemp(shared, "probe")
	if err != nil {
		return
	}
	if os.Remove(probe) == nil {
		_ = os.Setenv("TMPDIR", shared) // else the disk serves as well
	}
}
