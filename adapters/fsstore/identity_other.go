//go:build !linux && !darwin

package fsstore

import (
	"io/fs"
	"time"
)

// identity is not available here, so releases are verified whenever they are opened.
func identity(fs.FileInfo) (id string, changed time.Time, ok bool) { return "", time.Time{}, false }

func private(string) bool { return false }
