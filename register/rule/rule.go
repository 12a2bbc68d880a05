// Package rule validates the object register of documents, which says what a register of
// documents shows besides the datachain. It has the rules that the product adds to those of
// package validate.
//
// # Experimental
//
// This package may change in a minor version.
package rule

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/validate"
)

// AssessmentKinds returns what an assessment can be about, in the order in which people choose.
func AssessmentKinds() []string {
	return []string{"privacy", "algorithm", "rights", "equality", "security", "other"}
}

// AssessmentStates returns the states of an assessment, in the order in which people choose. The first
// one is that of an assessment without a state.
func AssessmentStates() []string { return []string{"done", "in_progress", "waived"} }

// All returns the rules, as datachain.Options take them: every program of the product
// validates with them. The caller owns the slice.
func All() []*validate.Rule { return []*validate.Rule{Register} }

// Register checks the object register. Its findings are warnings, since the document is a
// valid datachain, but a register does not publish it.
var Register = &validate.Rule{
	Name:         "register",
	Doc:          "The object register has the fields that a register of documents shows.",
	URL:          "https://github.com/datachain-go/datachain/blob/main/docs/register.md",
	Codes:        []issue.Code{codes.RegisterInvalid},
	Fields:       []string{field},
	DespiteShape: true,
	Run: func(_ context.Context, p *validate.Pass) error {
		if v, ok := p.Original.Root().Get(field); ok {
			(&pass{Pass: p}).check(v, register)
		}
		return nil
	},
}

const field = "register"

// pass counts what was reported: more than a result lists is not looked for.
type pass struct {
	*validate.Pass
	reported int
}

// A checker checks a value and what is inside. It says what the value must be, or "" if it is.
type checker func(p *pass, v document.Value) (must string)

// check reports a value that a checker does not accept. Nothing is said about one that can't be
// read.
func (p *pass) check(v document.Value, check checker) {
	if v.Broken() || v.Doubtful() {
		return
	}
	must := check(p, v)
	if must == "" {
		return
	}
	p.reported++
	p.Report(issue.Issue{
		Code: codes.RegisterInvalid, Severity: issue.SeverityWarning, Path: v.Path(),
		Message: fmt.Sprintf("The field %s must be %s.", v.Path(), must),
		FixHint: "correct it: a register does not publish the document otherwise",
	})
}

var (
	register = object("an object", map[string]checker{
		"slug": slug, "status": status,
		"since": date, "until": date, "review_by": date,
		"places":       list(place),
		"organisation": object("an object", map[string]checker{"name": label, "id": text, "unit": label, "owner": label}),
		"themes":       list(label),
		"withheld":     list(object("an object", map[string]checker{"what": label, "reason": label}, "what", "reason")),
		"assessments":  list(assessment),
		"classes":      list(object("an object", map[string]checker{"scheme": scheme, "class": word, "reason": label}, "scheme", "class")),
		"filings":      filings,
		"answered":     answered,
		"product":      object("an object", map[string]checker{"supplier": supplier, "open": list(text)}, "supplier"),
		"based_on": object("an object", map[string]checker{
			"url": link, "edition": edition, "title": label, "supplier": supplier, "version": text, "date": date,
		}, "edition", "title", "supplier"),
	})
	supplier   = object("an object", map[string]checker{"name": label, "id": text}, "name")
	place      = object("a place", map[string]checker{"name": label, "address": label, "geometry": geometry, "mobile": boolean}, "name")
	assessment = object("an assessment", map[string]checker{
		"name": label, "kind": oneOf(AssessmentKinds()...), "state": oneOf(AssessmentStates()...), "date": date, "url": link, "summary": label,
	}, "name")
	requests = object("an object", map[string]checker{
		"from": date, "to": date, "asked": whole, "answered": whole, "days": whole, "changed": whole,
	}, "from", "to", "asked", "answered")
	filing = object("an object", map[string]checker{"profile": word, "id": text, "url": link, "filed": date, "answers": answers}, "profile")
	status = oneOf("planned", "trial", "in_use", "paused", "retired")
)

