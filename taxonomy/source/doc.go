// Package source reads the authoring source of a taxonomy: the folder of YAML
// or JSON files and SVG symbols that stewards edit. It lints a schema version,
// saying all that is wrong at once with file, line, column and what to write
// instead, and compiles it into a [taxonomy.Release].
//
//	<root>/<type>/<date>-<status>/
//	  schema.yaml             title, description, locales, aliases, datachain_type
//	  categories/<any>.yaml   one category a file
//	  elements/<any>.yaml     one element, or a list of elements
//	  symbols/<symbol_id>.svg drawn on a grid of 36 by 36
//
// The same source gives the same release, byte for byte, on every machine and
// whatever the order of the files. Source is not trusted: files, nesting and
// the number of findings are bounded, links can't lead out of the tree, and
// symbols are written again from what is allowed in them.
//
// The package reads from an [io/fs.FS] and does no other I/O.
package source
