package validate

import (
	"bytes"
	"strings"

	"github.com/datachain-go/datachain/taxonomy"
)

// format is a form of strings that a pattern can't describe whole.
type format struct {
	name string
	// is says what a good string is.
	is    string
	check func(text []byte) bool
	// hint says what to write instead of a bad one, and what is exactly
	// meant, or "" where it is not clear.
	hint func(text string) (hint, meant string)
}

// formats are those that the schemas use.
var formats = []*format{
	{
		name: "datachain-version", is: "a canonical version id",
		check: isVersion, hint: versionHint,
	},
	{
		name: "datachain-timestamp", is: "a date and time with a zone",
		check: isTimestamp, hint: timestampHint,
	},
}

// isVersion is [taxonomy.ParseVersion] without allocation.
func isVersion(text []byte) bool {
	typ, rest, found := bytes.Cut(text, []byte("@"))
	if !found || len(typ) == 0 || len(typ) > taxonomy.MaxIDLength {
		return false
	}
	for _, c := range typ {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '_', c == '-':
		default:
			return false
		}
	}
	if len(rest) < len("2006-01-02") || !isDate(rest[:len("2006-01-02")]) {
		return false
	}
	status := string(rest[len("2006-01-02"):])
	return status == "-beta" || status == "-stable"
}

func versionHint(text string) (hint, meant string) {
	const example = "2026-09-01-stable"
	if ref, err := taxonomy.ParseRef(text); err == nil {
		return "write the canonical id that the alias stands for, such as " + ref.Type() + "@" + example, ""
	}
	return "write <type>@<YYYY-MM-DD>-<status>, such as <type>@" + example, ""
}

// isTimestamp reports whether a text is an ISO 8601 date and time with a zone,
// such as 2026-06-01T10:00Z. Seconds and their fraction may be left out.
func isTimestamp(text []byte) bool {
	if len(text) < len("2006-01-02T15:04Z") || !isDate(text[:10]) || text[10] != 'T' || !isClock(text[11:16]) {
		return false
	}
	rest := text[16:]
	if rest[0] == ':' {
		if len(rest) < len(":05Z") || !isBelow(rest[1:3], 60) {
			return false
		}
		if rest = rest[3:]; rest[0] == '.' {
			fraction := rest[1:]
			for rest = fraction; len(rest) > 0 && isDigit(rest[0]); {
				rest = rest[1:]
			}
			if len(rest) == len(fraction) {
				return false
			}
		}
	}
	if len(rest) == len("+02:00") && (rest[0] == '+' || rest[0] == '-') {
		return isClock(rest[1:])
	}
	return string(rest) == "Z"
}

// timestampHint mends what people write when they think of a date and time.
func timestampHint(text string) (hint, meant string) {
	const example = "2006-01-02T15:04:05.000000000+00:00"
	mended := strings.ToUpper(strings.Replace(strings.TrimSpace(text[:min(len(text), len(example))]), " ", "T", 1))
	switch {
	case len(text) > len(example):
	case isTimestamp([]byte(mended)):
		return "write " + mended, mended
	case isTimestamp([]byte(mended + "Z")):
		return "write " + mended + "Z if that is the time in UTC, or end it with the zone, such as +02:00", ""
	case isTimestamp([]byte(mended + "T00:00Z")):
		return "add a time and its zone, such as " + mended + "T10:00Z", ""
	}
	return "write a date and time with its zone, such as 2026-06-01T10:00Z", ""
}

// isDate reports whether a text of 10 bytes is a day of the calendar.
func isDate(text []byte) bool {
	y, m, d := text[0:4], text[5:7], text[8:10]
	if text[4] != '-' || text[7] != '-' || !digits(y) || !digits(m) || !digits(d) {
		return false
	}
	year, month, day := number(y), number(m), number(d)
	return 1 <= month && month <= 12 && 1 <= day && day <= daysIn(year, month)
}

func daysIn(year, month int) int {
	switch month {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	}
	return 31
}

// isClock reports whether a text of 5 bytes is hh:mm.
func isClock(text []byte) bool {
	return isBelow(text[0:2], 24) && text[2] == ':' && isBelow(text[3:5], 60)
}

// isBelow reports whether a text is a number below a limit.
func isBelow(text []byte, limit int) bool { return digits(text) && number(text) < limit }

// number reads digits.
func number(digits []byte) int {
	n := 0
	for _, c := range digits {
		n = 10*n + int(c-'0')
	}
	return n
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