// object checks the known fields of an object. Others are kept like any field.
func object(must string, fields map[string]checker, required ...string) checker {
	return func(p *pass, v document.Value) string {
		if v.Kind() != '{' {
			return must
		}
		for m := range v.All() {
			if check := fields[m.Key()]; check != nil {
				p.check(m, check)
			}
		}
		for _, key := range required {
			if _, ok := v.Get(key); !ok && !v.Open() {
				return must + " with " + wording.And(required)
			}
		}
		return ""
	}
}

// list checks the items of a list.
func list(item checker) checker {
	return func(p *pass, v document.Value) string {
		if v.Kind() != '[' {
			return "a list"
		}
		for m := range v.All() {
			if p.reported > validate.MaxFindings || !p.Next() {
				break
			}
			p.check(m, item)
		}
		return ""
	}
}

func slug(_ *pass, v document.Value) string {
	if !ident.IsSlug(v.Text()) {
		return ident.SlugRule
	}
	return ""
}

// oneOf checks one of several words.
func oneOf(words ...string) checker {
	return func(_ *pass, v document.Value) string {
		if v.Kind() != '"' || !slices.Contains(words, v.Text()) {
			return "one of " + strings.Join(words, ", ")
		}
		return ""
	}
}

// word checks an id that others choose, such as that of a profile or of a class.
func word(_ *pass, v document.Value) string {
	if !isWord(v) {
		return "1 to 64 letters, digits, - _ and periods"
	}
	return ""
}

func isWord(v document.Value) bool {
	text := v.Text()
	return v.Kind() == '"' && 0 < len(text) && len(text) <= 64 && ident.IsID(strings.ReplaceAll(text, ".", ""))
}

func scheme(p *pass, v document.Value) string {
	if !isWord(v) && link(p, v) != "" {
		return "a word such as eu-ai-act, or a URL"
	}
	return ""
}

// filings checks where a document was filed: once for each profile.
func filings(p *pass, v document.Value) string {
	if must := list(filing)(p, v); must != "" {
		return must
	}
	seen := make(map[string]bool)
	for m := range v.All() {
		if p.reported > validate.MaxFindings {
			break
		}
		profile, _ := m.Get("profile")
		if id := profile.Text(); !seen[id] {
			seen[id] = true
		} else if id != "" {
			p.check(m, func(*pass, document.Value) string { return "the only one with this profile; put both into one" })
		}
	}
	return ""
}

// maxAnswers is the most that all answers of a filing may have, in bytes.
const maxAnswers = 64 << 10

// answers checks what only the target of a filing asks for: a text, or texts, for each field.
func answers(p *pass, v document.Value) string {
	if v.Kind() != '{' {
		return "an object with a text, or a list of texts, for each field"
	}
	if len(v.Raw()) > maxAnswers {
		return "at most 64 KiB"
	}
	for m := range v.All() {
		p.check(m, answer)
	}
	return ""
}

func answer(_ *pass, v document.Value) string {
	ok := v.Kind() == '"' || v.Kind() == '['
	for t := range v.All() {
		ok = ok && t.Kind() == '"'
	}
	if !ok && v.Sound() {
		return "a text or a list of texts"
	}
	return ""
}

// answered checks what happened when people asked: the numbers of a period, which fit together.
func answered(p *pass, v document.Value) string {
	if must := requests(p, v); must != "" {
		return must
	}
	from, _ := v.Get("from")
	to, _ := v.Get("to")
	if ident.IsDate(from.Text()) && ident.IsDate(to.Text()) && to.Text() < from.Text() {
		p.check(to, func(*pass, document.Value) string { return "a date that is not before from" })
	}
	all, _ := v.Get("asked")
	asked, ok := wholeNumber(all)
	for _, key := range []string{"answered", "changed"} {
		part, _ := v.Get(key)
		if n, isNumber := wholeNumber(part); ok && isNumber && n > asked {
			p.check(part, func(*pass, document.Value) string { return fmt.Sprintf("at most asked, which is %d", asked) })
		}
	}
	return ""
}

