// Package linelog writes the log of a server as [log/slog] would, line by line
// and byte by byte, at a fraction of the price: a server that has its answers at
// hand would otherwise spend more on telling of them than on giving them.
package linelog

import (
	"context"
	"log/slog"
	"strconv"
	"time"
)

// handler writes plain records by itself, and leaves all others to slog.
type handler struct {
	slog.Handler
	out  *Writer
	form form
}

// form is how plain records are written.
type form int

const (
	standard form = iota // as slog does: the logger has attributes of its own, or the like
	text
	json
)

// NewText returns a handler that writes what a [slog.TextHandler] writes.
// Warnings and errors, with all that was logged before, are written at once.
func NewText(out *Writer, o *slog.HandlerOptions) slog.Handler {
	return &handler{slog.NewTextHandler(out, o), out, formOf(text, o)}
}

// NewJSON returns a handler that writes what a [slog.JSONHandler] writes, and
// when [NewText] does.
func NewJSON(out *Writer, o *slog.HandlerOptions) slog.Handler {
	return &handler{slog.NewJSONHandler(out, o), out, formOf(json, o)}
}

func formOf(f form, o *slog.HandlerOptions) form {
	if o != nil && (o.AddSource || o.ReplaceAttr != nil) {
		return standard
	}
	return f
}

// Handle writes a record.
func (h *handler) Handle(ctx context.Context, r slog.Record) error {
	err := h.write(ctx, r)
	if r.Level >= slog.LevelWarn {
		h.out.Flush()
	}
	return err
}

func (h *handler) write(ctx context.Context, r slog.Record) error {
	var most [512]byte // as much as most lines take
	line, plain := most[:0], false
	switch h.form {
	case text:
		line, plain = appendText(line, &r)
	case json:
		line, plain = appendJSON(line, &r)
	case standard:
	}
	if !plain {
		return h.Handler.Handle(ctx, r)
	}
	_, err := h.out.Write(line)
	return err
}

// WithAttrs returns a handler that adds attributes to each record.
func (h *handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &handler{h.Handler.WithAttrs(attrs), h.out, standard}
}

// WithGroup returns a handler that puts the attributes of each record in a group.
func (h *handler) WithGroup(name string) slog.Handler {
	return &handler{h.Handler.WithGroup(name), h.out, standard}
}

// lastPlain is the last second whose year has four digits, in any zone.
var lastPlain = time.Date(9999, 12, 30, 0, 0, 0, 0, time.UTC).Unix()

// plainTime reports whether a time is one that everybody writes alike.
func plainTime(t time.Time) bool { return 0 < t.Unix() && t.Unix() < lastPlain }

// appendText writes a record as text. It fails where something in it is not
// plain: empty, to be quoted, or of a type of its own.
func appendText(line []byte, r *slog.Record) ([]byte, bool) {
	ok := plainTime(r.Time)
	line = appendMillis(append(line, "time="...), r.Time)
	line = append(append(line, " level="...), r.Level.String()...)
	line = append(append(line, " msg="...), r.Message...)
	ok = ok && plainText(r.Message)
	r.Attrs(func(a slog.Attr) bool {
		line = append(append(append(line, ' '), a.Key...), '=')
		ok = ok && plainText(a.Key)
		switch a.Value.Kind() {
		case slog.KindString:
			line = append(line, a.Value.String()...)
			ok = ok && plainText(a.Value.String())
		case slog.KindDuration:
			line = append(line, a.Value.Duration().String()...)
		default:
			line, ok = appendNumber(line, a.Value, ok)
		}
		return ok
	})
	return append(line, '\n'), ok
}

// appendMillis writes a time to the millisecond, whatever its last digits are.
func appendMillis(line []byte, t time.Time) []byte {
	// With a tenth of a millisecond on top there are four digits, never fewer;
	// the fourth is cut out.
	cut := len(line) + len("2006-01-02T15:04:05.000")
	line = t.Truncate(time.Millisecond).Add(time.Millisecond/10).AppendFormat(line, time.RFC3339Nano)
	return append(line[:cut], line[cut+1:]...)
}

// appendJSON writes a record as JSON, and fails like appendText.
func appendJSON(line []byte, r *slog.Record) ([]byte, bool) {
	ok := plainTime(r.Time)
	line = r.Time.AppendFormat(append(line, `{"time":"`...), time.RFC3339Nano)
	line = append(append(line, `","level":"`...), r.Level.String()...)
	line = append(append(append(line, `","msg":"`...), r.Message...), '"')
	ok = ok && plainJSON(r.Message)
	r.Attrs(func(a slog.Attr) bool {
		line = append(append(append(line, `,"`...), a.Key...), `":`...)
		ok = ok && plainJSON(a.Key)
		switch a.Value.Kind() {
		case slog.KindString:
			line = append(append(append(line, '"'), a.Value.String()...), '"')
			ok = ok && plainJSON(a.Value.String())
		case slog.KindDuration:
			line = strconv.AppendInt(line, int64(a.Value.Duration()), 10)
		default:
			line, ok = appendNumber(line, a.Value, ok)
		}
		return ok
	})
	return append(line, "}\n"...), ok
}

// appendNumber writes what text and JSON write alike, and fails for all else.
func appendNumber(line []byte, v slog.Value, ok bool) ([]byte, bool) {
	switch v.Kind() {
	case slog.KindInt64:
		return strconv.AppendInt(line, v.Int64(), 10), ok
	case slog.KindUint64:
		return strconv.AppendUint(line, v.Uint64(), 10), ok
	case slog.KindBool:
		return strconv.AppendBool(line, v.Bool()), ok
	default:
		return line, false
	}
}

// plainText reports whether a string is written in text as it is.
func plainText(s string) bool {
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c > '~' || c == '=' || c == '"' {
			return false
		}
	}
	return s != ""
}

// plainJSON reports whether a string is written in JSON as it is.
func plainJSON(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '\\' || c == '"' {
			return false
		}
	}
	return true
}
