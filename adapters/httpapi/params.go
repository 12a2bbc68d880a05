package httpapi

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// params are the query parameters that a route knows, each once, in the order of
// the route.
type params struct {
	names  []string
	values []string // nil if there are none
}

// parameters parses the parameters with the given names and ignores others. A list
// that is repeated is joined, as many clients write it. Any other parameter that
// is repeated is refused, because half of what was asked for would be lost.
func parameters(r *http.Request, names []string) (params, error) {
	p := params{names: names}
	if r.URL.RawQuery == "" {
		return p, nil
	}
	p.values = make([]string, len(names))
	query := r.URL.RawQuery
	for query != "" {
		var pair string
		pair, query, _ = strings.Cut(query, "&")
		rawKey, rawValue, _ := strings.Cut(pair, "=")
		key, err := url.QueryUnescape(rawKey)
		if err == nil {
			rawValue, err = url.QueryUnescape(rawValue)
		}
		if err != nil {
			return p, problem(issue.CodeBadRequest, "write % as %25", "The query string is malformed: %s.", prose.Plain(err.Error()))
		}
		for i, name := range names {
			if name != key || rawValue == "" {
				continue
			}
			switch {
			case p.values[i] == "":
				p.values[i] = rawValue
			case name == "fields" || name == "ids" || name == "locales":
				p.values[i] += "," + rawValue
			default:
				return p, problem(issue.CodeBadRequest, "send it once", "The parameter %s is repeated.", name)
			}
		}
	}
	return p, nil
}

// get returns a parameter, or "" if it is missing.
func (p params) get(name string) string {
	for i, value := range p.values {
		if p.names[i] == name {
			return value
		}
	}
	return ""
}

// list returns the items of a parameter with commas, or nil if it is missing.
func (p params) list(name string) []string {
	value := p.get(name)
	if value == "" {
		return nil
	}
	var items []string
	for item := range strings.SplitSeq(value, ",") {
		if item = strings.TrimSpace(item); item != "" {
			items = append(items, item)
		}
	}
	return items
}

// String returns the query string in a canonical form.
func (p params) String() string {
	var b strings.Builder
	for i, value := range p.values {
		if value == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('&')
		}
		b.WriteString(p.names[i] + "=" + url.QueryEscape(value))
	}
	return b.String()
}

// limit returns the parameter limit, or 0 if it is missing.
func (p params) limit() (int, error) {
	value := p.get("limit")
	if value == "" {
		return 0, nil
	}
	n, err := strconv.ParseUint(value, 10, 16)
	if err != nil || strings.Trim(value, "0123456789") != "" || n < 1 || n > datachain.MaxPage {
		return 0, problem(issue.CodeBadRequest, "use an integer from 1 to "+strconv.Itoa(datachain.MaxPage),
			"The limit %q is not an integer from 1 to %d.", prose.Plain(value), datachain.MaxPage)
	}
	return int(n), nil
}

// boolean returns a parameter that is true or false, which is the default.
func (p params) boolean(name string) (bool, error) {
	value := p.get(name)
	if value != "" && value != "true" && value != "false" {
		return false, problem(issue.CodeBadRequest, "use true or false", "The parameter %s must be true or false.", name)
	}
	return value == "true", nil
}

// projection returns which fields and locales to show. The argument is the default
// of fields.
func (p params) projection(fields []string) datachain.Projection {
	if asked := p.list("fields"); asked != nil {
		fields = asked
	}
	return datachain.Projection{Fields: fields, Locales: p.list("locales")}
}
