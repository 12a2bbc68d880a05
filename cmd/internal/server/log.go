package server

import (
	"errors"
	"log/slog"

	"github.com/datachain-go/datachain/adapters/laststore"
	"github.com/datachain-go/datachain/adapters/storekit/layout"
	"github.com/datachain-go/datachain/adapters/storekit/watch"
	"github.com/datachain-go/datachain/cmd/internal/live"
	"github.com/datachain-go/datachain/history"
	"github.com/datachain-go/datachain/release/trust"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// LogEdits returns a function that logs whether an edit of a schema source is served, or still the
// last good release.
func LogEdits(log *slog.Logger) func(live.Edit) {
	return func(e live.Edit) {
		version := slog.String("version", e.Version.String())
		switch {
		case e.Served == nil:
			log.Warn("source has errors, the version is not served", version)
		case e.Failed:
			log.Warn("source has errors, serving the last good version", version, "content_hash", e.Served.ContentHash().String())
		default:
			log.Info("edit picked up", version, "content_hash", e.Served.ContentHash().String(), "elements", len(e.Served.ElementIDs()))
		}
	}
}

// LogFindings returns a function that logs the findings in a schema source while it is edited. It is
// called with all findings each time, and logs new ones. In the first call, it only counts warnings.
func LogFindings(log *slog.Logger) func(issue.Issues) {
	var logged map[string]bool
	return func(issues issue.Issues) {
		if n := len(issues.With(issue.SeverityWarning)); logged == nil && n > 0 {
			log.Warn("the source has warnings; 'datachain schema lint DIR' lists them", "warnings", n)
		}
		now := make(map[string]bool, len(issues))
		for _, i := range issues {
			key := i.Position.File + " " + i.String()
			now[key] = true
			if counted := logged == nil && i.Severity == issue.SeverityWarning; !counted && !logged[key] {
				log.Warn("finding", "place", i.Position.String(), "code", i.Code, "message", i.Message, "hint", i.FixHint)
			}
		}
		if logged = now; len(issues) == 0 {
			log.Info("source has no findings")
		}
	}
}

// storeLog logs and counts failures of a store.
type storeLog struct {
	log     *slog.Logger
	metrics *Metrics // may be nil
}

func (l *storeLog) options(o *Options) *laststore.Options {
	return &laststore.Options{
		Fallback:  o.Fallback,
		Refresh:   o.Refresh,
		Check:     history.Check,
		Report:    l.report,
		Recovered: func() { l.log.Info("store recovered") },
	}
}

// report logs that a store failed. What becomes of a source with errors is logged with its
// findings and edits: there may be no last good data.
func (l *storeLog) report(err error) {
	message := "store read failed, serving last good data if there is any"
	switch {
	case errors.Is(err, live.ErrFindings):
		message = "source has errors, see its findings"
	case errors.Is(err, layout.ErrSequence):
		message = "the index has a false sequence"
	case trust.Reason(err) != "":
		message = "the trusted log does not prove the index, serving the last good one if there is one"
	case errors.Is(err, taxonomy.ErrRollback):
		message = "index was rolled back, serving the last good one"
	case errors.Is(err, watch.ErrAccepted):
		message = "index was rolled back and was accepted"
	}
	l.warn(message, err)
}

// unusable logs that a derived file, such as an icon, can't be used.
func (l *storeLog) unusable(err error) {
	l.warn("file in the store is unusable, deriving it again", err)
}

func (l *storeLog) warn(message string, err error) {
	if l.metrics != nil {
		l.metrics.Report(err)
	}
	l.log.Warn(message, "error", err)
}
