package stores

import (
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/datachain-go/datachain/cmd/internal/flags"
	"github.com/datachain-go/datachain/cmd/internal/usage"
)

// injected matches the environment variables that Kubernetes sets for services whose names
// begin with datachain.
var injected = regexp.MustCompile(`^DATACHAIN(_[A-Z0-9_]+)?_(SERVICE_(HOST|PORT(_[A-Z0-9_]+)?)=.*|PORT(_[0-9]+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?=.*|=(tcp|udp|sctp)://.*))$`)

// Stray warns of environment variables that look like those of the flags of a command and those
// below it, but are not. The environment is a list of NAME=VALUE.
func Stray(root *cobra.Command, environment []string) []string {
	var known, stray []string
	for _, c := range root.Commands() {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if flags.HasVariable(f) {
				known = append(known, flags.Variable(f.Name))
			}
		})
	}
	for _, entry := range environment {
		name, _, _ := strings.Cut(entry, "=")
		if strings.HasPrefix(name, flags.Variable("")) && !injected.MatchString(entry) && !slices.Contains(known, name) {
			stray = append(stray, name+" matches no flag and is ignored"+usage.Suggest(name, known))
		}
	}
	slices.Sort(stray)
	return stray
}
