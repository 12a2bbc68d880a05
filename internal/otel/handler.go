//go:build full

package otel

import (
	"context"
	"maps"
	"net/http"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	api "go.opentelemetry.io/otel/trace"

	"github.com/datachain-go/datachain/internal/web"
)

// Attributes of spans that no convention names.
const (
	schemaVersion = attribute.Key("datachain.schema_version")
	requestID     = attribute.Key("datachain.request_id")
)

// maxText is the length of the longest attribute, so that queued spans have a
// bounded size.
const maxText = 256

// Handler returns a handler that makes a span for each request of another. The span
// continues the trace of the client, if it sent a traceparent, and its name is the
// pattern that the other handler sets in the request. That handler sees a
// traceparent that names the span.
func (e *Export) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		method := knownMethod(r.Method)
		ctx, span := e.tracer.Start(parent(r), spanName(method, ""), api.WithSpanKind(api.SpanKindServer),
			api.WithAttributes(semconv.HTTPRequestMethodKey.String(method), semconv.URLPath(shorten(r.URL.EscapedPath()))))
		r = r.WithContext(ctx)
		r.Header = maps.Clone(r.Header)
		r.Header.Del("Tracestate")
		propagation.TraceContext{}.Inject(ctx, propagation.HeaderCarrier(r.Header))
		if !span.IsRecording() {
			next.ServeHTTP(w, r)
			return
		}
		answer := &recorder{ResponseWriter: w}
		defer func() { answer.finish(span, method, r) }()
		next.ServeHTTP(answer, r)
		answer.complete = true
	})
}

// parent returns the context of a request with the span of its client.
func parent(r *http.Request) context.Context {
	o := web.ReadTrace("", r.Header)
	if o.Parent == "" {
		return r.Context()
	}
	return propagation.TraceContext{}.Extract(r.Context(), propagation.MapCarrier{"traceparent": o.Parent, "tracestate": o.State})
}

// recorder is a response that remembers its status.
type recorder struct {
	http.ResponseWriter
	status   int
	complete bool // false after a panic
}

// WriteHeader implements [http.ResponseWriter].
func (a *recorder) WriteHeader(status int) {
	if a.status == 0 && status >= http.StatusOK {
		a.status = status
	}
	a.ResponseWriter.WriteHeader(status)
}

// Write implements [http.ResponseWriter].
func (a *recorder) Write(p []byte) (int, error) {
	if a.status == 0 {
		a.status = http.StatusOK
	}
	return a.ResponseWriter.Write(p)
}

// Unwrap gives [http.ResponseController] the writer underneath.
func (a *recorder) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// finish ends the span of a request.
func (a *recorder) finish(span api.Span, method string, r *http.Request) {
	defer span.End()
	if r.Pattern != "" {
		span.SetName(spanName(method, r.Pattern))
		span.SetAttributes(semconv.HTTPRoute(r.Pattern))
	}
	if version := wildcard("{version}", r); version != "" {
		span.SetAttributes(schemaVersion.String(shorten(version)))
	}
	if id := a.Header().Get("X-Request-Id"); id != "" {
		span.SetAttributes(requestID.String(shorten(id)))
	}
	if a.status == 0 && a.complete {
		a.status = http.StatusOK // as net/http has it
	}
	if a.status != 0 {
		span.SetAttributes(semconv.HTTPResponseStatusCode(a.status))
	}
	switch {
	case !a.complete:
		span.SetStatus(codes.Error, "the response was aborted")
	case a.status >= http.StatusInternalServerError:
		span.SetStatus(codes.Error, http.StatusText(a.status))
	}
}

// wildcard returns the segment of the path of a request that a segment of its
// pattern stands for, or "".
func wildcard(name string, r *http.Request) string {
	path := r.URL.EscapedPath()
	for rest := r.Pattern; rest != ""; {
		var want, segment string
		want, rest, _ = strings.Cut(rest, "/")
		segment, path, _ = strings.Cut(path, "/")
		if want == name {
			return segment
		}
	}
	return ""
}

// shorten returns the part of a text that is kept. Invalid UTF-8 would make the
// whole batch of spans invalid.
func shorten(s string) string { return strings.ToValidUTF8(s[:min(len(s), maxText)], "") }

// spanName returns the name of a span as the conventions for HTTP have it.
func spanName(method, route string) string {
	if method == otherMethod {
		method = "HTTP"
	}
	if route == "" {
		return method
	}
	return method + " " + route
}

// otherMethod stands for methods that are not of HTTP.
const otherMethod = "_OTHER"

func knownMethod(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodOptions, http.MethodPut, http.MethodPatch, http.MethodDelete,
		http.MethodConnect, http.MethodTrace:
		return method
	}
	return otherMethod
}
