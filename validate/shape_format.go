package validate

import (
	"bytes"
	"strings"
	"time"
	"unicode"

	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// format is a form of strings that needs more than a pattern. A string of the format
// also matches the pattern of the schema, which is for programs that do not know the
// format.
type format struct {
	name string
	// is describes a valid string.
	is    string
	check func(text []byte) bool
	// hint says what to write instead of an invalid string, or "" if an example
	// is enough. The fix is nil if that is not clear.
	hint func(text string) (hint string, fix *issue.Fix)
}

// formats are the formats of the schemas.
var formats = []*format{
	{name: "datachain-version", is: "a canonical version id", check: isVersion, hint: versionHint},
	{name: "datachain-timestamp", is: "a date and time with a time zone", check: isTimestamp, hint: timestampHint},
	{name: "datachain-instance-id", is: "an id without white space or control characters", check: isInstanceID, hint: instanceIDHint},
	{name: "datachain-text", is: "a text that is not blank", check: isText, hint: func(string) (string, *issue.Fix) { return "", nil }},
}

// isVersion is [taxonomy.ParseVersion] without allocation.
func isVersion(text []byte) bool {
	typ, rest, _ := bytes.Cut(text, []byte("@"))
	if len(rest) < len(time.DateOnly) || !taxonomy.ValidID(string(typ)) {
		return false
	}
	_, err := time.Parse(time.DateOnly, string(rest[:len(time.DateOnly)]))
	status := string(rest[len(time.DateOnly):])
	return err == nil && (status == "-beta" || status == "-stable")
}

func versionHint(text string) (string, *issue.Fix) {
	const example = "2026-09-01-stable"
	if ref, err := taxonomy.ParseRef(text); err == nil {
		return "write the canonical id of the alias, such as " + ref.Type() + "@" + example, nil
	}
	return "write <type>@<YYYY-MM-DD>-<status>, such as <type>@" + example, nil
}

// isInstanceID reports whether a text is not empty and has no white space or control
// characters, which readers do not see and keys of other programs can't have.
func isInstanceID(text []byte) bool {
	return len(text) > 0 && !bytes.ContainsFunc(text, unseen)
}

func unseen(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }

// instanceIDHint joins the words of an id. That is no fix, since the id can be used
// elsewhere in the document.
func instanceIDHint(text string) (string, *issue.Fix) {
	joined := strings.Join(strings.FieldsFunc(prose.Clip(text), unseen), "-")
	if joined == "" {
		return "", nil
	}
	return "write " + string(quote(joined)) + ", also where the document refers to it", nil
}

// isText reports whether a text is more than white space.
func isText(text []byte) bool { return len(bytes.TrimSpace(text)) > 0 }

// isTimestamp reports whether a text is an ISO 8601 date and time with a time zone,
// such as 2026-06-01T10:00Z. The seconds and their fraction are optional.
func isTimestamp(text []byte) bool {
	const minutes, seconds = "2006-01-02T15:04", "2006-01-02T15:04:05"
	clock, utc := bytes.CutSuffix(text, []byte("Z"))
	if !utc {
		n := max(len(text)-len("+02:00"), 0)
		if clock = text[:n]; n == 0 || text[n] != '+' && text[n] != '-' || !isClock(text[n+1:]) {
			return false
		}
	}
	if len(clock) < len(minutes) || !isClock(clock[len("2006-01-02T"):len(minutes)]) || bytes.IndexByte(clock, ',') >= 0 {
		return false
	}
	layout := minutes
	if len(clock) > len(minutes) {
		layout = seconds // time.Parse also takes a fraction
	}
	_, err := time.Parse(layout, string(clock))
	return err == nil
}

// isClock reports whether a text is hh:mm. time.Parse also takes h:mm.
func isClock(text []byte) bool {
	_, err := time.Parse("15:04", string(text))
	return err == nil && len(text) == len("15:04")
}

// timestampHint corrects common ways to write a date and time.
func timestampHint(text string) (string, *issue.Fix) {
	const longest = len("2006-01-02T15:04:05.000000000+00:00")
	fixed := strings.ToUpper(strings.Replace(strings.TrimSpace(text[:min(len(text), longest)]), " ", "T", 1))
	switch {
	case len(text) > longest:
	case isTimestamp([]byte(fixed)):
		return "write " + fixed, &issue.Fix{Value: quote(fixed)}
	case isTimestamp([]byte(fixed + "Z")):
		return "write " + fixed + "Z if the time is in UTC, or add the time zone, such as +02:00", nil
	case isTimestamp([]byte(fixed + "T00:00Z")):
		return "add a time and a time zone, such as " + fixed + "T10:00Z", nil
	}
	return "write a date and time with a time zone, such as 2026-06-01T10:00Z", nil
}
