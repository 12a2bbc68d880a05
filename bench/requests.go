package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"

	"github.com/datachain-go/datachain/examples/documents"
)

const (
	api           = "/api/v2"
	sampleVersion = api + "/schemas/ai@latest"
)

// request is a request and the status that is expected.
type request struct {
	method, path string
	body         []byte
	want         int
}

// allReads returns all read requests of a version.
func allReads(client *http.Client, url string) ([]request, error) {
	res, err := client.Get(url + sampleVersion + "/elements?fields=all&limit=200")
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }() // it was only read
	var list struct {
		Elements []struct {
			ID           string
			SymbolID     string   `json:"symbol_id"`
			IconVariants []string `json:"icon_variants"`
		}
	}
	if err := json.NewDecoder(res.Body).Decode(&list); err != nil {
		return nil, err
	}
	paths := []string{api + "/schemas", api + "/shapes/circle.svg"}
	for _, path := range []string{"/manifest", "/categories", "/categories?locales=fr", "/elements", "/elements?fields=all&limit=200"} {
		paths = append(paths, sampleVersion+path)
	}
	for _, e := range list.Elements {
		paths = append(paths, sampleVersion+"/elements/"+e.ID, sampleVersion+"/symbols/"+e.SymbolID+".svg")
		for _, v := range e.IconVariants {
			paths = append(paths, sampleVersion+"/elements/"+e.ID+"/icon."+v+".svg")
		}
		for _, locale := range []string{"en", "fr", "es"} {
			paths = append(paths, sampleVersion+"/elements?limit=10&locale="+locale+"&query="+strings.ReplaceAll(e.ID, ".", "+"))
		}
	}
	reads := make([]request, len(paths))
	for i, path := range paths {
		reads[i] = request{method: http.MethodGet, path: path, want: http.StatusOK}
	}
	return reads, nil
}

// novel returns a read that was not sent before, so that the cache evicts others.
func novel() request {
	path := fmt.Sprintf("%s/elements?query=person+%d&fields=id,f%d", sampleVersion, rand.Int(), rand.Int())
	return request{method: http.MethodGet, path: path, want: http.StatusOK}
}

// allWorks returns requests that validate the examples in every way.
func allWorks() []request {
	var works []request
	for _, e := range documents.Valid() {
		var doc struct {
			SchemaVersion string `json:"schema_version"`
		}
		_ = json.Unmarshal(e.Text, &doc) // examples are valid
		operations := []string{"validate", "resolve", "render"}
		if e.Resolved() {
			operations = []string{"validate_resolved"}
		}
		for _, operation := range operations {
			works = append(works, request{http.MethodPost, api + "/schemas/" + doc.SchemaVersion + "/" + operation, e.Text, http.StatusOK})
		}
	}
	return works
}

// allBads returns invalid requests.
func allBads() []request {
	return []request{
		{http.MethodGet, "/nothing", nil, http.StatusNotFound},
		{http.MethodGet, api + "/schemas/nope/manifest", nil, http.StatusBadRequest},
		{http.MethodGet, api + "/schemas/nope@latest/manifest", nil, http.StatusNotFound},
		{http.MethodGet, sampleVersion + "/elements?cursor=" + strings.Repeat("A", 4000), nil, http.StatusBadRequest},
		{http.MethodGet, sampleVersion + "/elements/nothing/icon.svg", nil, http.StatusNotFound},
		{http.MethodDelete, sampleVersion + "/manifest", nil, http.StatusMethodNotAllowed},
		{http.MethodPost, sampleVersion + "/validate", []byte("{"), http.StatusBadRequest},
		{http.MethodPost, sampleVersion + "/validate", bytes.Repeat([]byte("["), 1<<16), http.StatusBadRequest},
		{http.MethodPost, sampleVersion + "/resolve", []byte(`{"elements":[` + strings.Repeat("{},", 10_000) + `{}]}`), http.StatusOK},
		{http.MethodPost, sampleVersion + "/validate", bytes.Repeat([]byte(" "), 1<<20+1), http.StatusRequestEntityTooLarge},
	}
}
