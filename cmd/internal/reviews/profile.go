package reviews

import (
	"context"
	"fmt"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/profile"
	"github.com/datachain-go/datachain/register/review"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Profile returns a check that reports the fields that a profile requires and that a document lacks.
// Documents of types that the profile is not for are skipped.
func Profile(p *profile.Profile, settings *register.Settings) review.Check {
	return func(_ context.Context, d *register.Document, shown *datachain.Presentation) (found []review.Finding, _ error) {
		if !p.Fits(d.Version.Type()) {
			return nil, nil
		}
		for _, f := range p.Report(shown, &profile.Options{Settings: settings}).Findings {
			if f.Kind == profile.Missing {
				found = append(found, review.Finding{
					Kind: review.ProfileMissing, Path: issue.Root, Message: fmt.Sprintf("The profile %s requires %s.", p.ID, f.Field), Hint: f.Message,
				})
			}
		}
		return found, nil
	}
}
