package explorer

// LimitSitemap changes how many addresses a file of the sitemap has.
func (e *Explorer) LimitSitemap(addresses int) { e.maxSitemap = addresses }