// whole checks a whole number, written with digits alone.
func whole(_ *pass, v document.Value) string {
	if _, ok := wholeNumber(v); !ok {
		return "a whole number from 0 to 1000000000, such as 12"
	}
	return ""
}

func wholeNumber(v document.Value) (uint64, bool) {
	n, err := strconv.ParseUint(string(v.Raw()), 10, 32)
	return n, v.Kind() == '0' && err == nil && n <= 1_000_000_000
}

func text(_ *pass, v document.Value) string {
	if v.Kind() != '"' || strings.TrimSpace(v.Text()) == "" {
		return "a text"
	}
	return ""
}

// link checks the URL of a web page. It can't have credentials, because pages link to it.
func link(_ *pass, v document.Value) string {
	if v.Kind() != '"' || !ident.IsURL(v.Text()) {
		return "a URL with http or https, without user name and password"
	}
	return ""
}

// edition checks the hash of the text of a document.
func edition(_ *pass, v document.Value) string {
	if raw, err := hex.DecodeString(v.Text()); err != nil || len(raw) != sha256.Size || strings.ToLower(v.Text()) != v.Text() {
		return "a hash of 64 lower-case hexadecimal digits"
	}
	return ""
}

func boolean(_ *pass, v document.Value) string {
	if v.Kind() != 't' && v.Kind() != 'f' {
		return "true or false"
	}
	return ""
}

// label checks a text or a localized text.
func label(_ *pass, v document.Value) string {
	const must = `a text, or a list such as [{"locale": "en", "value": "…"}]`
	if !v.Sound() || v.Kind() == '"' && strings.TrimSpace(v.Text()) != "" {
		return ""
	}
	if v.Kind() != '[' || v.Len() == 0 {
		return must
	}
	for t := range v.All() {
		locale, _ := t.Get("locale")
		value, _ := t.Get("value")
		if locale.Text() == "" || strings.TrimSpace(value.Text()) == "" {
			return must
		}
	}
	return ""
}

func date(_ *pass, v document.Value) string {
	if !ident.IsDate(v.Text()) {
		return "a date such as 2026-11-15"
	}
	return ""
}

// geometry checks a GeoJSON Point, LineString or Polygon.
func geometry(_ *pass, v document.Value) string {
	if !v.Sound() {
		return ""
	}
	kind, _ := v.Get("type")
	at, _ := v.Get("coordinates")
	switch kind.Text() {
	case "Point":
		if !isPosition(at) {
			return "a Point with a longitude and a latitude"
		}
	case "LineString":
		if at.Len() < 2 || !isLine(at) {
			return "a LineString with at least two positions, each a longitude and a latitude"
		}
	case "Polygon":
		ok := at.Kind() == '[' && at.Len() > 0
		for ring := range at.All() {
			first, _ := ring.At(0)
			last, _ := ring.At(max(0, ring.Len()-1))
			ok = ok && ring.Len() >= 4 && isLine(ring) && string(first.AppendCanonical(nil)) == string(last.AppendCanonical(nil))
		}
		if !ok {
			return "a Polygon whose rings have at least four positions and end where they begin"
		}
	default:
		return "a GeoJSON Point, LineString or Polygon"
	}
	return ""
}

// isLine reports whether a value is a list of positions.
func isLine(v document.Value) bool {
	if v.Kind() != '[' {
		return false
	}
	for at := range v.All() {
		if !isPosition(at) {
			return false
		}
	}
	return true
}

// isPosition reports whether a value is a longitude and a latitude in degrees. It may have
// an altitude.
func isPosition(v document.Value) bool {
	var at []float64
	if v.Kind() != '[' || v.Len() < 2 || v.Len() > 3 || json.Unmarshal(v.Raw(), &at) != nil {
		return false
	}
	return -180 <= at[0] && at[0] <= 180 && -90 <= at[1] && at[1] <= 90
}
