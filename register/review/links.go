package review

import (
	"context"
	"fmt"
	"maps"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/datachain-go/datachain/internal/parallel"
	"github.com/datachain-go/datachain/internal/weblink"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Limits, so that a document can't make a review request thousands of addresses.
const (
	maxLinks    = 200 // of a document
	maxPerHost  = 20  // of a document
	maxHosts    = 4   // at a time, each with one request at a time
	maxTimeouts = 3   // of a host, after which it gets no further request
)

// Links requests an address with http or https and returns what became of it. It is called
// concurrently, but for each host one call at a time, and once for each address.
type Links func(ctx context.Context, address string) Status

// Status is what became of the page of a link.
type Status struct {
	Result Result
	// Moved is where a page is from now on.
	Moved string
	// Reason says why the page is dead or was not reached, such as "status 503".
	Reason string
}

// Result is the kind of a [Status].
type Result int

// The results of requesting an address.
const (
	Reached Result = iota
	Dead           // there is no such page any more
	Moved          // permanently, to another address
	NoHost         // there is no such host, or no network
	Timeout        // the host did not answer in time
	Failed         // for another reason, which may pass
	givenUp        // no request was sent, since the host did not answer others
)

// link is an address in a document, in the form to request.
type link struct {
	address, host string
	at            issue.Path
}

// webPattern matches web addresses in a text.
var webPattern = regexp.MustCompile(`https?://[^\s<>"'` + "`" + `]+`)

// collectLinks returns the web addresses of a document, each once: those of sources and actions,
// values that are links, addresses in contacts, and those in the object register.
func (p *pass) collectLinks() (links []link) {
	known := make(map[string]bool)
	add := func(address string, path func() issue.Path) {
		address, _, _ = strings.Cut(weblink.New(strings.TrimSpace(address), "http", "https").URL, "#")
		if address == "" || known[address] {
			return
		}
		known[address] = true
		if u, err := url.Parse(address); err == nil {
			links = append(links, link{address, strings.ToLower(u.Host), path()})
		}
	}
	addSources := func(sources []taxonomy.Source, owner issue.Path) {
		for i := range sources {
			add(sources[i].URL, func() issue.Path { return owner.Key("sources").Index(i).Key("url") })
		}
	}
	addSources(p.instance.Sources, issue.Root)
	for i := range p.entries {
		e := &p.entries[i]
		for k := range e.Placement.Variables {
			v, value := &e.Placement.Variables[k], func() issue.Path { return at(i).Key("variables").Index(k).Key("value") }
			switch p.roleOf(e.Element, v.ID) {
			case taxonomy.RoleLink:
				for _, t := range v.Text {
					add(t.Value, value)
				}
			case taxonomy.RoleContact:
				for _, t := range v.Text {
					for _, found := range webPattern.FindAllString(t.Value, maxLinks) {
						add(strings.TrimRight(found, ".,;:!?)"), value)
					}
				}
			}
		}
		for k := range e.Placement.Actions {
			add(e.Placement.Actions[k].Target, func() issue.Path { return at(i).Key("actions").Index(k).Key("target") })
		}
		addSources(e.Placement.Sources, at(i))
	}
	details := issue.Root.Key("register")
	add(p.Details.Organisation.ID, func() issue.Path { return details.Key("organisation").Key("id") })
	for i := range p.Details.Assessments {
		add(p.Details.Assessments[i].URL, func() issue.Path { return details.Key("assessments").Index(i).Key("url") })
	}
	for i := range p.Details.Filings {
		add(p.Details.Filings[i].URL, func() issue.Path { return details.Key("filings").Index(i).Key("url") })
	}
	return links
}

// limitLinks returns the links of a document that are requested, and the number of others.
func limitLinks(links []link) (kept []link, others int) {
	hosts := make(map[string]int)
	kept = slices.DeleteFunc(slices.Clone(links), func(l link) bool {
		hosts[l.host]++
		return hosts[l.host] > maxPerHost
	})
	kept = slices.Clone(kept[:min(len(kept), maxLinks)])
	return kept, len(links) - len(kept)
}

// checkLinks requests the links of all documents, and reports those that do not lead to a page.
func (v *reviewer) checkLinks(ctx context.Context, passes []*pass) error {
	byHost := make(map[string][]string)
	known, all := make(map[string]bool), 0
	for _, p := range passes {
		for _, l := range p.links {
			if !known[l.address] {
				known[l.address], all = true, all+1
				byHost[l.host] = append(byHost[l.host], l.address)
			}
		}
	}
	var mu sync.Mutex
	results, resolves := make(map[string]Status, all), false
	note := func(host, address string, s Status) {
		mu.Lock()
		defer mu.Unlock()
		results[address] = s
		resolves = resolves || named(host) && (s.Result == Reached || s.Result == Dead || s.Result == Moved)
		v.progress(len(results), all)
	}
	hosts := slices.Sorted(maps.Keys(byHost))
	err := parallel.Each(ctx, maxHosts, len(hosts), func(_, i int) error {
		timeouts := 0
		for _, address := range byHost[hosts[i]] {
			s := Status{Result: givenUp}
			if timeouts < maxTimeouts {
				s = v.options.Links(ctx, address)
			}
			if s.Result == Timeout {
				timeouts++
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
			note(hosts[i], address, s)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, p := range passes {
		for _, l := range p.links {
			p.reportLink(l, results[l.address], resolves)
		}
		if p.unrequested > 0 {
			p.report(LinkUnreachable, issue.Root, fmt.Sprintf("%s not checked: a review requests at most %d of a document, and %d of a host.",
				wording.Count(p.unrequested, "link"), maxLinks, maxPerHost), "check them in another way")
		}
	}
	return nil
}

// named reports whether a host has a name, which must be looked up.
func named(host string) bool {
	u := url.URL{Host: host}
	_, err := netip.ParseAddr(u.Hostname())
	return err != nil
}

// reportLink reports what became of a link. Without a host that could be looked up, a missing one may
// be a missing network.
func (p *pass) reportLink(l link, s Status, resolves bool) {
	shown := wording.Clip(l.address)
	switch {
	case s.Result == Dead:
		p.report(LinkDead, l.at, fmt.Sprintf("The page %s does not exist any more: %s.", shown, s.Reason), "replace the link, or remove it")
	case s.Result == NoHost && resolves:
		p.report(LinkDead, l.at, fmt.Sprintf("The host of %s does not exist any more.", shown), "replace the link, or remove it")
	case s.Result == Moved:
		p.report(LinkMoved, l.at, fmt.Sprintf("The page %s has moved permanently to %s.", shown, wording.Clip(s.Moved)), "if it is the same page, use its new address")
	case s.Result == NoHost:
		p.report(LinkUnreachable, l.at, fmt.Sprintf("The host of %s could not be looked up, nor that of any other link.", shown), "check the network")
	case s.Result == Timeout:
		p.report(LinkUnreachable, l.at, fmt.Sprintf("The host of %s did not answer in time.", shown), "try again another day")
	case s.Result == givenUp:
		p.report(LinkUnreachable, l.at, fmt.Sprintf("The page %s was not requested, since its host did not answer %d times.", shown, maxTimeouts), "try again another day")
	case s.Result == Failed:
		p.report(LinkUnreachable, l.at, fmt.Sprintf("The page %s could not be checked: %s.", shown, s.Reason), "open it in a browser, or try again another day")
	}
}
