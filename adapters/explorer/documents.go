package explorer

// documentsPattern is the path of the list of documents.
const documentsPattern = "/d"

// documentsPage lists the documents of a site. A server has none.
func documentsPage() *page {
	return &page{name: "documents", pattern: documentsPattern, build: buildDocuments}
}

// documentLink is a document in the list.
type documentLink struct {
	Title         text
	Name          string
	URL, Resolved string
}

func buildDocuments(q *request) (*content, error) {
	links, ok := q.links.(*siteLinks)
	if !ok || len(q.documents) == 0 {
		return nil, noPage()
	}
	list := make([]documentLink, len(q.documents))
	for i, d := range q.documents {
		list[i] = documentLink{
			Title: q.name(d.Title, d.Name), Name: d.Name, URL: q.to(documentPrefix+d.Name, nil), Resolved: links.document(d.Name),
		}
	}
	return &content{Title: q.words.Layout.Documents, Path: documentsPattern, Section: documentsPattern, Data: list}, nil
}
