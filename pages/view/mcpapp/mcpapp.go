// Package mcpapp shows datachains in hosts of language models: its [View] serves the pages of
// package view from package mcp.
//
//	server, err := mcp.New(service, &mcp.Options{View: mcpapp.View{}})
//
// In a host that supports MCP Apps, the placeholder shows the result of a tool call when it arrives,
// from the fragment that goes with the result.
//
// # Experimental
//
// Other packages of the product use this one. Its API may change in any version.
package mcpapp

import (
	"bytes"
	"context"
	"errors"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/mcp"
	"github.com/datachain-go/datachain/pages/view"
)

// View shows datachains with package view, in all their languages.
type View struct{}

// maxFragment is the size of the largest fragment that is sent with a result.
const maxFragment = 1 << 20

// Render returns the page, and its main elements as the fragment, in one language if all are too
// large.
func (View) Render(ctx context.Context, p *datachain.Presentation, locale string) (*mcp.Page, error) {
	o := &view.Options{Locale: locale, Languages: true, MaxBytes: mcp.MaxPage, Interrupt: ctx.Err}
	html, summary, err := view.Append(nil, p, o)
	if errors.Is(err, view.ErrTooLarge) {
		return nil, mcp.ErrPageTooLarge
	}
	if err != nil {
		return nil, err
	}
	page := &mcp.Page{HTML: html, Locale: summary.Locale, Sections: summary.Sections, Elements: summary.Elements}
	fragment := mains(html)
	if len(fragment) > maxFragment {
		o.Languages = false
		if html, _, err = view.Append(nil, p, o); err != nil {
			return nil, err
		}
		fragment = mains(html)
	}
	if len(fragment) <= maxFragment { // else the host loads the page
		page.Meta = map[string]string{view.FragmentKey: string(fragment)}
	}
	return page, nil
}

// mains returns the main elements of a page, as [view.Fragment] writes them.
func mains(page []byte) []byte {
	const end = "</main>"
	return page[bytes.Index(page, []byte("<main ")) : bytes.LastIndex(page, []byte(end))+len(end)]
}

// Placeholder returns the page that waits for the result of a tool call.
func (View) Placeholder() []byte {
	var page bytes.Buffer
	if err := view.Placeholder(&page); err != nil {
		panic(err) // a buffer takes everything
	}
	return page.Bytes()
}
