package datachain_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/fsstore"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/adapters/laststore"
	"github.com/datachain-go/datachain/adapters/mcp"
	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/resolve"
	"github.com/datachain-go/datachain/search"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/listing"
	"github.com/datachain-go/datachain/validate"
)

// TestNil: what is missing is said where it is missing, not where it is used.
func TestNil(t *testing.T) {
	doc, err := document.Parse(read(t, "benefits.json"))
	require.NoError(t, err)
	release := open(t, "ai@latest").Release()
	for want, call := range map[string]func() error{
		"datachain: the store is nil":     func() error { _, err := datachain.New(nil, nil); return err },
		"httpapi: the service is nil":     func() error { _, err := httpapi.New(nil, nil); return err },
		"mcp: the service is nil":         func() error { _, err := mcp.New(nil, nil); return err },
		"laststore: the store is nil":     func() error { _, err := laststore.New(nil, nil); return err },
		"icons: the release is nil":       func() error { _, err := icons.NewSet(nil, nil); return err },
		"fsstore: the file system is nil": func() error { _, err := fsstore.Open(nil, nil); return err },
		"a publication has no release":    func() error { _, err := memstore.New(listing.Publication{}); return err },
		"validate: the release is nil":    func() error { _, err := validate.Instance(nil, doc, nil); return err },
		"validate: the document is nil":   func() error { _, err := validate.Resolved(release, nil, nil); return err },
		"resolve: the release is nil":     func() error { _, err := resolve.Resolve(nil, doc, nil); return err },
		"resolve: the document is nil":    func() error { _, err := resolve.Resolve(release, nil, nil); return err },
		"search: the release is nil":      func() error { _, err := search.Build(nil, "en"); return err },
	} {
		require.ErrorContains(t, call(), want)
	}
	assert.False(t, new(validate.Result).OK())
}
