package view_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/pages/view"
)

var pagesDir = flag.String("pages", "", "write pages to look at, and for the browser tests, into this directory")

// TestPages writes pages of all kinds, into the directory of the flag if it is set.
func TestPages(t *testing.T) {
	write := func(name, page string) {
		if *pagesDir != "" {
			require.NoError(t, os.WriteFile(filepath.Join(*pagesDir, name), []byte(page), 0o644))
		}
	}
	service := samples(t)
	for _, name := range []string{"benefits.json", "crossing-camera.json", "air-station-suggestion.resolved.json"} {
		for _, locale := range []string{"en", "fr"} {
			write(strings.TrimSuffix(name, ".json")+"."+locale+".html", render(t, present(t, service, sample(t, name)), &view.Options{Locale: locale}))
		}
	}
	arabic, document := mirrored(t)
	write("benefits.ar.html", render(t, present(t, arabic, document), &view.Options{Locale: "ar"}))

	var b bytes.Buffer
	require.NoError(t, view.Placeholder(&b))
	write("placeholder.html", b.String())
	b.Reset()
	_, err := view.Fragment(&b, present(t, service, sample(t, "benefits.json")), nil)
	require.NoError(t, err)
	write("fragment.html", b.String())

	doc := hostileDocument(t)
	b.Reset()
	_, err = view.Write(&b, &datachain.Presentation{Datachain: doc}, nil)
	require.NoError(t, err)
	write("hostile.html", b.String())
}
