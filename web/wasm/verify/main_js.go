// Command verify is the WebAssembly module that verifies proofs of documents with a trust file,
// as 'datachain verify' does. It is small, since it has nothing else.
package main

import (
	"syscall/js"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/datachain-go/datachain/trust"
)

// ready is the function that module.js and site-worker.js wait for. It is called with the
// functions below.
const ready = "__datachain_ready"

func main() {
	verifier := js.FuncOf(func(_ js.Value, args []js.Value) any {
		text, err := json.Marshal(verify([]byte(args[0].String())))
		if err != nil {
			panic(err) // structs of texts and numbers can be marshalled
		}
		return string(text)
	})
	js.Global().Call(ready, map[string]any{
		// open() returns a function that takes a request as JSON and returns an answer as JSON.
		"open": js.FuncOf(func(js.Value, []js.Value) any { return verifier }),
	})
	select {} // the functions live as long as the page
}

// request has the bytes of three files, which are base64 in JSON. The proof may be missing if
// the document contains it. Snapshot asks for the schema snapshot alone.
type request struct {
	Document []byte `json:"document"`
	Proof    []byte `json:"proof"`
	Trust    []byte `json:"trust"`
	Snapshot bool   `json:"snapshot"`
}

// answer is what 'datachain verify --format json' prints, and the sentences of its report.
type answer struct {
	OK     bool   `json:"ok"`
	Reason string `json:"reason,omitempty"`
	Error  string `json:"error,omitempty"`
	Advice string `json:"advice,omitempty"`
	*trust.Report
	Proven  []trust.Statement `json:"proven,omitempty"`
	Claimed []trust.Statement `json:"claimed,omitempty"`
	Text    string            `json:"text,omitempty"`
	// Failure is why nothing was checked.
	Failure string `json:"failure,omitempty"`
}

func verify(text []byte) *answer {
	var r request
	if err := json.Unmarshal(text, &r); err != nil {
		return &answer{Failure: err.Error()}
	}
	keys, err := trust.ParseTrust(r.Trust)
	if err != nil {
		return &answer{Failure: err.Error()}
	}
	if len(r.Proof) == 0 {
		r.Proof = nil // the document contains it
	}
	check := trust.VerifyDocument
	if r.Snapshot {
		check = trust.VerifySnapshot
	}
	report, err := check(keys, r.Document, r.Proof, time.Now())
	a := &answer{OK: err == nil, Report: report}
	if err != nil {
		a.Reason, a.Error, a.Advice = trust.Reason(err), err.Error(), trust.Advice(err)
	}
	if report != nil { // of the snapshot alone if there is an error
		a.Proven, a.Claimed = report.Statements()
		a.Text = report.String()
	}
	return a
}
