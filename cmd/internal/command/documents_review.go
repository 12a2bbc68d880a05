package command

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/fetch"
	"github.com/datachain-go/datachain/cmd/internal/flags"
	"github.com/datachain-go/datachain/cmd/internal/products"
	"github.com/datachain-go/datachain/cmd/internal/report"
	"github.com/datachain-go/datachain/cmd/internal/reviews"
	"github.com/datachain-go/datachain/register/profile"
	"github.com/datachain-go/datachain/register/review"
)

// formatAccept prints entries for --accepted.
const formatAccept = "accept"

// reviewOptions are the flags of `datachain documents review`.
type reviewOptions struct {
	today, accepted string
	profile         string
	months          int
	only            []string
	links, private  bool
	fail            bool
}

// reviewAnswer is the output of `datachain documents review`.
type reviewAnswer struct{ *reviews.Report }

func (a *reviewAnswer) Good() bool { return a.OK }

func (a *reviewAnswer) print(c *console.Console, format string) error {
	var err error
	if format == formatAccept {
		err = report.WriteJSON(c.Stdout, a.Accept())
	} else {
		err = writeReport(c, a.Located(), format, new(report.Options))
	}
	if err != nil {
		return err
	}
	for _, text := range []string{a.InvalidText(), a.UnusedText(), a.Summary()} {
		if text != "" {
			c.Say("%s", text)
		}
	}
	return nil
}

func documentsReviewCommand(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "review DIR",
		Short: "Report documents that are valid, but stale or thin",
		Long: `Report which documents of a directory are valid, but stale or thin, the worst first: a review
that is overdue, a contact without an address, a text that is missing in a language of the
register. Findings keep no document from being published. Invalid documents are left to
'datachain documents check'.

With --links, also request the web addresses in documents: one at a time of each host, at most
200 of a document and 20 of each host in it, without cookies and proxies; and the products that
documents are based on, each once. Addresses of this machine and of its network are refused
without --allow-private. Nothing is sent but the address, and nothing that a host sends is printed.

A finding that should stay as it is can be accepted, with a reason: --format accept prints
entries for --accepted. An entry is a {file, kind, path, text, reason, until}, and counts until
the finding changes or the day until has passed.

The exit code is 0, and with --fail 1 if there are findings, other than links that could not be
checked.`,
		Example: `  datachain documents review documents
  datachain documents review documents --links --accepted accepted.json --fail
  datachain documents review documents --only review_overdue,link_dead --format json`,
	}
	format := console.FormatFlag(cmd, formatText, formatJSON, formatSARIF, formatGitHub, formatAccept)
	from := c.Reads(cmd)
	var kinds []string
	for _, k := range review.Kinds() {
		kinds = append(kinds, string(k))
	}
	o := new(reviewOptions)
	flags.Add(cmd,
		flags.New("today", "day of the review (default the present day in UTC)", flags.Date(&o.today)),
		flags.New("months", "age from which a document is reported that names no day of its next review", flags.Integer(&o.months, 1200).Default("24")),
		flags.New("only", "kinds of findings to report (default all)", flags.List(&o.only, func(at *string) *flags.Value { return flags.OneOf(at, kinds...) }).Shown("kinds")),
		flags.New("profile", "also report fields that a profile requires and that are missing", profileFlag(&o.profile)),
		flags.New("links", "request the web addresses in documents", flags.Switch(&o.links)),
		flags.New("allow-private", "with --links, also request addresses of this machine and of private networks", flags.Switch(&o.private)),
		flags.New("accepted", "leave out the findings in this file", flags.File(&o.accepted, "json")),
		flags.New("fail", "exit with 1 if there are findings", flags.Switch(&o.fail)),
	)
	flags.Needs(cmd, "allow-private", "links")
	cmd.RunE = runAnswer(c, format, func(cmd *cobra.Command, args []string) (answer, error) {
		return reviewDocuments(cmd.Context(), c, from, args[0], o)
	})
	return cmd
}

// reviewDocuments reviews the documents of a directory.
func reviewDocuments(ctx context.Context, c *console.Console, from *console.Versions, dir string, o *reviewOptions) (*reviewAnswer, error) {
	today := cmp.Or(o.today, c.Now().UTC().Format(time.DateOnly))
	ro := &reviews.Options{Work: c.Dir, Dir: dir, Links: o.links, Profile: o.profile != "", Fail: o.fail}
	for _, k := range o.only {
		ro.Only = append(ro.Only, review.Kind(k))
	}
	var err error
	if ro.Accepted, err = readAccepted(ctx, c, o.accepted, today); err != nil {
		return nil, err
	}
	var p *profile.Profile
	if o.profile != "" {
		if p, err = openProfile(ctx, c, o.profile); err != nil {
			return nil, err
		}
	}
	set, err := from.Open(ctx)
	if err != nil {
		return nil, err
	}
	r, err := openDirectory(set.Service, dir, from.Options())
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }() // it was only read
	with := &review.Options{Months: o.months, Only: ro.Only}
	with.Today, _ = time.Parse(time.DateOnly, today) // a flag checks it
	if with.Versions, err = set.Store.Index(ctx); err != nil {
		return nil, err
	}
	if p != nil {
		with.Checks = append(with.Checks, reviews.Profile(p, r.State().Settings()))
	}
	var source *products.Source
	if o.links {
		agent := "datachain/" + c.Version().Version
		if home := r.State().Settings().URL; home != "" {
			agent += " (+" + home + ")"
		}
		client := fetch.New(&fetch.Options{AllowPrivate: o.private, UserAgent: agent})
		defer client.Close()
		with.Links = reviews.Links(client)
		about := []review.Kind{review.BaseGone, review.BaseNewer, review.BaseFar, review.LinkUnreachable}
		if ro.Only == nil || slices.ContainsFunc(ro.Only, func(k review.Kind) bool { return slices.Contains(about, k) }) {
			source = products.New(set.Service, client, c.Dir)
		}
	}
	with.Checks = append(with.Checks, reviews.Bases(r, c.Path(dir), source))
	bar := c.Progress("reviewing")
	defer bar.End()
	with.Progress = bar.Update
	found, err := review.Review(ctx, r, with)
	if err != nil {
		return nil, err
	}
	return &reviewAnswer{reviews.New(r.State(), found, ro)}, nil
}

// maxAccepted is the size of the largest file of accepted findings.
const maxAccepted = 8 << 20

// readAccepted reads the file of --accepted.
func readAccepted(ctx context.Context, c *console.Console, typed, today string) ([]reviews.Accepted, error) {
	if typed == "" {
		return nil, nil
	}
	text, err := readSmall(ctx, c, typed, maxAccepted)
	if err != nil {
		return nil, fmt.Errorf("--accepted %w", err)
	}
	list, err := reviews.ParseAccepted(text, today)
	if err != nil {
		return nil, fmt.Errorf("--accepted %s: %w", typed, err)
	}
	return list, nil
}
