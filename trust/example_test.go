package trust_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/datachain-go/datachain/trust"
)

// A proof of a register has the edition that it published, and proves all of the document. One
// without an edition, such as 'datachain resolve --proof' writes, proves the schema snapshot
// alone.
func ExampleVerifyDocument() {
	var files struct {
		Document string                     `json:"document"`
		Proof    string                     `json:"proof"`
		Bare     string                     `json:"bare_proof"`
		Trust    map[string]json.RawMessage `json:"trust"`
	}
	text, err := os.ReadFile("testdata/vectors.json")
	if err == nil {
		err = json.Unmarshal(text, &files)
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	trusted, err := trust.ParseTrust(files.Trust["document"])
	if err != nil {
		fmt.Println(err)
		return
	}

	report, err := trust.VerifyDocument(trusted, []byte(files.Document), []byte(files.Proof), time.Now())
	if err != nil {
		fmt.Println(err) // a part of the document is not proven
		return
	}
	fmt.Println(report.Summary(), report.Version, report.Edition.Slug)

	_, err = trust.VerifyDocument(trusted, []byte(files.Document), []byte(files.Bare), time.Now())
	fmt.Println(err)
	if errors.Is(err, trust.ErrSnapshotOnly) {
		report, err = trust.VerifySnapshot(trusted, []byte(files.Document), []byte(files.Bare), time.Now())
		fmt.Println(err, report.Summary())
	}
	// Output:
	// The whole document is proven: the register published exactly this. sample@2026-09-01-stable crossing
	// proof does not hold: only the schema snapshot is proven, not what the document says about its system: the proof has no edition
	// <nil> Only the schema snapshot is proven: what the document says about its system is not.
}
