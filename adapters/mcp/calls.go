package mcp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/view"
	"github.com/datachain-go/datachain/export/crosswalk"
	"github.com/datachain-go/datachain/export/lists"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// tool is an operation of the service, as a model sees it. If it takes a version,
// that is opened before it runs.
type tool struct {
	name, title string
	// description is for a model that does not know datachains.
	description string
	arguments   []argument
	// data describes the data of an answer.
	data string
	// work means that it processes a document, which takes CPU time.
	work bool
	// meta is JSON for hosts.
	meta jsontext.Value
	// schema is that of the arguments if a program has added the tool, which reads them itself;
	// changes means that it may change something.
	schema  jsontext.Value
	changes bool
	run     func(*Server, context.Context, *call) error
}

// toolDefinitions describe the tools to clients, sorted by name.
func toolDefinitions(tools []tool) any {
	type definition struct {
		Meta         jsontext.Value `json:"_meta,omitzero"`
		Annotations  jsontext.Value `json:"annotations"`
		Description  string         `json:"description"`
		InputSchema  jsontext.Value `json:"inputSchema"`
		Name         string         `json:"name"`
		OutputSchema jsontext.Value `json:"outputSchema"`
		Title        string         `json:"title"`
	}
	var all []definition
	for _, t := range tools {
		hints := []byte(`{"destructiveHint":false,"idempotentHint":true,"openWorldHint":false,"readOnlyHint":true,"title":`)
		if t.changes {
			hints = []byte(`{"title":`)
		}
		schema := t.schema
		if schema == nil {
			schema = inputSchema(t.arguments)
		}
		all = append(all, definition{t.meta, append(appendJSON(hints, t.title), '}'), t.description, schema, t.name, outputSchema(t.data), t.title})
	}
	slices.SortFunc(all, func(a, b definition) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

// callTool answers with the envelope of a tool, as text and as JSON.
func (s *Server) callTool(ctx context.Context, r *request, b []byte) ([]byte, *problem) {
	t, p := find("tool", s.tools(), func(t *tool) string { return t.name }, r.params.text("name"))
	if p != nil {
		return nil, p
	}
	c := &call{caller: r.caller, tool: t, values: make(map[string]value)}
	if c.errors = c.readArguments(r.message); c.errors != nil {
		c.failed = true
	} else if err := s.run(ctx, c); err != nil {
		s.report(ctx, c.tool.name, err)
		c.fail(c.finding(err))
	}
	text := c.answer()
	if len(text) > s.options.MaxAnswer {
		c.fail(tooLarge("ask for less: fewer fields, one of locales, or a smaller limit",
			"The answer has %d bytes, more than the limit of %d.", len(text), s.options.MaxAnswer).Issue)
		text = c.answer()
	}
	b = slices.Grow(b, 2*len(text)+len(text)/4+1<<10)
	return s.contents(b, r, &c.envelope, func(b []byte) []byte {
		b = appendText(append(b, `"content":[{"type":"text","text":`...), text)
		b = appendSafe(append(b, `}],"structuredContent":`...), text)
		if c.failed {
			b = append(b, `,"isError":true`...)
		}
		return b
	}), nil
}

// call is a call of a tool: its arguments, and the answer that the tool writes.
type call struct {
	*caller
	tool   *tool
	values map[string]value
	// datachain is the document as it was sent, byte for byte, and arguments are all arguments.
	datachain []byte
	arguments jsontext.Value
	// warnings are about arguments that are accepted all the same.
	warnings issue.Issues
	schema   *datachain.Schema // nil if the tool takes no version
	envelope
}

func (c *call) release() *taxonomy.Release { return c.schema.Release() }

// run runs the tool.
func (s *Server) run(ctx context.Context, c *call) (err error) {
	if version := cmp.Or(c.text(argVersion.name), c.text(argTo.name)); version != "" && c.tool.schema == nil {
		if c.schema, err = s.service.Open(ctx, version); err != nil {
			return err
		}
		c.meta = meta{Version: c.release().Version().String(), ContentHash: c.release().ContentHash().String()}
	}
	if c.tool.work { // after opening, so that a slow store takes no place of a document
		select {
		case s.work <- struct{}{}:
			defer func() { <-s.work }()
		case <-ctx.Done():
			return &datachain.Error{Issue: issue.Issue{Code: codes.Overloaded, Message: "The server is overloaded.", FixHint: "try again in a second"}, Err: ctx.Err()}
		}
	}
	return c.tool.run(s, ctx, c)
}

// answer returns the envelope as it is sent. Warnings about arguments are in every
// answer, since they may explain a failure.
func (c *call) answer() []byte {
	if c.meta.Warnings == nil && len(c.warnings) > 0 {
		c.meta.Warnings = wireIssues(c.warnings)
	}
	return c.json()
}

// finding says what an error of the service means for a call: with the codes and
// arguments of tools, and hints that name tools.
func (c *call) finding(err error) issue.Issue {
	known, ok := errors.AsType[*datachain.Error](err)
	if !ok {
		return internalIssue
	}
	i := known.Issue
	if known.Kind == datachain.KindFailure {
		return i
	}
	const versions, find = "use a version from list_schema_versions", "find it with list_elements"
	missing := known.Kind == datachain.KindUnknown
	i.Code, i.Message, i.Path = codes.InvalidArguments, wording.Cut(i.Message, 300), issue.Root.Key(known.Param)
	switch known.Param {
	case "version", "from":
		if known.Param == "version" && c.values[argTo.name].kind != 0 {
			i.Path = issue.Root.Key(argTo.name)
		}
		if missing {
			i.Code = codes.UnknownVersion
		}
		if len(known.Known) == 0 {
			i.FixHint = versions
		} else if !missing {
			i.FixHint = versions + ", such as " + known.Known[0]
		}
	case "element_id":
		if ids := c.list(argElementIDs.name); ids != nil {
			i.Path = issue.Root.Key(argElementIDs.name).Index(slices.IndexFunc(ids, func(id string) bool { return !ident.IsElementID(id) }))
		}
		if missing {
			i.Code, i.FixHint = codes.ElementNotFound, find
		}
		if len(known.Known) > 0 {
			i.FixHint = "use " + wording.Or(known.Known) + ", or " + find
		}
	case "ids":
		i.Code, i.Path = codes.ElementIDsTooMany, issue.Root.Key(argElementIDs.name)
	case "variant":
		i.Code = codes.UnknownVariant
	case "document":
		i.Path = issue.Root.Key(argDatachain.name)
		if wrong, ok := errors.AsType[*document.SyntaxError](err); ok {
			i.Path, i.Message = slices.Concat(i.Path, wrong.Path), wording.Cut("The datachain is not strict JSON: "+wrong.Reason, 300)+"."
		}
	}
	return i
}

func tooLarge(hint, format string, args ...any) *datachain.Error {
	return &datachain.Error{Issue: issue.Issue{Code: issue.CodePayloadTooLarge, Message: fmt.Sprintf(format, args...), FixHint: hint}}
}

// report logs a failure that the client did not cause, by its arguments or by
// disconnecting.
func (s *Server) report(ctx context.Context, what string, err error) {
	if errors.Is(ctx.Err(), context.Canceled) {
		return
	}
	if known, ok := errors.AsType[*datachain.Error](err); ok {
		switch known.Issue.Code {
		case issue.CodeTimeout, issue.CodeUpstreamError, issue.CodeInternalError:
		default:
			return
		}
	}
	s.options.Logger.ErrorContext(ctx, "tool failed", "tool", what, "error", err)
}

func (s *Server) listSchemaVersions(ctx context.Context, c *call) error {
	index, err := s.service.Versions(ctx)
	if err != nil {
		return err
	}
	last := s.listed.Load()
	if last == nil || !last.index.Equal(index) {
		text, err := index.MarshalJSON() // {"versions": […], "retired": […]}
		if err != nil {
			return err
		}
		last = &listing{index, text}
		s.listed.Store(last)
	}
	c.data = last.text
	return nil
}

// listing is an index with its JSON.
type listing struct {
	index *taxonomy.Index
	text  []byte
}

// begin begins the data of an answer about a version, up to the value of a member.
func (c *call) begin(member string) []byte {
	b := appendJSON([]byte(`{"version":`), c.release().Version().String())
	return append(b, `,"`+member+`":`...)
}

// paged describes a page of a list.
func (c *call) paged(total, returned int, next string) {
	c.meta.Total, c.meta.Returned = &total, &returned
	if c.meta.lastPage = next == ""; !c.meta.lastPage {
		c.meta.NextCursor = &next
	}
}

// show returns the part of elements to show; fields are the usual ones.
func (c *call) show(fields []string) lists.Projection {
	if list := c.list("fields"); list != nil {
		fields = list
	} else if c.text("fields") == lists.AllFields {
		fields = nil
	}
	return lists.Projection{Fields: fields, Locales: c.list("locales")}
}

func (s *Server) getSchema(_ context.Context, c *call) error {
	full, r := c.text("include") == "full" && c.text("scheme") == "", c.release()
	if full && r.Len() > s.options.MaxAnswer {
		return tooLarge("omit include, and page through list_elements", "The whole version has %d bytes, more than the limit of %d.", r.Len(), s.options.MaxAnswer)
	}
	c.warnLocales()
	if state := c.schema.State(); state.Deprecated != "" {
		found := issue.Issue{
			Code: codes.SchemaVersionDeprecated, Severity: issue.SeverityWarning, Path: issue.Root.Key("version"),
			Message: fmt.Sprintf("The schema version %s %s.", r.Version(), state.Notice()),
		}
		if !state.Successor.IsZero() {
			found.FixHint = "use " + state.Successor.String()
		}
		c.meta.Warnings = append(c.meta.Warnings, wireIssues(issue.Issues{found})...)
	}
	show := c.show(nil)
	if scheme := c.text("scheme"); scheme != "" {
		mappings, err := crosswalk.Mappings(r, scheme, "")
		if err != nil {
			c.warnScheme(scheme)
		}
		b, err := crosswalk.AppendMappings(c.begin("mappings"), mappings, show.Append)
		b = append(b, '}')
		c.data = b
		return err
	}
	b := show.Append(c.begin("manifest"), r.ManifestJSON())
	b = show.Append(append(b, `,"datachain_type":`...), r.TypeJSON())
	b = lists.AppendCategories(append(b, `,"categories":`...), r, show)
	if full {
		b = lists.AppendElements(append(b, `,"elements":`...), r, r.Elements(), show)
		b = lists.AppendSymbols(append(b, `,"symbols":`...), r)
	}
	b = append(b, '}')
	c.data = b
	return nil
}

func (s *Server) listCategories(_ context.Context, c *call) error {
	c.warnLocales()
	c.data = append(lists.AppendCategories(c.begin("categories"), c.release(), c.show(nil)), '}')
	return nil
}

func (s *Server) listElements(ctx context.Context, c *call) error {
	page, err := c.schema.Elements(ctx, datachain.ElementQuery{
		Lenient: true, CategoryID: c.text("category_id"), Text: c.text("query"), Locale: c.text("locale"), Limit: c.number("limit"), Cursor: c.text("cursor"),
	})
	if err != nil {
		return err
	}
	returned := len(page.Elements)
	c.paged(page.Total, returned, page.NextCursor)
	c.warnCategory()
	c.warnLocale(page.Total)
	c.warnLocales()
	c.warnFields(page.Elements)
	const usual = 256 // bytes of an element in a list
	b := slices.Grow(c.begin("elements"), usual*returned)
	show := c.show(lists.ListFields())
	c.data = append(lists.AppendElements(b, c.schema.Release(), page.Elements, show), '}')
	return nil
}

func (s *Server) getElement(_ context.Context, c *call) error {
	found, err := c.schema.Element(c.text("element_id"))
	if err != nil {
		return err
	}
	c.warnLocales()
	c.warnFields([]*taxonomy.Element{found})
	c.data = append(c.show(nil).Append(c.begin("element"), c.release().ElementJSON(found.ID)), '}')
	return nil
}

// maxHints is how many unknown ids get a hint with the nearest known ones, since
// that compares them with every element.
const maxHints = 10

func (s *Server) getElements(_ context.Context, c *call) error {
	asked := c.list(argElementIDs.name)
	found, err := c.schema.ElementsByID(asked)
	if err != nil {
		return err
	}
	c.warnLocales()
	c.warnFields(found.Elements)
	show := c.show(nil)
	b := append(c.begin("elements"), '{')
	for i, id := range found.IDs {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendJSON(b, id), ':')
		if _, ok := c.release().Element(id); ok {
			b = show.Append(b, c.release().ElementJSON(id))
		} else {
			b = append(b, "null"...)
		}
	}
	b = append(b, "}}"...)
	c.data = b
	for i, id := range found.Missing {
		finding := issue.Issue{Code: codes.ElementNotFound, Message: "There is no element " + id + " in " + c.release().Version().String() + ".", FixHint: "find it with list_elements"}
		if i < maxHints {
			_, err := c.schema.Element(id)
			finding = c.finding(err)
		}
		finding.Path = issue.Root.Key(argElementIDs.name).Index(slices.Index(asked, id))
		c.errors = append(c.errors, finding)
	}
	return nil
}

func (s *Server) getIconURL(ctx context.Context, c *call) error {
	const typeSVG = "image/svg+xml"
	found, err := c.schema.Element(c.text("element_id"))
	if err != nil {
		return err
	}
	variant := cmp.Or(c.text("variant"), taxonomy.VariantDefault)
	if known := found.IconVariants; !slices.Contains(known, variant) {
		return &datachain.Error{Kind: datachain.KindUnknown, Param: "variant", Known: known, Err: taxonomy.ErrNotFound, Issue: issue.Issue{
			Code: issue.CodeNotFound, Message: "The element " + found.ID + " has no icon variant " + wording.Clip(variant) + ".", FixHint: "use " + wording.Or(known),
		}}
	}
	suffix := ""
	if variant != taxonomy.VariantDefault {
		suffix = "." + variant
	}
	url := c.base + "/api/v2/schemas/" + c.release().Version().String() + "/elements/" + found.ID + "/icon" + suffix + ".svg"
	if c.base == "" { // no REST API is known, so the icon comes whole
		icon, err := c.schema.Icon(ctx, found.ID, variant)
		if err != nil {
			return err
		}
		url = "data:" + typeSVG + ";base64," + base64.StdEncoding.EncodeToString(icon.SVG)
	}
	c.data = appendJSON(nil, struct {
		URL           string   `json:"url"`
		ContentType   string   `json:"content_type"`
		Variant       string   `json:"variant"`
		ValidVariants []string `json:"valid_variants"`
	}{url, typeSVG, variant, found.IconVariants})
	return nil
}

func (s *Server) validateDatachain(ctx context.Context, c *call) error {
	v, err := c.schema.Validate(ctx, c.datachain, nil)
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
		if data, err = s.options.Prover.Include(ctx, c.release(), data, c.list("include")...); errors.Is(err, taxonomy.ErrNotFound) {
			return &datachain.Error{Issue: issue.Issue{
				Code: issue.CodeNotFound, Path: issue.Root.Key("include"),
				Message: "There is no proof: the store has no signed log, or the log does not have this version.",
				FixHint: "omit proof, or serve a store in which the version was published with a key",
			}}
		}
	}
	return c.answerVerdict(v, data, err)
}

