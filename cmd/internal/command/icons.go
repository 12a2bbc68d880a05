package command

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/cmd/internal/baking"
	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/taxonomy"
)

func iconsCommand(c *console.Console) *cobra.Command {
	return withCommands(&cobra.Command{
		Use:   "icons",
		Short: "Draw the icons of schema versions",
		Long: `Draw the icons of schema versions: the symbol of an element on the shape of its
category, in the default and the dark variant and in the color of each context value.`,
	}, iconsSheetCommand(c), iconsBakeCommand(c), iconsShowCommand(c))
}

// publishOptions returns options to publish with the texts of evolutions by type, and with icons unless
// they are unwanted.
func publishOptions(noIcons bool, evolutions map[string][]byte) *publish.Options {
	o := &publish.Options{Evolutions: evolutions}
	if !noIcons {
		o.Icon = baking.Icons()
	}
	return o
}

// releaseLocale returns the language of a release that matches the one that was
// typed, and an error if there is none.
func releaseLocale(r *taxonomy.Release, typed string) (string, error) {
	if typed == "" {
		return "", nil
	}
	locale, err := taxonomy.MatchLocale(r.Locales(), typed)
	if err == nil && locale == "" {
		err = noTexts(r.Version(), typed, r.Locales())
	}
	return locale, err
}

// noTexts is the error for a language that something has no texts in.
func noTexts(of any, locale string, has []string) error {
	return fmt.Errorf("--locale %s: %s has no texts in it: use %s", wording.Plain(locale), of, wording.Or(has))
}
