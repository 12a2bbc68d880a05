// Command service validates datachains in an HTTP service of your own. It needs
// nothing but net/http and two packages of this module.
//
//	go run ./examples/service
//	curl --data-binary @examples/documents/benefits.json localhost:8081/validate
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"time"

	"github.com/datachain-go/datachain/examples/taxonomies"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/validate"
)

func main() {
	store, err := taxonomies.Store() // or fsstore.OpenDir("published", nil)
	if err != nil {
		log.Fatal(err)
	}
	server := &http.Server{
		Addr: "localhost:8081", Handler: newHandler(store),
		ReadTimeout: 10 * time.Second, WriteTimeout: 10 * time.Second,
	}
	log.Print("POST a datachain to http://", server.Addr, "/validate")
	log.Fatal(server.ListenAndServe())
}

// maxBody is the most bytes of a request.
const maxBody = 1 << 20

// newHandler returns a handler that says what is wrong with the datachains that
// are posted to /validate, by the version that each of them pins.
func newHandler(store taxonomy.Store) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /validate", func(w http.ResponseWriter, r *http.Request) {
		result, err := judge(store, w, r)
		var syntax *taxonomy.SyntaxError
		var tooLarge *http.MaxBytesError
		switch {
		case err == nil:
			answer(w, http.StatusOK, result.OK(), result.Issues)
		case errors.As(err, &syntax):
			fail(w, http.StatusBadRequest, taxonomy.CodeBadRequest, err)
		case errors.As(err, &tooLarge):
			fail(w, http.StatusRequestEntityTooLarge, taxonomy.CodeBadRequest, err)
		case errors.Is(err, taxonomy.ErrNotFound):
			fail(w, http.StatusNotFound, taxonomy.CodeNotFound, err)
		default:
			log.Print(err)
			fail(w, http.StatusInternalServerError, taxonomy.CodeInternalError, errors.New("try again"))
		}
	})
	return mux
}

// judge reads a datachain and judges it. An error means that it could not be
// judged; what is wrong with the datachain is in the result.
func judge(store taxonomy.Store, w http.ResponseWriter, r *http.Request) (*validate.Result, error) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		return nil, err
	}
	doc, err := taxonomy.ParseDocument(body)
	if err != nil {
		return nil, err
	}
	// Whoever hangs up need not be answered.
	o := &validate.Options{Interrupt: r.Context().Err}
	// A document of bad shape may pin nothing.
	shape, err := validate.InstanceShape(doc, o)
	if err != nil || !shape.OK() {
		return shape, err
	}
	pin, _ := doc.Root().Get("schema_version")
	ref, err := taxonomy.ParseRef(pin.Text())
	if err != nil {
		return nil, err
	}
	release, err := taxonomy.Open(r.Context(), store, ref)
	if err != nil {
		return nil, fmt.Errorf("the datachain can't be judged: %w", err)
	}
	return validate.Instance(release, doc, o)
}

func fail(w http.ResponseWriter, status int, code taxonomy.Code, err error) {
	answer(w, status, false, taxonomy.Issues{{Code: code, Message: err.Error()}})
}

func answer(w http.ResponseWriter, status int, ok bool, issues taxonomy.Issues) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	err := json.NewEncoder(w).Encode(struct {
		OK     bool            `json:"ok"`
		Issues taxonomy.Issues `json:"issues"`
	}{ok, issues})
	if err != nil {
		log.Print(err) // the client is gone
	}
}
