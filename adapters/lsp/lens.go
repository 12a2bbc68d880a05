package lsp

import "context"

type codeLens struct {
	Range   span    `json:"range"`
	Command command `json:"command"`
}

type command struct {
	Title     string `json:"title"`
	Command   string `json:"command"`
	Arguments []any  `json:"arguments"`
}

// lenses returns commands above the document: those whose result the client can show.
func (q *query) lenses(ctx context.Context, _ *documentParams) (any, error) {
	list := []codeLens{}
	start := q.document().Range().Start
	at := q.text.lines().span(start, start)
	add := func(title, name string) {
		target := commandTarget{URI: q.text.uri, Show: true}
		list = append(list, codeLens{at, command{title, name, []any{target}}})
	}
	if q.session.canShowPages() {
		add("Preview as page", commandPreview)
	}
	if _, resolved := q.document().Get("schema_snapshot"); !resolved && q.session.client.createFiles {
		add("Resolve", commandResolve)
	}
	if q.session.client.applyEdit {
		if latest, ok := q.newer(ctx); ok {
			add("Upgrade to "+latest, commandUpgrade)
		}
	}
	return list, ctx.Err()
}

// hasLenses reports whether the client shows code lenses, and can run one of them.
func (s *session) hasLenses() bool {
	return s.client.lenses && (s.canShowPages() || s.client.createFiles || s.client.applyEdit)
}
