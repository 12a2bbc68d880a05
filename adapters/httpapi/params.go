package httpapi

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain/internal/prose"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// params are the parameters of an address that a route knows, each once, in the
// order in which the route names them.
type params struct {
	names  []string
	values []string
}

// parameters reads the parameters of the given names; others are ignored. Lists
// that are given in parts are one list, as many clients write them. Anything else
// that is given twice is refused: half of what was asked for would be lost.
func parameters(r *http.Request, names ...string) (params, error) {
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
			return p, problem(issue.CodeBadRequest, "write % as %25", "The query can't be read: %s.", prose.Plain(err.Error()))
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
				return p, problem(issue.CodeBadRequest, "give it once", "The parameter %s is given twice.", name)
			}
		}
	}
	return p, nil
}

// get returns a parameter, "" where it is not given.
func (p params) get(name string) string {
	for i, value := range p.values {
		if p.names[i] == name {
			return value
		}
	}
	return ""
}

// list returns a parameter that holds several, separated by commas; nil where it
// is not given.
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

// String spells the parameters in one way: those that are given, in order.
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

// limit returns the number of elements of a page, 0 where it is not given. It is
// written in plain digits.
func (p params) limit() (int, error) {
	value := p.get("limit")
	if value == "" {
		return 0, nil
	}
	n, err := strconv.ParseUint(value, 10, 16)
	if err != nil || strings.Trim(value, "0123456789") != "" || n < 1 || n > datachain.MaxPage {
		return 0, problem(issue.CodeBadRequest, "use a whole number from 1 to "+strconv.Itoa(datachain.MaxPage), "The limit %q is no number from 1 to %d.", prose.Plain(value), datachain.MaxPage)
	}
	return int(n), nil
}

// projection returns what is to be shown of categories or elements; fields is
// what is shown where nothing is asked for.
func (p params) projection(fields []string) datachain.Projection {
	if asked := p.list("fields"); asked != nil {
		fields = asked
	}
	return datachain.Projection{Fields: fields, Locales: p.list("locales")}
}
