package httpapi

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/httpcache"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/resolve"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// validateOptions reads the parameters of the routes that validate documents: strict, and include,
// which it sets in the response. Include can be positions, or one of also.
func validateOptions(res *response, r *http.Request, also ...string) (*datachain.ValidateOptions, error) {
	p, err := parameters(r, res.route)
	if err != nil {
		return nil, err
	}
	if text := p.get("include"); text != "" {
		known := append([]string{"positions"}, also...)
		res.include = strings.Split(text, ",")
		for _, item := range res.include {
			if !slices.Contains(known, item) {
				return nil, problem(issue.CodeBadRequest, "use "+wording.Or(known)+", or omit it", "The parameter include must be %s.", wording.Or(known))
			}
		}
		res.positions = slices.Contains(res.include, "positions") // of findings, and not in a document
		res.include = slices.DeleteFunc(res.include, func(item string) bool { return item == "positions" })
	}
	strict, err := p.boolean("strict")
	return &datachain.ValidateOptions{Strict: strict}, err
}

func (a *api) validate(ctx context.Context, res *response, r *http.Request) error {
	o, err := validateOptions(res, r)
	if err != nil {
		return err
	}
	return a.answerDocument(ctx, res, r, func(schema *datachain.Schema, text []byte, _ *buffer) (*datachain.Verdict, *httpcache.Answer, error) {
		v, err := schema.ValidateThin(ctx, text, o)
		return v, nil, err
	})
}

func (a *api) validateResolved(ctx context.Context, res *response, r *http.Request) error {
	o, err := validateOptions(res, r)
	if err != nil {
		return err
	}
	return a.answerDocument(ctx, res, r, func(schema *datachain.Schema, text []byte, _ *buffer) (*datachain.Verdict, *httpcache.Answer, error) {
		v, err := schema.ValidateResolved(ctx, text, o)
		return v, nil, err
	})
}

func (a *api) resolve(ctx context.Context, res *response, r *http.Request) error {
	o, err := validateOptions(res, r, "symbols")
	if err != nil {
		return err
	}
	return a.answerDocument(ctx, res, r, func(schema *datachain.Schema, text []byte, buf *buffer) (*datachain.Verdict, *httpcache.Answer, error) {
		v, bundle, err := schema.Resolve(ctx, text, &datachain.ResolveOptions{Strict: o.Strict})
		if err != nil || bundle == nil {
			return v, nil, err
		}
		start := len(buf.bytes)
		buf.bytes = bundle.AppendJSON(buf.bytes)
		if slices.Contains(res.include, "symbols") {
			text, err = resolve.WithSymbols(schema.Release(), buf.bytes[start:])
			if err != nil {
				return nil, nil, err
			}
			buf.bytes = append(buf.bytes[:start], text...)
		}
		return v, httpcache.NewResult(typeJSON, buf.bytes), nil
	})
}

// verdict returns the answer that is a verdict.
func verdict(v *datachain.Verdict, positions bool) (*httpcache.Answer, error) {
	switch {
	case len(v.Issues) == 0:
		return httpcache.NewResult(typeJSON, []byte(`{"ok":true,"warnings":[]}`)), nil
	case !positions:
		body, err := v.MarshalJSON()
		return httpcache.NewResult(typeJSON, body), err
	}
	b := struct {
		OK       bool      `json:"ok"`
		Errors   []finding `json:"errors,omitzero"`
		Warnings []finding `json:"warnings,omitzero"`
	}{OK: v.OK(), Warnings: []finding{}}
	for _, found := range v.Findings() {
		f := finding{found.Issue, newRange(found.Span)}
		if found.Severity == issue.SeverityError {
			b.Errors = append(b.Errors, f)
		} else {
			b.Warnings = append(b.Warnings, f)
		}
	}
	if !b.OK && b.Errors[0].Code == codes.ParseError {
		b.Warnings = nil
	}
	body, err := json.Marshal(b)
	return httpcache.NewResult(typeJSON, body), err
}

// finding is an issue with its place in the document, if positions are requested.
type finding struct {
	issue.Issue
	Range *textRange `json:"range,omitzero"`
}