// upgradeDatachain answers with the new document and the report, also if something is
// left to do.
func (s *Server) upgradeDatachain(ctx context.Context, c *call) error {
	result, err := c.schema.Upgrade(ctx, c.datachain, &datachain.UpgradeOptions{From: c.text("from"), Drop: c.text("drop") == "true"})
	if err != nil {
		return err
	}
	if !result.OK() {
		c.errors = listed(result.Errors())
	}
	c.meta.Warnings = wireIssues(slices.Concat(c.warnings, listed(result.Issues.With(issue.SeverityWarning))))
	c.meta.Notice = notice
	c.data = append(append([]byte(`{"document":`), result.Document.Root().Raw()...), `,"report":`...)
	c.data = append(appendJSON(c.data, &result.Report), '}')
	return nil
}

// maxFindings is how many errors, and how many warnings, an answer lists. Models pay for
// each, and a thousand of them mostly have one cause.
const maxFindings = 100

// listed returns the first findings, and one that counts the others.
func listed(list issue.Issues) issue.Issues {
	left := len(list) - maxFindings
	if left <= 0 {
		return list
	}
	message := "Findings that are not listed: %d."
	if list[len(list)-1].Code == codes.TooManyFindings { // which stands for at least one
		message = "Findings that are not listed: at least %d."
	}
	return append(slices.Clone(list[:maxFindings]), issue.Issue{
		Code: codes.TooManyFindings, Severity: list[0].Severity, Path: issue.Root,
		Message: fmt.Sprintf(message, left), FixHint: "fix these first, then call the tool again",
	})
}

