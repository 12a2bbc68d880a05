package stores_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/fsstore"
	"github.com/datachain-go/datachain/adapters/storekit/layout"
	"github.com/datachain-go/datachain/adapters/storekit/layout/layouttest"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/taxonomy"
)

// TestOlderFormat refuses an index of an older format, and one without a format, with the same advice,
// in each kind of store.
func TestOlderFormat(t *testing.T) {
	pubs := layouttest.Publications()
	recorded := regexp.MustCompile(`"(archive":"[^"]*"|sequence":\d+),`)
	for name, older := range map[string]func(text string) string{
		"format 1":  func(text string) string { return strings.Replace(text, `"format":2`, `"format":1`, 1) },
		"no format": func(text string) string { return strings.Replace(text, `"format":2,`, "", 1) },
		"no record": func(text string) string {
			return recorded.ReplaceAllString(strings.Replace(text, `"format":2,`, "", 1), "")
		},
		"no versions": func(string) string { return `{"versions":[]}` },
	} {
		for kind, create := range places() {
			t.Run(name+"/"+kind, func(t *testing.T) {
				p := create(t)
				p.publish(t, nil, pubs[0])
				p.edit(t, layout.IndexFile, older)
				_, err := p.read(t, stores.Options{})
				refused := []error{err, p.change(t.Context(), nil, nil, func(target publish.Target) error {
					_, err := publish.Publish(t.Context(), target, pubs[1:2], nil)
					return err
				})}
				if filepath.IsAbs(p.store) {
					_, err := fsstore.Open(os.DirFS(p.store), nil)
					refused = append(refused, err)
				}
				for _, err := range refused {
					require.ErrorIs(t, err, taxonomy.ErrIndexFormat)
					require.ErrorContains(t, err, "it is older than this program: publish the releases into a new store")
					require.NotContains(t, err.Error(), "publish or copy it again")
				}
			})
		}
	}
}
