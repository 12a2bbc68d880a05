package main

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/authoring/review"
	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/flags"
	"github.com/datachain-go/datachain/cmd/internal/reviews"
	"github.com/datachain-go/datachain/cmd/internal/sources"
)

// reviewAnswer is the output of `datachain schema review --format json`.
type reviewAnswer struct {
	console.Outcome                  // OK if nothing needs attention
	Versions        []*review.Report `json:"versions"`
	// Signs are those that were looked for.
	Signs []review.Sign `json:"signs"`

	fail bool // if anything needs attention
}

func (a *reviewAnswer) Good() bool { return a.OK || !a.fail }

func (p *program) reviewCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "review [DIR|VERSION]",
		Short: "Report what is hard to understand in a schema version",
		Long: `Report what is hard to understand in a schema version, from warning signs that can be
measured: the length of texts, abbreviations that nothing spells out, translations of very
different length, elements that say nearly the same, and icons that are drawn alike. What
needs most attention comes first. A warning sign is not a mistake, so the exit code is 0
unless --fail is given.

A finding that is as it should be can be accepted in the source, with a reason: it is not
reported until the text changes. --format accept prints the entries to copy to schema.yaml.

DIR is a schema source or a store, or the directory of a datachain type or a version in a
source; the newest version of each type is reviewed. VERSION is a version id or an alias. The default is the working directory, or the samples.

` + reviews.Limits(),
		Example: `  datachain schema review schemas/ai/2026-09-01-beta
  datachain schema review ai@latest --only like-icon,near-duplicate
  datachain schema review --limit title-length=10 --known AI,GPS --fail
  datachain schema review schemas/ai/2026-09-01-beta --only near-duplicate --format accept`,
	}
	p.Read(cmd)
	format, fail := console.FormatFlag(cmd, formatText, formatJSON, formatAccept), switchFlag(cmd, "fail", "exit with code 1 if anything needs attention")
	o := &review.Options{Limits: make(map[string]float64)}
	flags.Add(cmd,
		flags.New("locale", "review these languages only", flags.List(&o.Locales, flags.Locale)),
		flags.New("only", "look for these signs only", flags.List(&o.Signs, func(at *string) *flags.Value { return flags.OneOf(at, signIDs()...).Shown("sign") })),
		flags.New("limit", "change the limit of a sign", flags.List(new([]string), limitValue(o.Limits))),
		flags.New("known", "abbreviations that readers know", flags.List(&o.Known, func(at *string) *flags.Value { return flags.Text(at, "abbreviation", "an abbreviation") })),
	)
	cmd.RunE = p.answers(format, func(cmd *cobra.Command, args []string) (answer, error) {
		chosen, err := p.choose(cmd, args, true)
		if err != nil {
			return nil, err
		}
		a, err := p.review(cmd.Context(), chosen, o)
		if err != nil {
			return nil, err
		}
		a.fail = *fail
		return a, nil
	})
	return cmd
}

func (a *reviewAnswer) print(p *program, format string) error {
	if format == formatAccept {
		return p.Printf("%s", reviews.Acceptances(a.Versions))
	}
	return p.Printf("%s", reviews.Text(a.Versions, a.Signs, p.OutStyle(), p.OutWidth()))
}

// formatAccept is the output of `datachain schema review` as entries of review.accept.
const formatAccept = "accept"

// limitValue is a sign and its limit.
func limitValue(limits map[string]float64) func(*string) *flags.Value {
	return func(at *string) *flags.Value {
		return flags.Parsed(at, "sign=number", "a sign and a number, such as title-length=10", func(s string) (string, bool) {
			id, number, _ := strings.Cut(s, "=")
			limit, err := strconv.ParseFloat(number, 64)
			ok := review.Lookup(id) != nil && err == nil && 0 <= limit && limit <= 1e6
			if ok {
				limits[id] = limit
			}
			return s, ok
		})
	}
}

func (p *program) review(ctx context.Context, chosen *sources.Selection, o *review.Options) (*reviewAnswer, error) {
	answer := &reviewAnswer{Outcome: console.Outcome{OK: true}, Versions: []*review.Report{}}
	for _, s := range review.Signs() {
		sign := *s
		if limit, ok := o.Limits[s.ID]; ok {
			sign.Limit = limit
		}
		if len(o.Signs) == 0 || slices.Contains(o.Signs, s.ID) {
			answer.Signs = append(answer.Signs, sign)
		}
	}
	o.Interrupt = ctx.Err
	for _, v := range chosen.Versions {
		c, err := console.Await(ctx, func() (*sources.Version, error) { return chosen.Load(ctx, v) })
		if err != nil {
			return nil, err
		}
		for _, locale := range o.Locales {
			if _, err := releaseLocale(c.Release, locale); err != nil {
				return nil, err
			}
		}
		o.Accepted = c.Accepted
		for i := range o.Accepted {
			at := &o.Accepted[i].Position
			*at = chosen.Source.Place(*at)
		}
		report, err := review.Release(c.Release, o)
		if err != nil {
			return nil, err
		}
		answer.Versions = append(answer.Versions, report)
		answer.OK = answer.OK && !report.Found()
	}
	return answer, nil
}

func signIDs() []string {
	var ids []string
	for _, s := range review.Signs() {
		ids = append(ids, s.ID)
	}
	return ids
}