// answerVerdict answers with a verdict on a document: with data if it is valid, with
// warnings if there is none, else with the errors.
func (c *call) answerVerdict(v *datachain.Verdict, data []byte, err error) error {
	if err != nil {
		return err
	}
	c.errors = listed(v.Errors())
	warnings := wireIssues(slices.Concat(c.warnings, listed(v.Warnings())))
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

// maxPage is the largest page that is kept, and maxFragment the largest part of
// one that is sent with the result.
const (
	maxPage     = 4 << 20
	maxFragment = 1 << 20
)

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
	page, summary, err := view.Append(nil, shown, &view.Options{Locale: locale, Languages: true, MaxBytes: maxPage})
	if errors.Is(err, view.ErrTooLarge) {
		return tooLarge("place fewer elements, or split the datachain", "The page has more than %d bytes.", maxPage)
	}
	if err != nil {
		return err
	}
	if i, wrong := otherLanguage(locale, summary.Locale, shown.Release); wrong {
		c.meta.Warnings = append(c.meta.Warnings, wireIssues(issue.Issues{i})...)
	}
	err = s.options.Slots.Put(ctx, c.session, page)
	if kept, ok := errors.AsType[interface {
		error
		Kept() bool
	}](err); ok && kept.Kept() {
		c.meta.Warnings = append(c.meta.Warnings, wireIssues(issue.Issues{{
			Code: issue.CodeUpstreamError, Severity: issue.SeverityWarning,
			Message: "Only this server has the page for now: the storage that servers share is unreachable.",
			FixHint: "if the page does not appear, render it again in a moment",
		}})...)
	} else if err != nil {
		return &datachain.Error{Issue: issue.Issue{Code: issue.CodeUpstreamError, Message: "The page can't be stored.", FixHint: "try again in a moment"}, Err: err}
	}
	c.rendered = true
	// A host that read the view before the tool ran replaces its content with
	// the fragment.
	if fragment := fragmentOf(page); len(fragment) <= maxFragment {
		c.fragment = fragment
	} else if page, _, err = view.Append(nil, shown, &view.Options{Locale: locale, MaxBytes: maxPage}); err == nil && len(fragmentOf(page)) <= maxFragment {
		c.fragment = fragmentOf(page)
	}
	c.data = appendJSON(nil, struct {
		ResourceURI  string      `json:"resource_uri"`
		SectionCount int         `json:"section_count"`
		ElementCount int         `json:"element_count"`
		Warnings     []wireIssue `json:"warnings"`
	}{viewURI, summary.Sections, summary.Elements, c.meta.Warnings})
	return nil
}

