// Package view shows a datachain to people as one self-contained HTML page, in the
// language of the reader, for phones, desktops, paper and screen readers.
//
//	verdict, presentation, err := service.Present(ctx, document)
//	…
//	if !verdict.OK() {
//		return verdict.Errors // the presentation is nil
//	}
//	summary, err := view.Write(w, presentation, &view.Options{Locale: "fr"})
//
// # Security
//
// Nothing in a document runs or loads anything. All text is escaped, characters that
// reorder the text around them are removed, and links are limited to http, https, mailto
// and tel URLs. The page has a Content-Security-Policy that allows its style sheet and its
// script by their hashes; a server should send [ContentSecurityPolicy] as a header as well.
//
// # MCP Apps
//
// In a host that supports MCP Apps (2026-01-26), the script of the page connects to the
// host, follows its theme, reports its size and shows the result of a tool call when it
// arrives. [Placeholder] is the page before the call, and a result carries a [Fragment]
// under [FragmentKey] in its _meta. Outside a host the script only opens collapsed details
// for printing.
package view
