package httpapi

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Refuser is a handler of another protocol that has words of its own for why a
// request is not answered: one too many, or a failure that nobody foresaw. The
// header fields that go with it, such as Retry-After, are set already.
type Refuser interface {
	Refuse(w http.ResponseWriter, r *http.Request, status int, issue issue.Issue)
}

// mount adds the routes of other protocols.
func (a *api) mount() {
	for path, handler := range a.Also {
		if !strings.HasPrefix(path, "/") || !clean(path) || path == prefix || strings.HasPrefix(path, prefix+"/") || strings.HasSuffix(path, "/") {
			panic(fmt.Sprintf("httpapi: Also[%q]: want the path of an address, such as /mcp, outside %s", path, prefix))
		}
		a.router.also[path] = &route{pattern: path, also: handler, handle: func(_ *api, _ context.Context, res *response, r *http.Request) error {
			handler.ServeHTTP(res, r)
			return nil
		}}
	}
}
