package pages

import "github.com/datachain-go/datachain/pages/internal/static"

// LimitSitemap changes how many addresses a file of the sitemap has.
func (h *Handler) LimitSitemap(addresses int) { h.static.MaxSitemap = addresses }

// Patterns returns those of pages of HTML that do not need a register.
func Patterns() (list []string) {
	for _, r := range rooms(new(Options), static.New()) {
		for _, p := range r.Pages {
			if !p.File && p.Extension == "" && !p.Register {
				list = append(list, p.Pattern)
			}
		}
	}
	return list
}

// Route is a kind of page or file: its pattern, its parameters, and whether it has a form that is sent.
type Route struct {
	Pattern       string
	Params, Parts []string
	Post          bool
}

// Routes returns all kinds of pages and files.
func Routes() (list []Route) {
	for _, r := range rooms(new(Options), static.New()) {
		for _, p := range r.Pages {
			list = append(list, Route{p.Pattern, p.Params, p.Parts, p.Post != nil})
		}
	}
	return list
}
