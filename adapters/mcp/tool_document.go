package mcp

import (
	"bytes"
	"context"
	"errors"
	"slices"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/view"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

func (s *Server) validateDatachain(ctx context.Context, c *call) error {
	v, err := c.schema.Validate(ctx, c.datachain, nil)
	return c.judged(v, nil, err)
}

func (s *Server) validateResolved(ctx context.Context, c *call) error {
	v, err := c.schema.ValidateResolved(ctx, c.datachain, nil)
	return c.judged(v, nil, err)
}

func (s *Server) resolveDatachain(ctx context.Context, c *call) error {
	v, bundle, err := c.schema.Resolve(ctx, c.datachain, nil)
	var data []byte
	if bundle != nil {
		data = bundle.AppendJSON(make([]byte, 0, bundle.Len()))
	}
	return c.judged(v, data, err)
}

// upgradeDatachain answers with the new document and the report, also if something is
// left to do.
func (s *Server) upgradeDatachain(ctx context.Context, c *call) error {
	result, err := c.schema.Upgrade(ctx, c.datachain, &datachain.UpgradeOptions{From: c.text("from"), Drop: c.text("drop") == "true"})
	if err != nil {
		return err
	}
	if !result.OK() {
		c.errors = result.Errors()
	}
	c.meta.Warnings = wireIssues(slices.Concat(c.warnings, result.Issues.With(issue.SeverityWarning)))
	c.meta.Notice = notice
	c.data, err = result.AppendData(nil)
	return err
}

// judged answers with a verdict on a document: with data if it is valid, with
// warnings if there is none, else with the errors.
func (c *call) judged(v *datachain.Verdict, data []byte, err error) error {
	if err != nil {
		return err
	}
	c.errors = v.Errors()
	warnings := wireIssues(slices.Concat(c.warnings, v.Warnings()))
	if len(c.errors) == 0 || c.errors[0].Code != issue.CodeParseError {
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

// maxPage is the largest page that is kept, and maxFragment the largest part of
// one that is sent with the result.
const (
	maxPage     = 4 << 20
	maxFragment = 1 << 20
)

func (s *Server) renderDatachain(ctx context.Context, c *call) error {
	locale := c.text("locale")
	if err := datachain.CheckLocale(locale); err != nil {
		c.meta = meta{}
		return err
	}
	v, shown, err := c.schema.Present(ctx, c.datachain)
	if err := c.judged(v, nil, err); err != nil || shown == nil {
		return err
	}
	var page, fragment bytes.Buffer
	summary, err := view.Write(&page, shown, &view.Options{Locale: locale, MaxBytes: maxPage})
	if errors.Is(err, view.ErrTooLarge) {
		return tooLarge("place fewer elements, or split the datachain", "The page has more than %d bytes.", maxPage)
	}
	if err != nil {
		return err
	}
	if i, wrong := otherLanguage(locale, summary.Locale, shown.Release); wrong {
		c.meta.Warnings = append(c.meta.Warnings, wireIssues(issue.Issues{i})...)
	}
	if err := s.options.Slots.Put(ctx, c.session, page.Bytes()); err != nil {
		return &datachain.Error{Issue: issue.Issue{Code: issue.CodeUpstreamError, Message: "The page can't be stored.", FixHint: "try again in a moment"}, Err: err}
	}
	c.extra = map[string]any{"ui": map[string]any{"resourceUri": viewURI}}
	// A host that read the view before the tool ran replaces its content with
	// the fragment.
	if _, err := view.Fragment(&fragment, shown, &view.Options{Locale: locale, MaxBytes: maxFragment}); err == nil {
		c.extra[view.FragmentKey] = fragment.String()
	}
	c.data = appendJSON(nil, struct {
		ResourceURI  string      `json:"resource_uri"`
		SectionCount int         `json:"section_count"`
		ElementCount int         `json:"element_count"`
		Warnings     []wireIssue `json:"warnings"`
	}{viewURI, summary.Sections, summary.Elements, c.meta.Warnings})
	return nil
}
