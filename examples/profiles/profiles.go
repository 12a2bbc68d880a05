// Package profiles has the profiles of registers that bodies file their systems with. Each is a file
// of data, in the format that package register/profile reads.
//
// # Experimental
//
// This package may change in a minor version.
package profiles

import "embed"

//go:embed *.yaml
var files embed.FS

// FS returns the files, each named by the id of its profile.
func FS() embed.FS { return files }
