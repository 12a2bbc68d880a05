package serve

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/documents"
	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/internal/telemetry"
)

// openDocuments opens the register of documents; nil if there are no origins.
func (o *Options) openDocuments(service *datachain.Service) (*documents.Register, error) {
	if len(o.Documents) == 0 {
		return nil, nil //nolint:nilnil // most servers have none
	}
	r, err := documents.New(service, o.Documents, &documents.Options{
		Refresh: o.DocumentsRefresh, AllowUnreadable: true,
		Report: func(origin documents.Origin, err error) {
			if err != nil {
				o.Logger.Warn("reading documents failed, serving the last good ones", "origin", origin.String(), "error", err)
			} else {
				o.Logger.Info("documents can be read again", "origin", origin.String())
			}
		},
		Changed: func(last, now *documents.State) { logDocuments(o.Logger, last, now) },
	})
	if err == nil {
		s := r.State()
		logRefused(o.Logger, nil, s)
		if len(s.Documents()) > 0 {
			o.Logger.Info("documents loaded", "documents", len(s.Documents()), "refused", len(s.Refused()))
		}
	}
	return r, err
}

// closeDocuments stops reading documents.
func (s *server) closeDocuments() {
	if s.register != nil {
		_ = s.register.Close() // it was only read
	}
}

// manyChanges is how many documents are logged by their names at a time.
const manyChanges = 20

// logDocuments logs what has changed in a register.
func logDocuments(log *slog.Logger, last, now *documents.State) {
	events, reset := now.Changes(last.Sequence())
	if reset || len(events) > manyChanges {
		log.Info("documents changed", "documents", len(now.Documents()), "refused", len(now.Refused()))
	} else {
		for _, e := range events {
			log.Info("document changed", "op", string(e.Op), "slug", e.Slug, "edition", e.Edition.String())
		}
	}
	logRefused(log, last, now)
}

// logRefused logs the documents that are refused since the last state, which can be nil.
func logRefused(log *slog.Logger, last, now *documents.State) {
	var known []string
	if last != nil {
		for _, r := range last.Refused() {
			known = append(known, refusedLine(r))
		}
	}
	logged := 0
	for _, r := range now.Refused() {
		if slices.Contains(known, refusedLine(r)) {
			continue
		}
		if logged++; logged > manyChanges {
			log.Warn("more documents were refused; /documents on the admin address lists all", "refused", len(now.Refused()))
			return
		}
		first := r.Issues[0]
		log.Warn("document refused", "file", r.File, "id", r.ID, "code", string(first.Code), "message", first.Message, "findings", len(r.Issues))
	}
}

// refusedLine returns a refusal as a line.
func refusedLine(r documents.Refusal) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:", r.File)
	for _, i := range r.Issues {
		fmt.Fprintf(&b, " %s", i)
	}
	return b.String()
}

// refusals answers GET /documents on the admin address.
func (s *server) refusals(w http.ResponseWriter, _ *http.Request) {
	if s.register == nil {
		plain(w, http.StatusNotFound, "this server has no documents: name some with --documents")
		return
	}
	state := s.register.State()
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s, %d refused", prose.Count(len(state.Documents()), "document"), len(state.Refused()))
	for _, r := range state.Refused() {
		fmt.Fprintf(&b, "\n\n%s", prose.Line(r.File))
		if r.ID != "" {
			fmt.Fprintf(&b, " (%s)", prose.Line(r.ID))
		}
		for _, i := range r.Issues {
			fmt.Fprintf(&b, "\n  %s", prose.Line(i.String()))
		}
	}
	plain(w, http.StatusOK, b.String())
}

// documentStats counts the documents for the metrics.
func (s *server) documentStats() telemetry.Documents {
	if s.register == nil {
		return telemetry.Documents{}
	}
	state := s.register.State()
	stats := telemetry.Documents{Refused: len(state.Refused()), Changed: s.register.Changed()}
	for _, d := range state.Documents() {
		switch {
		case d.Withdrawn != nil:
			stats.Withdrawn++
		case d.Gone():
			stats.Erased++
		case d.Details.Status == documents.Retired:
			stats.Retired++
		default:
			stats.Published++
		}
	}
	return stats
}