// fragmentOf returns the main elements of a page, as [view.Fragment] writes them.
func fragmentOf(page []byte) []byte {
	const end = "</main>"
	return page[bytes.Index(page, []byte("<main ")) : bytes.LastIndex(page, []byte(end))+len(end)]
}

const (
	viewURI  = "ui://service/datachain/view.html"
	viewName = "Datachain View"
	viewType = "text/html;profile=mcp-app"
	// viewMeta tells hosts that the page loads nothing.
	viewMeta = `{"ui":{"csp":{"connectDomains":[],"resourceDomains":[]},"prefersBorder":false}}`
	viewList = `[{"_meta":` + viewMeta + `,"description":"The datachain that render_datachain showed last in this session, as a page.",` +
		`"mimeType":"` + viewType + `","name":"` + viewName + `","title":"` + viewName + `","uri":"` + viewURI + `"}]`
)

// readResource answers with the page that a session rendered last.
func (s *Server) readResource(ctx context.Context, r *request, b []byte) ([]byte, *problem) {
	uri := r.params.text("uri")
	if state := s.state(); state != nil && strings.HasPrefix(uri, documentURI) {
		return s.readDocument(ctx, r, b, state, uri)
	}
	if uri != viewURI {
		p := unknown("resource", uri, []string{viewURI})
		if s.state() != nil {
			p.issue.FixHint = "use " + viewURI + ", or the URI of a document from resources/list"
		}
		if len(uri) <= 1<<10 {
			p.extra = appendJSON([]byte(`"uri":`), uri)
		}
		return nil, p
	}
	html, ok, err := s.options.Slots.Get(ctx, r.session)
	if err != nil {
		s.options.Logger.ErrorContext(ctx, "slots failed", "error", err)
		return nil, unavailable(0, issue.Issue{Code: issue.CodeUpstreamError, Message: "The page can't be read.", FixHint: "try again in a moment"})
	}
	if !ok {
		var b bytes.Buffer
		if err := view.Placeholder(&b); err != nil {
			panic(err)
		}
		html = b.Bytes()
	}
	// The next call may render another page: clients must not keep this one.
	return s.contents(b, r, nil, func(b []byte) []byte {
		b = append(b, `"ttlMs":0,"cacheScope":"private","contents":[{"uri":"`+viewURI+`","mimeType":"`+viewType+`","text":`...)
		return append(appendText(b, html), `,"_meta":`+viewMeta+`}]`...)
	}), nil
}
