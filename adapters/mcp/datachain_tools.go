package mcp

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/resolve"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

func (s *Server) validateDatachain(ctx context.Context, c *call) error {
	v, err := c.schema.ValidateThin(ctx, c.datachain, nil)
	return c.answerVerdict(v, nil, err)
}

func (s *Server) validateResolved(ctx context.Context, c *call) error {
	v, err := c.schema.ValidateResolved(ctx, c.datachain, nil)
	return c.answerVerdict(v, nil, err)
}

func (s *Server) resolveDatachain(ctx context.Context, c *call) error {
	v, bundle, err := c.schema.Resolve(ctx, c.datachain, nil)
	var data []byte
	if bundle != nil {
		data = bundle.AppendJSON(make([]byte, 0, bundle.Len()))
		if slices.Contains(c.list("include"), "symbols") {
			data, err = resolve.WithSymbols(c.release(), data)
		}
	}
	return c.answerVerdict(v, data, err)
}

// maxFindings is how many errors, and how many warnings, an answer lists. Models pay for
// each, and a thousand of them mostly have one cause.
const maxFindings = 100

// firstFindings returns the first findings, and one that counts the others.
func firstFindings(list issue.Issues) issue.Issues {
	remaining := len(list) - maxFindings
	if remaining <= 0 {
		return list
	}
	message := "Findings that are not listed: %d."
	if list[len(list)-1].Code == codes.TooManyFindings { // which stands for at least one
		message = "Findings that are not listed: at least %d."
	}
	return append(slices.Clone(list[:maxFindings]), issue.Issue{
		Code: codes.TooManyFindings, Severity: list[0].Severity, Path: issue.Root,
		Message: fmt.Sprintf(message, remaining), FixHint: "fix these first, then call the tool again",
	})
}

// answerVerdict answers with a verdict on a document: the errors or, if it is valid, the data,
// which default to the warnings.
func (c *call) answerVerdict(v *datachain.Verdict, data []byte, err error) error {
	if err != nil {
		return err
	}
	if syntax := v.SyntaxError(); syntax != nil {
		return syntax
	}
	c.errors = firstFindings(v.Errors())
	warnings := wireIssues(slices.Concat(c.warnings, firstFindings(v.Warnings())))
	if len(c.errors) == 0 || c.errors[0].Code != codes.ParseError {
		c.meta.Warnings = warnings
	}
	if c.data = data; data == nil && len(c.errors) == 0 {
		c.data = append(appendJSON([]byte(`{"warnings":`), warnings), '}')
	}
	if data != nil || len(c.errors) > 0 || len(warnings) > 0 {
		c.meta.Notice = notice
	}
	return nil
}

func (s *Server) renderDatachain(ctx context.Context, c *call) error {
	locale := c.text("locale")
	if err := datachain.Check("locale", locale); err != nil {
		c.meta = meta{}
		return err
	}
	v, shown, err := c.schema.Present(ctx, c.datachain)
	if err := c.answerVerdict(v, nil, err); err != nil || shown == nil {
		return err
	}
	page, err := s.options.View.Render(ctx, shown, locale)
	if errors.Is(err, ErrPageTooLarge) {
		return tooLarge("place fewer elements, or split the datachain", "The page has more than %d bytes.", MaxPage)
	}
	if err != nil {
		return err
	}
	if i, wrong := otherLanguage(locale, page.Locale, shown.Release); wrong {
		c.meta.Warnings = append(c.meta.Warnings, wireIssues(issue.Issues{i})...)
	}
	err = s.options.Slots.Put(ctx, c.session, page.HTML)
	if kept, ok := errors.AsType[interface {
		error
		Kept() bool
	}](err); ok && kept.Kept() {
		c.meta.Warnings = append(c.meta.Warnings, wireIssues(issue.Issues{{
			Code: issue.CodeUpstreamError, Severity: issue.SeverityWarning,
			Message: "Other servers do not have the page: the storage that servers share is unreachable.",
			FixHint: "if the page does not appear, render it again in a moment",
		}})...)
	} else if err != nil {
		return &datachain.Error{Issue: issue.Issue{Code: issue.CodeUpstreamError, Message: "The page can't be stored.", FixHint: "try again in a moment"}, Err: err}
	}
	c.page = page
	c.data = appendJSON(nil, struct {
		ResourceURI  string      `json:"resource_uri"`
		SectionCount int         `json:"section_count"`
		ElementCount int         `json:"element_count"`
		Warnings     []wireIssue `json:"warnings"`
	}{viewURI, page.Sections, page.Elements, c.meta.Warnings})
	return nil
}
