// Package trace carries what identifies a request across servers: its request id
// and, if its client sent one, the trace that it belongs to (W3C Trace Context).
package trace

import "context"

// An Origin identifies the request on whose behalf something is done.
type Origin struct {
	// RequestID is the value of X-Request-Id.
	RequestID string
	// Parent and State are the values of traceparent and tracestate, or "".
	Parent, State string
}

// maxState is the length of the longest tracestate that is passed on.
const maxState = 512

// Read returns the origin that the headers of a request describe. A traceparent
// that is not valid is ignored, and with it the tracestate.
func Read(requestID string, header map[string][]string) Origin {
	o := Origin{RequestID: requestID}
	if parents := header["Traceparent"]; len(parents) == 1 && valid(parents[0]) {
		o.Parent = parents[0]
		if states := header["Tracestate"]; len(states) == 1 && len(states[0]) <= maxState {
			o.State = states[0]
		}
	}
	return o
}

// Write sets the headers of a request that is made on behalf of another.
func (o Origin) Write(header map[string][]string) {
	for name, value := range map[string]string{"X-Request-Id": o.RequestID, "Traceparent": o.Parent, "Tracestate": o.State} {
		if value != "" {
			header[name] = []string{value}
		}
	}
}

// ID returns the id of the trace in hexadecimal digits, or "".
func (o Origin) ID() string {
	if o.Parent == "" {
		return ""
	}
	return o.Parent[3:35]
}

// valid reports whether a traceparent has the form of version 00,
// 00-{32 digits}-{16 digits}-{2 digits}, with ids that are not zero.
func valid(parent string) bool {
	if len(parent) != 55 || parent[:3] != "00-" || parent[35] != '-' || parent[52] != '-' {
		return false
	}
	return hexadecimal(parent[3:35], true) && hexadecimal(parent[36:52], true) && hexadecimal(parent[53:], false)
}

// hexadecimal reports whether a text is lower-case digits, and not all zero if it
// must not be.
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

// Key is the key of an [Origin] in a context, for contexts that answer it
// themselves.
type Key struct{}

// With returns a context that carries an origin.
func With(ctx context.Context, o Origin) context.Context { return context.WithValue(ctx, Key{}, o) }

// From returns the origin that a context carries, or the zero value.
func From(ctx context.Context) Origin {
	o, _ := ctx.Value(Key{}).(Origin)
	return o
}
