// Package taxonomies provides the authoring source of the sample taxonomies: ai describes an AI
// system to the people it affects, sensor describes devices that collect data in public places.
// The package published beside it has them as they were published.
package taxonomies

import (
	"embed"
	"io/fs"
)

//go:embed ai sensor
var files embed.FS

// FS returns the authoring source of the sample taxonomies.
func FS() fs.FS { return files }
