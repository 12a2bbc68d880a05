package review

import (
	"fmt"
	"time"

	"github.com/datachain-go/datachain/taxonomy/issue"
)

// checkDates reports what was due before today, and documents that nobody has looked at for long.
func checkDates(p *pass) {
	details := issue.Root.Key("register")
	if by := p.Details.ReviewBy; by != "" && by < p.today {
		p.report(ReviewOverdue, details.Key("review_by"), fmt.Sprintf("The review was due on %s.", by),
			"review the document, then set a new date")
	}
	if p.StartPassed(p.today) {
		p.report(SincePassed, details.Key("since"), fmt.Sprintf("The system was planned for %s, but its status is still planned.", p.Details.Since),
			"set the status to trial or in_use, or a new date")
	}
	if until := p.Details.Until; until != "" && until < p.today {
		p.report(UntilPassed, details.Key("until"), fmt.Sprintf("The system was to end on %s, but its status is not retired.", until),
			"set the status to retired, or a new date")
	}
	field, last := "updated_at", p.UpdatedAt
	if p.CreatedAt.After(last) {
		field, last = "created_at", p.CreatedAt
	}
	old := p.options.Months > 0 && !last.IsZero() && last.Before(p.options.Today.AddDate(0, -p.options.Months, 0))
	if old && p.Details.ReviewBy < p.today {
		p.report(NotUpdated, issue.Root.Key(field), fmt.Sprintf("The document was last updated on %s.", last.UTC().Format(time.DateOnly)),
			"check whether it is still true, then set updated_at, or register.review_by to the day of the next review")
	}
}
