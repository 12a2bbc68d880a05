package signedlog_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"io/fs"
	"time"

	"golang.org/x/mod/sumdb/note"

	"github.com/datachain-go/datachain/release/trust/signedlog"
	"github.com/datachain-go/datachain/taxonomy"
)

// A publisher begins a log, and a reader who trusts its key follows it. Programs
// publish with package publish and read with Options.Trust of a store, which do all of this.
func Example() {
	ctx, now := context.Background(), time.Now()
	files := map[string][]byte{} // a directory or a bucket
	read := func(_ context.Context, name string) ([]byte, error) {
		text, ok := files[name]
		if !ok {
			return nil, fmt.Errorf("%s: %w", name, fs.ErrNotExist)
		}
		return text, nil
	}
	private, public, err := note.GenerateKey(rand.Reader, "example.org/log")
	check(err)
	signer, err := note.NewSigner(private)
	check(err)

	// The first entry introduces the key, the second publishes a version.
	first, err := signedlog.Endorse("example.org/log", public, now, nil)
	check(err)
	second, err := signedlog.ParseEntry([]byte(`{"content_hash":"` + taxonomy.Hash{1}.String() + `","op":"publish",` +
		`"time":"` + first.Time.Format(time.RFC3339) + `","version":"ai@2026-09-01-stable"}`))
	check(err)
	var state signedlog.State
	for _, entry := range []*signedlog.Entry{first, second} {
		check(state.Apply(entry))
	}
	log := signedlog.NewLog(&signedlog.Checkpoint{Origin: "example.org/log"}, read)
	written, err := log.Append(ctx, []*signedlog.Entry{first, second}, signer)
	check(err)
	for _, file := range written {
		files[file.Name] = file.Data
	}

	trusted, err := signedlog.ParseTrust([]byte(`{"origin": "example.org/log", "keys": [{"key": "` + public + `"}]}`))
	check(err)
	log, err = signedlog.Follow(ctx, trusted, read, nil, now)
	check(err)
	fmt.Println("signed by", log.Checkpoint().Signed)
	entries, err := log.Entries(ctx, 0, log.Checkpoint().Size)
	check(err)
	for _, entry := range entries {
		fmt.Println(entry.Op)
	}

	// The reader keeps the checkpoint, so that it notices a log that was rewritten.
	last, err := signedlog.ParseCheckpoint(log.Checkpoint().Note)
	check(err)
	_, err = signedlog.Follow(ctx, trusted, read, last, now.Add(time.Hour))
	fmt.Println(err)
	_, err = signedlog.Open(trusted, last.Note, now)
	fmt.Println(err)
	// Output:
	// signed by [example.org/log]
	// key
	// publish
	// <nil>
	// <nil>
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
