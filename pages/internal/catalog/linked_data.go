package catalog

import (
	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/pages/internal/core"
	"github.com/datachain-go/datachain/pages/phrases"
)

const schemaOrg = "https://schema.org"

// versionData describes a version: a set of terms, and a data set that can be downloaded.
func (q *request) versionData() core.LinkedData {
	r := q.Release()
	v, m := r.Version(), r.Manifest()
	ld := core.LinkedData{
		"@context": schemaOrg, "@type": []string{"DefinedTermSet", "Dataset"}, "@id": q.setID(),
		"url": q.setID(), "name": taxonomyTitle(q.Request).Value, "inLanguage": r.Locales(),
		"version": v.String(), "dateCreated": q.Released(v), "identifier": r.ContentHash().String(),
		"creativeWorkStatus": string(v.Status()), "isAccessibleForFree": true,
		"distribution": core.LinkedData{
			"@type": "DataDownload", "encodingFormat": "application/json", "contentUrl": q.API(core.APIPath(v) + "/release"),
		},
	}
	if about := q.Text(m.Description).Value; about != "" {
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
func (q *request) termData(id, path string, title, about phrases.Text) core.LinkedData {
	ld := core.LinkedData{
		"@context": schemaOrg, "@type": "DefinedTerm", "@id": q.Links.Canonical(path, nil, ""), "url": q.Links.Canonical(path, nil, ""),
		"name": title.Value, "termCode": id, "inLanguage": q.Locale,
		"inDefinedTermSet": core.LinkedData{"@type": "DefinedTermSet", "@id": q.setID(), "name": taxonomyTitle(q.Request).Value},
	}
	if !about.Empty() {
		ld["description"] = about.Value
	}
	return ld
}

// setID identifies the version in linked data.
func (q *request) setID() string {
	return q.Links.Canonical(core.CatalogPath(q.Release().Version()), nil, "")
}
