// Package sign makes what hangs beside a system: a sheet of paper that says what the system
// is for, what data it uses at most and who answers for it, with a code that leads to the
// page of its document.
//
//	html, err := sign.Append(nil, &sign.Options{Size: sign.A5}, &sign.Subject{
//		Presentation: presentation, Summary: presentation.Summary(nil),
//		Address: "https://register.example.org/d/crossing/", Date: published,
//	})
//
// A sign shows the summary of a document and nothing else. It is an HTML page that browsers
// print at its exact size, in one or two languages, and it loads nothing. Text is never made
// smaller than can be read from the distance that belongs to the size: if a text is too long
// for its place, the error is a [*FitError] that names the field.
//
// Programs that are built with the tag full can also draw signs as SVG and PDF, with text as
// outlines: NewDrawer reads the fonts, which make full fetches from npm and which are not part
// of this repository.
package sign
