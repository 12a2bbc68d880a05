package main

import (
	"log/slog"

	"github.com/datachain-go/datachain/internal/linelog"
)

// newLogger returns the log of a server.
func newLogger(out *linelog.Writer, s *settings) *slog.Logger {
	level := new(slog.LevelVar)
	_ = level.UnmarshalText([]byte(s.logLevel)) // the flag takes nothing else
	o := &slog.HandlerOptions{Level: level}
	if s.logFormat == "json" {
		return slog.New(linelog.NewJSON(out, o))
	}
	return slog.New(linelog.NewText(out, o))
}
