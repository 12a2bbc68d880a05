package explorer

// LimitSitemap changes how many addresses a file of the sitemap has.
func (e *Explorer) LimitSitemap(addresses int) { e.maxSitemap = addresses }

// Patterns returns those of pages of HTML that do not need a register.
func Patterns() (list []string) {
	for _, p := range pages() {
		if p.name != "raw" && p.extension == "" && !p.register {
			list = append(list, p.pattern)
		}
	}
	return list
}
