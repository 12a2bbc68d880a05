// Package trace carries the id and the trace context (W3C traceparent) of a request in a
// [context.Context], and sets them on requests that are made on its behalf.
package trace

import "context"

// A Trace identifies the request on whose behalf something is done.
type Trace struct {
	// RequestID is the value of X-Request-Id.
	RequestID string
	// Parent and State are the values of traceparent and tracestate, or "".
	Parent, State string
}

// maxState is the maximum length of a tracestate; longer ones are ignored.
const maxState = 512

// Read returns the trace that the headers of a request describe. A traceparent
// that is not valid is ignored, and with it the tracestate.
func Read(requestID string, header map[string][]string) Trace {
	t := Trace{RequestID: requestID}
	if parents := header["Traceparent"]; len(parents) == 1 && validParent(parents[0]) {
		t.Parent = parents[0]
		if states := header["Tracestate"]; len(states) == 1 && len(states[0]) <= maxState {
			t.State = states[0]
		}
	}
	return t
}

// Write sets the headers of a request that is made on behalf of the traced one.
func (t Trace) Write(header map[string][]string) {
	for name, value := range map[string]string{"X-Request-Id": t.RequestID, "Traceparent": t.Parent, "Tracestate": t.State} {
		if value != "" {
			header[name] = []string{value}
		}
	}
}

// ID returns the id of the trace in hexadecimal digits, or "".
func (t Trace) ID() string {
	if t.Parent == "" {
		return ""
	}
	return t.Parent[3:35]
}

// validParent reports whether a traceparent has the form of version 00,
// 00-{32 digits}-{16 digits}-{2 digits}, with ids that are not zero.
func validParent(parent string) bool {
	if len(parent) != 55 || parent[:3] != "00-" || parent[35] != '-' || parent[52] != '-' {
		return false
	}
	return hexadecimal(parent[3:35], true) && hexadecimal(parent[36:52], true) && hexadecimal(parent[53:], false)
}

// hexadecimal reports whether a text has only lower-case hexadecimal digits and, if nonzero is
// set, one that is not zero.
func hexadecimal(s string, nonzero bool) bool {
	zero := true
	for i := range len(s) {
		switch c := s[i]; {
		case '1' <= c && c <= '9', 'a' <= c && c <= 'f':
			zero = false
		case c != '0':
			return false
		}
	}
	return !nonzero || !zero
}

// traceKey is the key of a [Trace] in a context.
type traceKey struct{}

// With returns a context that carries a trace.
func With(ctx context.Context, t Trace) context.Context {
	return context.WithValue(ctx, traceKey{}, t)
}

// From returns the trace that a context carries, or the zero value.
func From(ctx context.Context) Trace {
	t, _ := ctx.Value(traceKey{}).(Trace)
	return t
}
