// Package explorer serves taxonomies to people, as HTML: what is published, the catalog
// of a version, and a page for each category and element. [New] returns an
// [http.Handler] for the root of a server; it leaves /api and /mcp to others.
//
//	GET /                        what is published: the register, if there are documents
//	GET /d                       the register of documents; .json, .csv, .geojson, .atom and .jsonld, too
//	GET /d/{slug}                a document; .json, .resolved.json, .proof.json, .jsonld and .md, too
//	GET /d/{slug}/history        its editions, and what has changed
//	GET /d/{slug}/sign.html      what hangs beside a system; qr.svg and card, too
//	GET /t                       the taxonomies, if there are documents
//	GET /t/{type}.atom           a feed of what was released, deprecated and retired
//	GET /t/{version}             the catalog of a version
//	GET /t/{version}/c/{id}      a category
//	GET /t/{version}/e/{id}      an element
//	GET /t/{version}/s/{id}      a scheme, such as a law: what answers to its entries
//	GET /t/{version}/print       all of it, for paper
//	GET /compare?old=&new=       the changes between two versions; .json and .md, too
//	GET /compare?documents=a,b   documents side by side; .json, .md and .csv, too
//	GET /play                    checks a document; POST answers its form
//	GET /codes                   the codes of findings
//	GET /codes/{code}            what a code means and how to fix it
//	GET /verify                  checks the proof of a document in the browser
//	GET /docs                    the REST API, and how to connect assistants
//	GET /assets/{file}           style sheet and script
//
// Pages work without scripts, at any width, by keyboard and in right-to-left languages;
// the script only makes them quicker to use. Everything worth sharing is in the URL. The
// query parameter lang chooses the language of texts, else Accept-Language does. The
// words of the pages themselves are in English, French and Spanish.
//
// Nothing in a taxonomy is executed: texts are escaped, symbols are sanitized, links lead
// to http and https addresses only, and the Content-Security-Policy allows no scripts and
// styles but our own.
//
// [Explorer.WriteSite] writes the same pages as static files.
//
// # How to add a page
//
// A page is a value: a *page in the list that [pages] returns, with the pattern of its
// path, the query parameters that it depends on, and a build function. That is a pure
// function of a request, which has the opened schema version, the language and the
// parameters, to a content: title, canonical path, JSON form, and data for the template.
//
//  1. Write a file named for the page with its page value, its build function and the
//     data of its template. All text that people read goes through request.text and its
//     siblings, which isolate and mark it.
//  2. Write templates/<name>.html, which defines "main" and may define parts, which the
//     parameter part selects. Its dot is a scope: .W has the words, .D the data.
//  3. Put its words into words.go or words_pages.go, in all languages, and into words.
//  4. Make all links with request.to and its siblings: the same page can then be
//     rendered without a server.
package explorer
