package server

import (
	"encoding/hex"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/cmd/internal/report"
	"github.com/datachain-go/datachain/internal/wording"
)

// NewLogger returns a logger that writes JSON or text from a level such as "info".
func NewLogger(w io.Writer, format, level string) *slog.Logger {
	least := new(slog.LevelVar)
	_ = least.UnmarshalText([]byte(level)) // the flag takes nothing else
	o := &slog.HandlerOptions{Level: least}
	if format == "json" {
		return slog.New(slog.NewJSONHandler(w, o))
	}
	return slog.New(slog.NewTextHandler(w, o))
}

// Announcement says what a server that has started serves, and where.
type Announcement struct {
	Started
	// Source says where the versions are from, and Origins where the documents are from.
	Source  string
	Origins []string
	// Explorer, MCP and Profiles are what is served besides.
	Explorer, MCP, Profiles bool
}

// Log writes it to a log.
func (a *Announcement) Log(log *slog.Logger) {
	log.Info("serving", "url", a.URL, "explorer", a.Explorer, "admin", a.AdminURL, "source", a.Source, "documents", a.Documents)
	for _, r := range a.Releases {
		log.Info("release loaded", "version", r.ID.String(), "content_hash", r.ContentHash.String(), "elements", r.Elements)
	}
}

// Text returns at most five lines for people.
func (a *Announcement) Text(style report.Style) string {
	at := []string{"/ (pages)", "/api/v2 (REST)", "/mcp (MCP)"}
	if !a.Explorer {
		at = at[1:]
	}
	if !a.MCP {
		at = at[:len(at)-1]
	}
	at[0] = style.Bold(a.URL) + at[0]
	lines := []string{"Serving at " + wording.And(at), "Serving " + wording.Line(a.Source)}
	if len(a.Releases) > 0 {
		lines = append(lines, a.loaded())
	}
	if a.Documents > 0 {
		lines = append(lines, wording.Line(wording.Count(a.Documents, "document")+" of "+wording.And(a.Origins)))
	}
	if a.AdminURL != "" {
		admin := "Health checks and metrics at " + a.AdminURL + "/readyz, /metrics"
		if a.Profiles {
			admin += ", /debug/pprof/"
		}
		lines = append(lines, admin)
	}
	return strings.Join(lines, "\n")
}

// lineWidth is how many columns a line for people has.
const lineWidth = 80

// loaded names the latest version of each type, as far as there is room: with the first digits of
// their hashes, or without. Some others may have failed to load.
func (a *Announcement) loaded() string {
	var names, hashed []string
	for _, r := range a.Releases {
		if slices.Contains(r.Aliases, r.ID.Type()+"@latest") {
			names = append(names, r.ID.String())
			hashed = append(hashed, fmt.Sprintf("%s (%s)", r.ID, hex.EncodeToString(r.ContentHash[:4])))
		}
	}
	line := func(names []string) string {
		return report.Counted(wording.Count(len(a.Releases), "version"), report.Amount{N: a.Failed, State: "unreadable"}) + "; latest " + strings.Join(names, ", ")
	}
	if len(line(hashed)) <= lineWidth {
		return line(hashed)
	}
	for n := len(names) - 1; n > 0 && len(line(names)) > lineWidth; n-- {
		names = append(names[:n:n], fmt.Sprintf("and %d more", len(hashed)-n))
	}
	return line(names)
}
