package editor

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestFilePath(t *testing.T) {
	for uri, want := range map[string]string{
		"file:///home/me/my%20files": "/home/me/my files",
		"file://localhost/x":         "/x",
		"untitled:x":                 "",
		"file://server/share":        "",
		"file:":                      "",
		"%":                          "",
	} {
		got, ok := filePath(uri)
		if !ok {
			got = ""
		}
		assert.Equal(t, filepath.FromSlash(want), got, uri)
	}
}
