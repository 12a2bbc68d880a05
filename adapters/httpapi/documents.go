package httpapi

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/datachain-go/datachain/internal/prose"

	"github.com/go-json-experiment/json"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// verdict is the body of a judgement. Warnings are missing where the shape of
// the document is wrong: then nobody has looked for any.
type verdict struct {
	OK       bool         `json:"ok"`
	Errors   issue.Issues `json:"errors,omitzero"`
	Warnings issue.Issues `json:"warnings,omitzero"`
}

func bodyOf(v *datachain.Verdict) ([]byte, error) {
	b := verdict{OK: v.OK(), Warnings: v.Warnings()}
	if !b.OK {
		b.Errors = v.Errors()
		if b.Errors[0].Code == issue.CodeParseError {
			b.Warnings = nil
		}
	}
	return json.Marshal(b)
}

func (a *api) validate(ctx context.Context, res *response, r *http.Request) error {
	return a.judge(ctx, res, r, typeJSON, func(schema *datachain.Schema, text []byte) (*datachain.Verdict, []byte, error) {
		v, err := schema.Validate(ctx, text, nil)
		return v, nil, err
	})
}

func (a *api) validateResolved(ctx context.Context, res *response, r *http.Request) error {
	return a.judge(ctx, res, r, typeJSON, func(schema *datachain.Schema, text []byte) (*datachain.Verdict, []byte, error) {
		v, err := schema.ValidateResolved(ctx, text, nil)
		return v, nil, err
	})
}

func (a *api) resolve(ctx context.Context, res *response, r *http.Request) error {
	return a.judge(ctx, res, r, typeJSON, func(schema *datachain.Schema, text []byte) (*datachain.Verdict, []byte, error) {
		v, bundle, err := schema.Resolve(ctx, text)
		if err != nil || bundle == nil {
			return v, nil, err
		}
		return v, bundle.AppendJSON(make([]byte, 0, bundle.Len())), nil
	})
}

// judge reads a document, has it judged, and answers with the body that results,
// or else with the verdict. The version is checked before the body is read.
func (a *api) judge(ctx context.Context, res *response, r *http.Request, contentType string, do func(*datachain.Schema, []byte) (*datachain.Verdict, []byte, error)) error {
	schema, err := a.service.Open(ctx, res.version)
	if err != nil {
		return err
	}
	made, err := a.made(ctx, res, r, func(text []byte) (*once, error) {
		v, body, err := do(schema, text)
		if err != nil {
			return nil, err
		}
		o := &once{contentType: contentType, contentHash: schema.Release().ContentHash().String()}
		if body == nil {
			o.contentType = typeJSON
			if body, err = bodyOf(v); err != nil {
				return nil, err
			}
		}
		o.encode(&a.compressor, r, body)
		return o, nil
	})
	if err != nil {
		return err
	}
	made.write(res)
	return nil
}

// made reads a document and makes an answer of it when there is a processor free,
// which is free again before the answer is sent: clients may be slow.
func (a *api) made(ctx context.Context, res *response, r *http.Request, do func(document []byte) (*once, error)) (*once, error) {
	body := a.bodies.borrow(http.MaxBytesReader(res, r.Body, a.MaxBody))
	defer body.giveBack()
	document, err := a.readBody(ctx, res, r, body)
	if err != nil {
		return nil, err
	}
	if err := a.work.enter(ctx); err != nil {
		return nil, err
	}
	defer a.work.leave()
	return do(document)
}

// readBody reads the body of a request, for as long and as much as is allowed.
func (a *api) readBody(ctx context.Context, res *response, r *http.Request, from io.Reader) ([]byte, error) {
	if coding := r.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return nil, problem(issue.CodeBadRequest, "send the body as it is, without Content-Encoding",
			"The body is encoded as %q, which is not read here.", prose.Plain(coding))
	}
	var body []byte
	var err error = &http.MaxBytesError{Limit: a.MaxBody}
	if r.ContentLength <= a.MaxBody { // else there is no need to see it
		body, err = io.ReadAll(from)
	}
	if err == nil {
		_ = http.NewResponseController(res).SetReadDeadline(time.Time{}) // some writers have none to set
		return body, nil
	}
	// The deadline stays: the server looks for the rest of the body. Unless the
	// connection is closed it does so before it answers.
	if r.ProtoMajor == 1 {
		res.Header().Set("Connection", "close")
	}
	if errors.Is(err, errBudget) {
		return nil, overloaded()
	}
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return nil, problem(issue.CodePayloadTooLarge, "send a smaller document", "The body has more than %d bytes.", a.MaxBody)
	}
	if errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return nil, problem(issue.CodeTimeout, "send the body faster", "The body took too long to arrive.")
	}
	return nil, problem(issue.CodeBadRequest, "send the whole body", "The body could not be read to its end.")
}

// once is an answer that nobody asks for twice.
type once struct {
	contentType, contentHash string
	answer                   answer
	body                     *encoded
	used                     encoding
}

// encode sets the body, in the encoding that the client likes best.
func (o *once) encode(c *compressor, r *http.Request, body []byte) {
	o.answer.bodies[identity].set(body)
	o.body, o.used = o.answer.encode(c, negotiate(r.Header["Accept-Encoding"]).best())
}

func (o *once) write(res *response) {
	h := res.Header()
	h["Content-Type"] = []string{o.contentType}
	h["Cache-Control"] = []string{"no-store"}
	h["Service-Content-Hash"] = []string{o.contentHash}
	h["Vary"] = varyEncoding
	h["Content-Length"] = o.body.length
	if o.used != identity {
		h["Content-Encoding"] = o.used.field()
	}
	res.WriteHeader(http.StatusOK)
	_, _ = res.Write(o.body.bytes) // a client that went away is nobody's failure
}
