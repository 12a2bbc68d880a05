package validate

import (
	"context"
	"fmt"
	"strings"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

var sourceURL = &Rule{
	Name:         "source_url",
	Doc:          "The url of a source is an absolute http or https URL.",
	Codes:        []issue.Code{codes.InstanceSourceURLInvalid},
	DespiteShape: true,
	Run: func(_ context.Context, p *Pass) error {
		if len(p.Instance.Sources) > 0 {
			checkSources(p, issue.Root.Key("sources"))
		}
		for placed := range p.Placements() {
			if len(placed.Sources) > 0 {
				checkSources(p, placed.Path().Key("sources"))
			}
		}
		if p.Resolved == nil {
			return nil
		}
		for i := range p.Resolved.SuggestedElements {
			if len(p.Resolved.SuggestedElements[i].Sources) > 0 {
				checkSources(p, suggestedPath.Index(i).Key("sources"))
			}
		}
		return nil
	},
}

// checkSources checks the URLs of a list of sources. It reads the document, since an
// empty url is not a missing one.
func checkSources(p *Pass, at issue.Path) {
	list, _ := p.locator.find(at)
	for source := range list.All() {
		// These are warnings, so a full list is enough to end.
		if p.findings.truncated || !p.Next() {
			return
		}
		given, there := source.Get("url")
		if !there || ident.IsURL(given.Text()) {
			continue
		}
		p.warn(codes.InstanceSourceURLInvalid, given.Path(),
			fmt.Sprintf("The url of a source must be an absolute http or https URL, but is %q.", wording.Clip(given.Text())), urlHint(given.Text()))
	}
}

// urlHint returns the hint for an invalid URL, with the scheme if only that is missing.
func urlHint(text string) string {
	if full := "https://" + strings.TrimSpace(text); ident.IsURL(full) && strings.ContainsRune(text, '.') && !strings.ContainsRune(text, ':') {
		return "write " + wording.Clip(full) + " if that is meant"
	}
	return "write a URL such as https://example.org/policy, or remove url and describe the source in citation"
}
