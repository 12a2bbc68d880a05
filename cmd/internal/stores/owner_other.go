//go:build !unix

package stores

import (
	"io/fs"
)

// belongs returns true, since this system does not say who owns a file.
func belongs(fs.FileInfo, int) bool { return true }
