// Package view shows a datachain to people: one HTML page that needs nothing from
// outside, in the language of the reader, on a phone, on paper and to a screen
// reader.
//
//	verdict, presentation, err := service.Present(ctx, document)
//	…
//	if !verdict.OK() {
//		return verdict.Errors // there is nothing to show
//	}
//	summary, err := view.Write(w, presentation, &view.Options{Locale: "fr"})
//
// # What a page may do
//
// Nothing that is in a document runs or loads anything. All text is escaped, and
// what would reorder text around it is taken out; links lead to http, https,
// mailto and tel addresses alone. The page has a Content-Security-Policy of its
// own, which allows its one style sheet and its one script by their hashes; who
// serves the page sends [ContentSecurityPolicy] along.
//
// # MCP Apps
//
// Inside of a host that speaks MCP Apps (2026-01-26) the script of the page makes
// itself known, follows the theme of the host, tells its size, and shows the
// result of a tool call when it arrives: [Placeholder] is the page before that,
// and a result carries [Fragment] under [FragmentKey] of its _meta. Anywhere else
// the page is a page.
package view
