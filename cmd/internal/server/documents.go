package server

import (
	"bytes"
	"cmp"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/wording"
	handler "github.com/datachain-go/datachain/pages/server"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/release/trust"
	"github.com/datachain-go/datachain/taxonomy"
)

// wire opens what is served, and logs what happens to its documents.
func wire(store taxonomy.Store, o *Options, report func(error)) (*handler.Server, error) {
	with := o.Options
	with.HTTP.Logger, with.Service.Report = o.Logger, report
	with.Register.AllowUnreadable = true
	with.Register.Report = func(origin register.Origin, err error) {
		if err != nil {
			o.Logger.Warn("reading documents failed, serving the last good ones if there are any", "origin", origin.String(), "error", err)
		} else {
			o.Logger.Info("documents can be read again", "origin", origin.String())
		}
	}
	with.Register.Changed = func(last, now *register.State) { logDocuments(o.Logger, last, now) }
	served, err := handler.New(store, &with)
	if err == nil && served.Register != nil {
		logRefused(o.Logger, nil, served.Register.State())
	}
	return served, err
}

// manyChanges is how many documents are logged by their names at a time.
const manyChanges = 20

// logDocuments logs what has changed in a register.
func logDocuments(log *slog.Logger, last, now *register.State) {
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

// logRefused logs the documents that are refused since the last state, which can be nil, and types
// without roles.
func logRefused(log *slog.Logger, last, now *register.State) {
	var known []string
	before := 0
	if last != nil {
		before = len(last.Products())
		for _, r := range last.Refused() {
			known = append(known, refusedLine(r))
		}
	}
	var unmarked []string // types that were reported
	if last != nil {
		for _, u := range last.Unmarked() {
			unmarked = append(unmarked, u.Type)
		}
	}
	for _, u := range now.Unmarked() {
		if !slices.Contains(unmarked, u.Type) {
			log.Warn("documents without roles: lists, filters, boards and signs do not know what they say; add roles to register.yaml, or upgrade them to a version with roles",
				"type", u.Type, "versions", u.Versions, "documents", u.Documents)
		}
	}
	if n := len(now.Products()); n > before {
		log.Info("products are not shown as documents", "products", n, "file", now.Products()[0].File)
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
		log.Warn("document refused", "file", r.File, "line", first.Position.Line, "id", wording.Clip(r.ID), "code", string(first.Code), "message", first.Message, "findings", len(r.Issues))
	}
}

// refusedLine returns a refusal on one line.
func refusedLine(r register.Refusal) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:", r.File)
	for _, i := range r.Issues {
		fmt.Fprintf(&b, " %s", i)
	}
	return b.String()
}

// refusals answers GET /documents on the admin address.
func (s *server) refusals(w http.ResponseWriter, _ *http.Request) {
	if s.served.Register == nil {
		plain(w, http.StatusNotFound, "this server has no documents: name some with --documents")
		return
	}
	state := s.served.Register.State()
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s, %d refused", wording.Count(len(state.Documents()), "document"), len(state.Refused()))
	if n := len(state.Products()); n > 0 {
		fmt.Fprintf(&b, ", %s not shown", wording.Count(n, "product"))
	}
	for _, r := range state.Refused() {
		fmt.Fprintf(&b, "\n\n%s", wording.Line(r.File))
		if r.ID != "" {
			fmt.Fprintf(&b, " (%s)", wording.Plain(r.ID))
		}
		for _, i := range r.Issues {
			fmt.Fprintf(&b, "\n  %s", wording.Line(i.String()))
		}
	}
	plain(w, http.StatusOK, b.String())
}

// documentStats counts the documents for the metrics.
func (s *server) documentStats() DocumentStats {
	state := s.served.Register.State()
	stats := DocumentStats{Refused: len(state.Refused()), Changed: s.served.Register.Changed()}
	for _, f := range s.served.Register.Failures() {
		stats.Failing = append(stats.Failing, cmp.Or(trust.Reason(f.Err), "unreadable"))
	}
	for _, d := range state.Documents() {
		switch {
		case d.Withdrawn != nil:
			stats.Withdrawn++
		case d.Removed():
			stats.Erased++
		case d.Details.Status == register.Retired:
			stats.Retired++
		default:
			stats.Published++
		}
	}
	return stats
}
