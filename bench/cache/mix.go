package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/examples/documents"
)

const api = "/api/v2/schemas"

// versions are those that clients ask for.
var versions = []string{"ai@2026-11-15-stable", "sensor@2026-11-15-stable"}

// request is what a client sends.
type request struct {
	kind string
	path string
	body []byte // of a POST
}

// kind is a part of the mix.
type kind struct {
	name    string
	percent float64
	next    func(*rand.Rand) request
}

// mix are the kinds of requests.
type mix []kind

// newMix reads from a server what there is to ask for.
func newMix(ctx context.Context, url string, register int) (mix, error) {
	var images, reads, pages, words []string
	for _, v := range versions {
		var list struct {
			Elements []struct {
				ID           string
				SymbolID     string   `json:"symbol_id"`
				IconVariants []string `json:"icon_variants"`
				Title        []struct{ Value string }
			}
		}
		text, err := fetch(ctx, url+api+"/"+v+"/elements?fields=all&limit=200")
		if err == nil {
			err = json.Unmarshal([]byte(text), &list)
		}
		if err != nil {
			return nil, err
		}
		base := api + "/" + v
		reads = append(reads, base+"/manifest", base+"/categories", base+"/elements", base+"/elements?fields=all&limit=200")
		pages = append(pages, "/t/"+v)
		for _, e := range list.Elements {
			reads = append(reads, base+"/elements/"+e.ID)
			pages = append(pages, "/t/"+v+"/e/"+e.ID)
			images = append(images, base+"/symbols/"+e.SymbolID+".svg")
			for _, variant := range e.IconVariants {
				images = append(images, base+"/elements/"+e.ID+"/icon."+variant+".svg")
			}
			for _, title := range e.Title {
				words = append(words, strings.Fields(strings.ToLower(title.Value))...)
			}
		}
	}
	slices.Sort(words)
	words = slices.Compact(words)
	// Neighbours in a list are not equally popular.
	shuffle := rand.New(rand.NewPCG(1, 1))
	for _, list := range [][]string{images, words, pages} {
		shuffle.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	}
	return mix{
		{"icons and symbols", 50, popular(images)},
		{"JSON of stable versions", 15, popular(reads)},
		{"pages of documents", 20, func(r *rand.Rand) request { return request{path: "/d/" + slug(zipf(r, register))} }},
		{"list of documents, searches in it", 4, func(r *rand.Rand) request {
			if r.IntN(2) == 0 {
				return request{path: "/"}
			}
			return request{path: "/d?q=" + words[zipf(r, len(words))]}
		}},
		{"searches in taxonomies", 6, func(r *rand.Rand) request { return request{path: search(r, words)} }},
		{"pages of taxonomies", 2, popular(pages)},
		{"list of versions", 2, popular([]string{api})},
		{"validate and resolve", 1, work},
	}, nil
}

// next returns a request of the mix.
func (m mix) next(r *rand.Rand) request {
	n := r.Float64() * 100
	for _, k := range m {
		if n -= k.percent; n < 0 {
			next := k.next(r)
			next.kind = k.name
			return next
		}
	}
	return m.next(r)
}

// zipf returns a number below n. The first is the most likely one, and the second half as likely.
func zipf(r *rand.Rand, n int) int {
	return int(rand.NewZipf(r, 1.1, 1, uint64(n-1)).Uint64())
}

func popular(paths []string) func(*rand.Rand) request {
	return func(r *rand.Rand) request { return request{path: paths[zipf(r, len(paths))]} }
}

// search returns a search for one or two words, of which one in ten was never searched for.
func search(r *rand.Rand, words []string) string {
	query := words[zipf(r, len(words))]
	switch r.IntN(10) {
	case 0:
		query = fmt.Sprintf("%s+%x", query, r.Uint32())
	case 1, 2, 3:
		query += "+" + words[zipf(r, len(words))]
	}
	return api + "/" + versions[zipf(r, len(versions))] + "/elements?limit=10&query=" + query
}

// work returns a document to validate or resolve.
func work(r *rand.Rand) request {
	for {
		d := documents.Valid()
		e := d[r.IntN(len(d))]
		var document struct {
			SchemaVersion string `json:"schema_version"`
		}
		if e.Resolved() || json.Unmarshal(e.Text, &document) != nil {
			continue
		}
		return request{path: api + "/" + document.SchemaVersion + "/" + []string{"validate", "resolve"}[r.IntN(2)], body: e.Text}
	}
}

// What browsers and programs send. The languages are those of visitors of a town in Europe.
var (
	encodings = []string{"gzip, deflate, br, zstd", "gzip, deflate, br", "gzip", ""}
	languages = []string{
		"en-GB,en;q=0.9", "en-US,en;q=0.5", "en", "fr-FR,fr;q=0.9,en-US;q=0.8,en;q=0.7", "fr,fr-FR;q=0.8,en-US;q=0.5,en;q=0.3", "fr-CA",
		"es-ES,es;q=0.9", "es-419,es;q=0.9,en;q=0.8", "de-DE,de;q=0.9,en-US;q=0.8,en;q=0.7", "pt-PT,pt;q=0.9,es;q=0.8", "uk,ru;q=0.8", "",
	}
)

// http returns the request of a random client.
func (q request) http(ctx context.Context, r *rand.Rand, url string) (*http.Request, error) {
	method := http.MethodGet
	if q.body != nil {
		method = http.MethodPost
	}
	req, err := http.NewRequestWithContext(ctx, method, url+q.path, bytes.NewReader(q.body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept-Encoding", encodings[r.IntN(len(encodings))])
	req.Header.Set("Accept-Language", languages[r.IntN(len(languages))])
	return req, nil
}