type textRange struct {
	Start textPoint `json:"start"`
	End   textPoint `json:"end"`
}

// textPoint is a place as editors count it, from 0: characters are UTF-16 code units, and
// the offset is in bytes.
type textPoint struct {
	Line      int `json:"line"`
	Character int `json:"character"`
	Offset    int `json:"offset"`
}

func newRange(s document.Span) *textRange {
	point := func(p document.Point) textPoint { return textPoint{p.Line - 1, p.UTF16 - 1, p.Offset} }
	return &textRange{point(s.Start), point(s.End)}
}

// An answerFunc makes an answer of a document, or returns nil to answer with the verdict. The schema
// is nil if the path names no version. The body of the answer may be in the buffer, which is used
// again after it is sent.
type answerFunc func(schema *datachain.Schema, text []byte, into *buffer) (*datachain.Verdict, *httpcache.Answer, error)

// answerDocument reads a document and answers with what becomes of it, or else with the
// verdict. The version is checked before the body is read.
func (a *api) answerDocument(ctx context.Context, res *response, r *http.Request, do answerFunc) error {
	var schema *datachain.Schema
	if res.version != "" {
		var err error
		if schema, err = a.open(ctx, res); err != nil {
			return err
		}
	}
	buf := a.buffers.get()
	defer a.buffers.put(buf)
	ans, err := a.process(ctx, res, r, func(text []byte) (*httpcache.Answer, error) {
		v, ans, err := do(schema, text, buf)
		if err == nil && ans == nil {
			if syntax := v.SyntaxError(); syntax != nil {
				return nil, syntax
			}
			ans, err = verdict(v, res.positions)
		}
		if err != nil {
			return nil, err
		}
		ans.Prepare(r)
		return ans, nil
	})
	if err != nil {
		return err
	}
	if schema != nil {
		ans.With("Service-Content-Hash", schema.Release().ContentHash().String())
	}
	return a.write(res, r, nil, ans)
}

// process reads a document and processes it as soon as a processor is free. It frees the processor
// and the memory of the document before the answer is sent, since clients may be slow. So the answer
// must not refer to the document.
func (a *api) process(ctx context.Context, res *response, r *http.Request, do func(document []byte) (*httpcache.Answer, error)) (*httpcache.Answer, error) {
	body := &countedBody{Reader: http.MaxBytesReader(res, r.Body, a.MaxBody), quota: a.bodies, client: res.clientKey}
	defer body.release()
	document := a.buffers.get()
	defer a.buffers.put(document)
	if err := a.readBody(ctx, res, r, body, document); err != nil {
		return nil, err
	}
	end, _ := ctx.Deadline()
	if err := a.work.enter(r.Context(), end, res.clientKey); err != nil {
		return nil, err
	}
	defer a.work.leave()
	return do(document.bytes)
}

// readBody reads the body of a request within its limits.
func (a *api) readBody(ctx context.Context, res *response, r *http.Request, from io.Reader, buf *buffer) error {
	if coding := r.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return problem(issue.CodeBadRequest, "send the body without Content-Encoding",
			"The encoding %q of the body is not supported.", wording.Plain(coding))
	}
	var err error = &http.MaxBytesError{Limit: a.MaxBody}
	if r.ContentLength <= a.MaxBody {
		err = buf.readAll(from, r.ContentLength)
	}
	if err == nil {
		_ = http.NewResponseController(res).SetReadDeadline(time.Time{}) // not all writers support it
		return nil
	}
	// The read deadline stays, because the server reads the rest of the body
	// before it answers, unless the connection is to be closed.
	if r.ProtoMajor == 1 {
		res.Header().Set("Connection", "close")
	}
	if errors.Is(err, errBodies) {
		return overloaded()
	}
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return problem(issue.CodePayloadTooLarge, "send a smaller document", "The body is larger than %d bytes.", a.MaxBody)
	}
	if errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return problem(issue.CodeTimeout, "send the body faster", "The body took too long to arrive.")
	}
	return problem(issue.CodeBadRequest, "send the whole body", "The body is incomplete.")
}
