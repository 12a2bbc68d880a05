package main

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/datachain-go/datachain/internal/linelog"
)

func TestNewLogger(t *testing.T) {
	for _, c := range []struct{ format, level, want string }{
		{"text", "info", "level=INFO msg=second"},
		{"text", "warn", ""},
		{"json", "info", `"level":"INFO","msg":"second"}`},
		{"json", "error", ""},
	} {
		text := new(lockedBuffer)
		out := linelog.NewWriter(text)
		log := newLogger(out, &settings{logFormat: c.format, logLevel: c.level})
		log.Debug("first")
		log.Info("second")
		out.Flush()
		assert.Contains(t, text.String(), c.want)
		assert.NotContains(t, text.String(), "first")
		assert.Equal(t, c.want != "", text.String() != "", "%s, %s", c.format, c.level)
	}
}
