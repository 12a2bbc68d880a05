package pages

import (
	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/taxonomy"
)

// linkedData is what machines read on a page, in the vocabulary of schema.org. The keys
// are sorted when it is written.
type linkedData map[string]any

const schemaOrg = "https://schema.org"

// versionData describes a version: a set of terms, and a data set that can be downloaded.
func (q *request) versionData() linkedData {
	r := q.release()
	v, m := r.Version(), r.Manifest()
	ld := linkedData{
		"@context": schemaOrg, "@type": []string{"DefinedTermSet", "Dataset"}, "@id": q.setID(),
		"url": q.setID(), "name": q.title().Plain, "inLanguage": r.Locales(),
		"version": v.String(), "dateCreated": q.released(v), "identifier": r.ContentHash().String(),
		"creativeWorkStatus": string(v.Status()), "isAccessibleForFree": true,
		"distribution": linkedData{
			"@type": "DataDownload", "encodingFormat": "application/json", "contentUrl": q.api(apiPath(v) + "/release"),
		},
	}
	if about := q.text(m.Description).Plain; about != "" {
		ld["description"] = about
	}
	if m.Licence != "" {
		ld["license"] = i18n.Clean(m.Licence)
	}
	if m.Attribution != "" {
		ld["creditText"] = i18n.Clean(m.Attribution)
	}
	return ld
}

// termData describes an element or a category: a term of the set.
func (q *request) termData(id, path string, title, about text) linkedData {
	ld := linkedData{
		"@context": schemaOrg, "@type": "DefinedTerm", "@id": q.links.canonical(path, nil, ""), "url": q.links.canonical(path, nil, ""),
		"name": title.Plain, "termCode": id, "inLanguage": q.locale,
		"inDefinedTermSet": linkedData{"@type": "DefinedTermSet", "@id": q.setID(), "name": q.title().Plain},
	}
	if !about.Empty() {
		ld["description"] = about.Plain
	}
	return ld
}

// setID identifies the version in linked data.
func (q *request) setID() string {
	return q.links.canonical(catalogPath(q.release().Version()), nil, "")
}

// released returns the date of a version: the one on which it was released, or else the
// one in its id.
func (q *request) released(v taxonomy.Version) string {
	if e, ok := q.index.Lookup(v.Ref()); ok && e.Released != "" {
		return e.Released
	}
	return v.Date()
}
