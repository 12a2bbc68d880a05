// Package raster draws SVG images as PNG, for clients that show no SVG, such as the
// previews of links. It is empty unless programs are built with the tag full, so that
// others do not contain the WebAssembly runtime:
//
//	go build -tags full ./cmd/datachain
//
// [Open] takes the module of resvg, a file that make full fetches from npm
// (@resvg/resvg-wasm, MPL-2.0) and that is not part of this repository. Only the version
// that this package was written for is accepted, since the functions that a module
// imports are named differently in each.
//
// The module runs in a sandbox: it reads no files and opens no connections, has a bounded
// memory, and is stopped when its context ends. Images that it refers to are not loaded,
// except those in data URLs, and text is not drawn, since there are no fonts.
package raster
