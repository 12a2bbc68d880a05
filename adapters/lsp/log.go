package lsp

import "fmt"

// The levels of log messages.
const (
	logError   = 1
	logWarning = 2
	logInfo    = 3
)

type logMessageParams struct {
	Type    int    `json:"type"`
	Message string `json:"message"`
}

// log sends a message to the log of the client.
func (s *session) log(level int, text string) {
	s.out.log(notification{Version: version2, Method: "window/logMessage", Params: logMessageParams{level, text}})
}

// sprint prints the cause of a panic.
func sprint(cause any) string { return fmt.Sprint(cause) }
