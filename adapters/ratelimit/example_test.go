package ratelimit_test

import (
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"time"

	"github.com/datachain-go/datachain/adapters/ratelimit"
)

// A server charges a request before it does any work.
func Example() {
	limiter, err := ratelimit.NewMemory(&ratelimit.Options{
		Limits: ratelimit.Limits{Resolve: 2},
		Now:    func() time.Time { return time.Unix(0, 0) }, // for the example
	})
	if err != nil {
		log.Panic(err)
	}
	proxies := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}

	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		client := ratelimit.ClientAddr(r.RemoteAddr, r.Header, proxies)
		d, err := limiter.Allow(r.Context(), ratelimit.NewKey(ratelimit.Resolve, client, ratelimit.ClientName(r.Header)))
		if err != nil {
			log.Print(err) // rather serve than refuse
			d.Allowed = true
		}
		d.SetHeader(w.Header())
		if !d.Allowed {
			w.WriteHeader(http.StatusTooManyRequests)
		}
	})

	for _, name := range []string{"", "", "", "dashboard"} {
		r := httptest.NewRequest(http.MethodPost, "/", nil)
		r.RemoteAddr = "10.0.0.1:1234"
		r.Header.Set("X-Forwarded-For", "198.51.100.7")
		r.Header.Set("Service-Client", name)
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		fmt.Printf("%d, RateLimit %s, Retry-After %q\n", w.Code, w.Header().Get("RateLimit"), w.Header().Get("Retry-After"))
	}
	// Output:
	// 200, RateLimit "resolve";r=1;t=61, Retry-After ""
	// 200, RateLimit "resolve";r=0;t=61, Retry-After ""
	// 429, RateLimit "resolve";r=0;t=61, Retry-After "61"
	// 200, RateLimit "resolve";r=1;t=61, Retry-After ""
}
