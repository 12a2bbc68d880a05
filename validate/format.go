package validate

import (
	"bytes"
	"strings"
	"time"
	"unicode"

	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// format is a format of strings that a pattern can't fully describe. Schemas also have a
// pattern that every string of the format matches, for programs that do not know the format.
type format struct {
	name string
	// is describes a valid string, for messages.
	is    string
	check func(text []byte) bool
	// hint sets what to write instead of an invalid string: the hint, unless an example
	// is enough, and the fix, if it is clear.
	hint func(i *issue.Issue, text string)
}

// formats are the formats of the schemas.
var formats = []*format{
	{name: "datachain-version", is: "a canonical version id", check: isVersion, hint: versionHint},
	{name: "datachain-timestamp", is: "a date and time with a time zone, in the form 2026-06-01T10:00Z", check: isTimestamp, hint: timestampHint},
	{name: "datachain-instance-id", is: "an id without white space or control characters", check: isInstanceID, hint: instanceIDHint},
	{name: "datachain-text", is: "a text that is not blank", check: isText, hint: func(*issue.Issue, string) {}},
}

// isVersion is [taxonomy.ParseVersion] without allocation.
func isVersion(text []byte) bool {
	typ, rest, _ := bytes.Cut(text, []byte("@"))
	if len(rest) < len(time.DateOnly) || !ident.IsID(string(typ)) {
		return false
	}
	_, err := time.Parse(time.DateOnly, string(rest[:len(time.DateOnly)]))
	status := string(rest[len(time.DateOnly):])
	return err == nil && (status == "-beta" || status == "-stable")
}

func versionHint(i *issue.Issue, text string) {
	const example = "2026-09-01-stable"
	i.FixHint = "write <type>@<YYYY-MM-DD>-<status>, such as <type>@" + example
	if ref, err := taxonomy.ParseRef(text); err == nil {
		i.FixHint = "write the canonical id of the alias, such as " + ref.Type() + "@" + example
	}
}

// isInstanceID reports whether a text is not empty and has no white space or control
// characters: readers do not see them, and other programs can't have them in keys.
func isInstanceID(text []byte) bool {
	return len(text) > 0 && !bytes.ContainsFunc(text, unseen)
}

func unseen(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }

// instanceIDHint joins the words of an id. That is not a fix, since the id can be used
// elsewhere in the document.
func instanceIDHint(i *issue.Issue, text string) {
	if joined := strings.Join(strings.FieldsFunc(wording.Clip(text), unseen), "-"); joined != "" {
		i.FixHint = "write " + string(quote(joined)) + ", also where the document refers to it"
		i.Choices = []issue.Fix{{Title: "Write " + string(quote(joined)), Value: quote(joined)}}
	}
}

// isText reports whether a text has more than white space.
func isText(text []byte) bool { return len(bytes.TrimSpace(text)) > 0 }

// isTimestamp reports whether a text is a date and time with a time zone.
func isTimestamp(text []byte) bool {
	_, ok := ident.ParseTimestamp(string(text))
	return ok
}

// timestampHint corrects common mistakes in a date and time.
func timestampHint(i *issue.Issue, text string) {
	const longest = len("2006-01-02T15:04:05.000000000+00:00")
	fixed := strings.ToUpper(strings.Replace(strings.TrimSpace(text[:min(len(text), longest)]), " ", "T", 1))
	guess := "" // with a time of day or a time zone that only the author knows
	switch {
	case len(text) > longest:
		i.FixHint = "write a date and time with a time zone, such as 2026-06-01T10:00Z"
	case isTimestamp([]byte(fixed)):
		i.FixHint, i.Fix = "write "+fixed, &issue.Fix{Value: quote(fixed)}
	case isTimestamp([]byte(fixed + "Z")):
		guess = fixed + "Z"
		i.FixHint = "write " + guess + " if the time is in UTC, or add the time zone, such as +02:00"
	case isTimestamp([]byte(fixed + "T00:00Z")):
		guess = fixed + "T10:00Z"
		i.FixHint = "add a time and a time zone, such as " + guess
	default:
		i.FixHint = "write a date and time with a time zone, such as 2026-06-01T10:00Z"
	}
	if guess != "" {
		i.Choices = []issue.Fix{{Title: "Write " + guess, Value: quote(guess)}}
	}
}
