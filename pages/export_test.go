package pages

// LimitSitemap changes how many addresses a file of the sitemap has.
func (e *Handler) LimitSitemap(addresses int) { e.maxSitemap = addresses }

// Patterns returns those of pages of HTML that do not need a register.
func Patterns() (list []string) {
	for _, p := range pages() {
		if p.name != "raw" && p.extension == "" && !p.register {
			list = append(list, p.pattern)
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
	for _, p := range pages() {
		list = append(list, Route{p.pattern, p.params, p.parts, p.post != nil})
	}
	return list
}
