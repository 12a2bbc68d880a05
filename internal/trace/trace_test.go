package trace_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/datachain-go/datachain/internal/trace"
	"github.com/stretchr/testify/assert"
)

const parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

func TestReadTrace(t *testing.T) {
	h := http.Header{"Traceparent": {parent}, "Tracestate": {"a=b"}}
	o := trace.Read("id", h)
	assert.Equal(t, trace.Trace{RequestID: "id", Parent: parent, State: "a=b"}, o)
	assert.Equal(t, "4bf92f3577b34da6a3ce929d0e0e4736", o.ID())
	next := http.Header{}
	o.Write(next)
	assert.Equal(t, "id", next.Get("X-Request-Id"))
	assert.Equal(t, parent, next.Get("traceparent"))
	assert.Equal(t, "a=b", next.Get("tracestate"))
	assert.Equal(t, o, trace.From(trace.With(t.Context(), o)))
	assert.Zero(t, trace.From(t.Context()))
}

func TestInvalidTrace(t *testing.T) {
	for name, values := range map[string][]string{
		"none":           nil,
		"empty":          {""},
		"twice":          {parent, parent},
		"short":          {parent[1:]},
		"long":           {parent + "-00"},
		"other version":  {"01" + parent[2:]},
		"upper case":     {strings.ToUpper(parent)},
		"not digits":     {strings.Replace(parent, "4bf9", "4bg9", 1)},
		"zero trace":     {"00-" + strings.Repeat("0", 32) + parent[35:]},
		"zero parent":    {parent[:36] + strings.Repeat("0", 16) + parent[52:]},
		"other dashes":   {strings.ReplaceAll(parent, "-", "_")},
		"line in a line": {parent[:53] + "\r\n"},
	} {
		t.Run(name, func(t *testing.T) {
			o := trace.Read("id", http.Header{"Traceparent": values, "Tracestate": {"a=b"}})
			assert.Equal(t, trace.Trace{RequestID: "id"}, o)
			assert.Empty(t, o.ID())
		})
	}
	o := trace.Read("", http.Header{"Traceparent": {parent}, "Tracestate": {strings.Repeat("x", 600)}})
	assert.Equal(t, trace.Trace{Parent: parent}, o)
}
