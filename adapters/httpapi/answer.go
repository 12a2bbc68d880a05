package httpapi

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/taxonomy"
)

const (
	typeJSON = "application/json; charset=utf-8"
	typeSVG  = "image/svg+xml; charset=utf-8"
)

// answer writes a body that can be cached, or 304 where the client has it.
func answer(w http.ResponseWriter, r *http.Request, contentType, cacheControl string, body []byte) error {
	h := w.Header()
	sum := sha256.Sum256(body)
	etag := `"` + hex.EncodeToString(sum[:16]) + `"`
	h.Set("Cache-Control", cacheControl)
	h.Set("ETag", etag)
	if matches(r.Header.Get("If-None-Match"), etag) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	h.Set("Content-Type", contentType)
	_, _ = w.Write(body) // a client that went away is nobody's failure
	return nil
}

// matches reports whether an If-None-Match field names the tag.
func matches(field, etag string) bool {
	for candidate := range strings.SplitSeq(field, ",") {
		candidate = strings.TrimPrefix(strings.TrimSpace(candidate), "W/")
		if candidate == etag || candidate == "*" {
			return true
		}
	}
	return false
}

// versioned sets the headers of a resource of a release.
func versioned(w http.ResponseWriter, release *taxonomy.Release, resource string) {
	h := w.Header()
	h.Set("Service-Content-Hash", release.ContentHash().String())
	h.Set("Content-Location", prefix+"/schemas/"+url.PathEscape(release.Version().String())+resource)
}

// cached is the Cache-Control of JSON.
func cached(release *taxonomy.Release) string {
	if release.Version().Status() == taxonomy.Stable {
		return "public, max-age=86400, immutable"
	}
	return "no-store"
}

// cachedSVG is the Cache-Control of pictures.
func cachedSVG(release *taxonomy.Release) string {
	if release.Version().Status() == taxonomy.Stable {
		return "public, max-age=31536000, immutable"
	}
	return "public, max-age=3600"
}

var statuses = map[taxonomy.Code]int{
	taxonomy.CodeBadRequest:       http.StatusBadRequest,
	taxonomy.CodeNotFound:         http.StatusNotFound,
	taxonomy.CodeMethodNotAllowed: http.StatusMethodNotAllowed,
	taxonomy.CodeTimeout:          http.StatusGatewayTimeout,
	taxonomy.CodeUpstreamError:    http.StatusBadGateway,
	taxonomy.CodeInternalError:    http.StatusInternalServerError,
}

// failed is the envelope of a failure.
type failed struct {
	OK     bool            `json:"ok"`
	Errors taxonomy.Issues `json:"errors"`
}

// fail writes a failure. Its cause stays in the log.
func (a *api) fail(w http.ResponseWriter, r *http.Request, err error) {
	issue := taxonomy.Issue{Code: taxonomy.CodeInternalError, Message: "Something went wrong here.", FixHint: "try again; if it stays, tell the operator the request id"}
	if known, ok := errors.AsType[*datachain.Error](err); ok {
		issue = known.Issue
	}
	status := statuses[issue.Code]
	if status >= http.StatusInternalServerError {
		a.log.Error("request failed", "path", r.URL.Path, "code", issue.Code, "error", err, "request_id", w.Header().Get("X-Request-Id"))
	}
	h := w.Header()
	for _, name := range []string{"ETag", "Content-Location", "Service-Content-Hash"} {
		h.Del(name)
	}
	h.Set("Content-Type", typeJSON)
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.MarshalWrite(w, failed{Errors: taxonomy.Issues{issue}}) // a client that went away is nobody's failure
}
