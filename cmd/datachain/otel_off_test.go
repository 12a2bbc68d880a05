//go:build !full

package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestOtelOff shows that a program without OpenTelemetry says how to get it.
func TestOtelOff(t *testing.T) {
	t.Parallel()
	code, _, stderr := execute(t.Context(), testSystem(""), "serve", "--otel", "on")
	assert.Equal(t, exitFailed, code)
	assert.Contains(t, stderr, "--otel: this program was built without OpenTelemetry; build it with 'go build -tags full ./cmd/datachain'")
}
