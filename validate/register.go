package validate

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

var register = &Rule{
	Name:         "register",
	Doc:          "The object register has the fields that a register of documents shows.",
	Codes:        []issue.Code{codes.RegisterInvalid},
	DespiteShape: true,
	Run: func(_ context.Context, p *Pass) error {
		if v, ok := p.original.Root().Get(registerField); ok {
			checkRegister(p, v)
		}
		return nil
	},
}

const registerField = "register"

// A registerCheck says what a value must be, or "" if it is.
type registerCheck func(p *Pass, v document.Value) (must string)

// checkRegister reports what is wrong in an object register.
func checkRegister(p *Pass, v document.Value) {
	text := func(_ *Pass, v document.Value) string {
		if v.Kind() != '"' || strings.TrimSpace(v.Text()) == "" {
			return "a text"
		}
		return ""
	}
	place := registerObject("a place", map[string]registerCheck{
		"name": registerLabel, "address": registerLabel, "geometry": checkGeometry,
		"mobile": func(_ *Pass, v document.Value) string {
			if v.Kind() != 't' && v.Kind() != 'f' {
				return "true or false"
			}
			return ""
		},
	}, "name")
	registerValue(p, v, registerObject("an object", map[string]registerCheck{
		"slug": func(_ *Pass, v document.Value) string {
			if !ident.IsSlug(v.Text()) {
				return ident.SlugRule
			}
			return ""
		},
		"status": func(_ *Pass, v document.Value) string {
			if states := []string{"planned", "trial", "in_use", "paused", "retired"}; !slices.Contains(states, v.Text()) {
				return "one of " + strings.Join(states, ", ")
			}
			return ""
		},
		"since": registerDate, "until": registerDate, "review_by": registerDate,
		"places":       registerList(place),
		"organisation": registerObject("an object", map[string]registerCheck{"name": registerLabel, "id": text, "unit": registerLabel}),
		"themes":       registerList(registerLabel),
		"withheld":     registerList(registerObject("an object", map[string]registerCheck{"what": registerLabel, "reason": registerLabel}, "what", "reason")),
	}))
}

// registerValue reports a value that fails a check.
func registerValue(p *Pass, v document.Value, check registerCheck) {
	if must := check(p, v); must != "" {
		p.warn(codes.RegisterInvalid, v.Path(), fmt.Sprintf("The field %s must be %s.", v.Path(), must),
			"correct it: a register does not publish the document otherwise")
	}
}

// registerObject checks the known fields of an object. Others are kept like any field.
func registerObject(must string, fields map[string]registerCheck, required ...string) registerCheck {
	return func(p *Pass, v document.Value) string {
		if v.Kind() != '{' {
			return must
		}
		for m := range v.All() {
			if check := fields[m.Key()]; check != nil {
				registerValue(p, m, check)
			}
		}
		for _, key := range required {
			if _, ok := v.Get(key); !ok {
				return must + " with " + wording.And(required)
			}
		}
		return ""
	}
}

// registerList checks the items of a list.
func registerList(item registerCheck) registerCheck {
	return func(p *Pass, v document.Value) string {
		if v.Kind() != '[' {
			return "a list"
		}
		i := 0
		for m := range v.All() {
			if i++; p.findings.truncated || !p.goOnAt(i) {
				break
			}
			registerValue(p, m, item)
		}
		return ""
	}
}

// registerLabel checks a text or a localized text.
func registerLabel(_ *Pass, v document.Value) string {
	const must = `a text, or a list such as [{"locale": "en", "value": "…"}]`
	if v.Kind() == '"' && strings.TrimSpace(v.Text()) != "" {
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

func registerDate(_ *Pass, v document.Value) string {
	if !ident.IsDate(v.Text()) {
		return "a date such as 2026-11-15"
	}
	return ""
}

// checkGeometry checks a GeoJSON Point, LineString or Polygon.
func checkGeometry(_ *Pass, v document.Value) string {
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
