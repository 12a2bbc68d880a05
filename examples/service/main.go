// Command service is an HTTP service that validates datachains.
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

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

func main() {
	store, err := published.Store() // or fsstore.OpenDir("published", nil)
	if err != nil {
		log.Fatal(err)
	}
	service, err := datachain.New(store, nil)
	if err != nil {
		log.Fatal(err)
	}
	server := &http.Server{
		Addr: "localhost:8081", Handler: newHandler(service),
		ReadTimeout: 10 * time.Second, WriteTimeout: 10 * time.Second,
	}
	log.Print("POST a datachain to http://", server.Addr, "/validate")
	log.Fatal(server.ListenAndServe())
}

// maxBody is the maximum size of a request body in bytes.
const maxBody = 1 << 20

// newHandler returns a handler that validates the datachains posted to /validate
// against the version that each of them pins.
func newHandler(service *datachain.Service) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /validate", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
		if err != nil {
			fail(w, unread(err))
			return
		}
		// If the client disconnects, the context is cancelled, and validation
		// stops.
		verdict, err := service.Validate(r.Context(), body, nil)
		if err != nil {
			fail(w, err) // the document could not be checked
			return
		}
		answer(w, http.StatusOK, verdict.OK(), verdict.Issues)
	})
	return mux
}

// unread reports why a body could not be read, as the service reports its errors.
func unread(err error) error {
	finding := issue.Issue{Code: issue.CodeBadRequest, Message: "The request body could not be read.", FixHint: "send it again"}
	if tooLarge, ok := errors.AsType[*http.MaxBytesError](err); ok {
		finding = issue.Issue{
			Code: issue.CodePayloadTooLarge, Message: fmt.Sprintf("The request body is larger than %d bytes.", tooLarge.Limit),
			FixHint: "send a smaller datachain",
		}
	}
	return &datachain.Error{Issue: finding, Err: err}
}

// fail responds with an error. What the client sees does not contain the cause, which is
// for the log.
func fail(w http.ResponseWriter, err error) {
	status, finding := datachain.HTTPStatus(err)
	if status >= http.StatusInternalServerError {
		log.Print(err)
	}
	answer(w, status, false, issue.Issues{finding})
}

func answer(w http.ResponseWriter, status int, ok bool, issues issue.Issues) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	err := json.NewEncoder(w).Encode(struct {
		OK     bool         `json:"ok"`
		Issues issue.Issues `json:"issues"`
	}{ok, issues})
	if err != nil {
		log.Print(err) // the client disconnected
	}
}
