package trust_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/datachain-go/datachain/adapters/fsstore"
	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/release/trust"
	"github.com/datachain-go/datachain/release/trust/follow"
	"github.com/datachain-go/datachain/taxonomy"
)

// A copy of a store is enough to verify a document that its publisher has published.
func ExampleVerifyDocument() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // it is temporary
	trusted, err := trust.ParseTrust(examplePublisher(ctx, dir))
	if err != nil {
		log.Panic(err)
	}

	store, err := fsstore.OpenDir(dir, &fsstore.Options{Verify: follow.With(trusted, "").Verify})
	if err != nil {
		log.Panic(err)
	}
	defer func() { _ = store.Close() }() // it was only read
	source := trust.Source{
		Log: func(ctx context.Context, name string) ([]byte, error) {
			text, _, err := store.ReadFile(ctx, follow.Dir+name, "", follow.MaxFile)
			return text, err
		},
		Release: func(ctx context.Context, e taxonomy.Entry) (*taxonomy.Release, error) {
			return store.Release(ctx, e.ID)
		},
	}
	sample, _ := documents.Find("library-chat.resolved.json")
	report, err := trust.VerifyDocument(ctx, trusted, source, sample.Text)
	if err != nil {
		log.Panic(err)
	}
	fmt.Println(report.Edition.Slug, report.Edition.State, report.Release.Version, report.Release.State)

	altered := strings.Replace(string(sample.Text), `"id":"`, `"id":"x`, 1)
	_, err = trust.VerifyDocument(ctx, trusted, source, []byte(altered))
	fmt.Println(errors.Is(err, trust.ErrEdition))
	// Output:
	// city-library-chat current ai@2026-11-15-stable current
	// true
}
