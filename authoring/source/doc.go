// Package source lints the authoring source of a taxonomy and compiles it into
// releases.
//
// Authoring source is a tree of YAML or JSON files and SVG symbols, with a
// directory for each schema version:
//
//	<root>/<type>/<date>-<status>/
//	  schema.yaml             title, description, locales, aliases, datachain_type
//	  categories/<any>.yaml   one category per file
//	  elements/<any>.yaml     one element, or a list of elements
//	  symbols/<symbol_id>.svg drawn on a grid of 36 by 36
//
// [Compile] turns one schema version into a [taxonomy.Release]; [CompileAll]
// does so for a whole tree. Both report every problem at once, each as an
// [issue.Issue] with its code, file, line, column and a hint. [Starter] returns
// the files of a first schema version, [Draft] those of a new version based on
// an existing one.
//
// [NewOutline] returns where ids are defined and referred to, with exact byte ranges,
// also of source that does not compile: editors go to definitions, list references and
// rename with it.
//
// Compiling is deterministic: the same source gives the same release and the
// same issues, byte for byte, in whatever order the files are read.
//
// Source is untrusted input. The size of files, their nesting and the number of
// issues are limited, symbolic links cannot leave the tree, and symbols are
// rewritten from what [icons.Sanitize] allows.
//
// The package reads from an [fs.FS] and does no other I/O.
package source
