package fetch

import "net/netip"

// Public addresses are those of the first two networks, without the others: these are private, local to
// a link or a machine, shared behind a carrier, tunnels, for documentation and tests, or reserved.
var (
	global4 = netip.MustParsePrefix("0.0.0.0/0")
	global6 = netip.MustParsePrefix("2000::/3")
	// translated has IPv4 addresses in networks that only have IPv6: the last 32 bits.
	translated = netip.MustParsePrefix("64:ff9b::/96")

	special = []netip.Prefix{
		netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"),
		netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("169.254.0.0/16"), netip.MustParsePrefix("172.16.0.0/12"),
		netip.MustParsePrefix("192.0.0.0/24"), netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("192.88.99.0/24"),
		netip.MustParsePrefix("192.168.0.0/16"), netip.MustParsePrefix("198.18.0.0/15"), netip.MustParsePrefix("198.51.100.0/24"),
		netip.MustParsePrefix("203.0.113.0/24"), netip.MustParsePrefix("224.0.0.0/3"),
		netip.MustParsePrefix("2001::/23"), netip.MustParsePrefix("2001:db8::/32"), netip.MustParsePrefix("2002::/16"),
		netip.MustParsePrefix("3fff::/20"),
	}
)

// Public reports whether an address is reachable from everywhere: not that of this machine or of
// its network.
func Public(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	if translated.Contains(a) {
		b := a.As16()
		a = netip.AddrFrom4([4]byte(b[12:]))
	}
	if !global4.Contains(a) && !global6.Contains(a) {
		return false
	}
	for _, p := range special {
		if p.Contains(a) {
			return false
		}
	}
	return true
}
