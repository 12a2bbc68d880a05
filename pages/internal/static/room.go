// Package static writes pages as files for any web host, with what search engines read, and answers the
// scripts that search such a site and fill in its form.
package static

import (
	"embed"

	"github.com/datachain-go/datachain/pages/internal/core"
)

//go:embed *.html *.js
var files embed.FS

var rootTemplate = core.NewTemplates(files, "root.html")
