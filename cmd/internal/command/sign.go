package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/flags"
	"github.com/datachain-go/datachain/cmd/internal/signs"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/cmd/internal/usage"
	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/pages/sheet"
	"github.com/datachain-go/datachain/pages/sign"
	"github.com/datachain-go/datachain/pages/summary"
	"github.com/datachain-go/datachain/register"
)

// signFormats are the formats of signs, and the extensions of their files.
var signFormats = []string{formatHTML, "svg", "pdf"}

// signFlags are the flags of the command.
type signFlags struct {
	sheet.Options
	fileFlags
	base, documents, fonts, query string
	all, open                     bool
}

func signCommand(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "sign [FILE|SLUG]...",
		Short: "Make signs to hang beside systems",
		Long: `Make signs of datachain documents, thin or resolved: sheets of paper that say what a system
is for, the most sensitive data it uses and who answers for it, with a QR code.

The code leads to the page of the document in a register, such as
https://register.example.org/d/crossing/. The URL of the register is --base-url, or the url
of register.yaml. It must not change once signs are printed.

FILE is a document. SLUG names a document of the register: one in --documents, or one that
was published into the store. --all selects all of them except retired ones, and --select
those that the list of the register shows for a query. Their signs have the logo of the
publisher.

The extension of --out is the format. Browsers print .html files at their exact size. In
.svg and .pdf files, texts are outlines, drawn with fonts for Latin, Greek, Cyrillic and
Arabic letters and with those of --fonts. Several signs are one .html or .pdf file, or a
file each if --out ends with a slash.

Text is never made too small to read: if it is too long, nothing is written and the message
names the field.`,
		Example: `  datachain sign chain.json --base-url https://register.example.org -o sign.html
  datachain sign crossing --documents documents --locale de,en -o sign.pdf
  datachain sign --select 'theme=traffic&status=in_use' --store dist -o signs.html
  datachain sign --all --documents documents --format svg -o signs/`,
	}
	from := c.Reads(cmd)
	f := &signFlags{fileFlags: fileFlags{formats: signFormats}}
	f.add(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := f.check(cmd, c, args); err != nil {
			return err
		}
		var drawer sheet.Drawer
		if f.format != formatHTML {
			var err error
			if drawer, err = signDrawer(c, f.fonts); err != nil {
				return err
			}
		}
		list, err := signSubjects(cmd.Context(), c, from, f, args)
		if err != nil {
			return err
		}
		for _, s := range list {
			there := s.Presentation.Locales()
			for _, asked := range f.Locales {
				if !slices.ContainsFunc(there, func(locale string) bool { return i18n.Same(locale, asked) }) {
					return noTexts(s.Slug, asked, there)
				}
			}
		}
		return writeSigns(cmd.Context(), c, drawer, f, list)
	}
	return cmd
}

// add adds the flags to the command.
func (f *signFlags) add(cmd *cobra.Command) {
	flags.Add(cmd,
		flags.New("out", "write to this file instead of standard output, or into a directory if it ends with a slash", flags.File(&f.out, signFormats...).Letter("o")),
		flags.New("format", "output format (default that of --out, else html)", flags.OneOf(&f.format, signFormats...)),
		flags.New("open", "show the signs in a browser", flags.Switch(&f.open)),
		flags.New("base-url", "URL of the register that the code leads to (default the url of register.yaml)", flags.BaseURL(&f.base)),
		flags.New("documents", "directory of the documents of a register, besides those that the store has", flags.Dir(&f.documents)),
		flags.New("all", "all documents of the register", flags.Switch(&f.all)),
		flags.New("select", "documents of the register that its list shows for this query, such as status=in_use", flags.Text(&f.query, "query", "a query, such as status=in_use")),
		flags.New("fonts", fontsUsage, flags.Dir(&f.fonts)),
		flags.New("kind", "what to make", flags.OneOf((*string)(&f.Kind), "sign", "label", "notice", "card").Default(string(sheet.Sign))),
		flags.New("size", "paper size", flags.OneOf((*string)(&f.Size), "A6", "A5", "A4", "A3", "Letter").Default(string(sheet.A5))),
		flags.New("locale", "language of the sign, or two, such as de,en (default the first one of the document's title)", flags.List(&f.Locales, flags.Locale)),
		flags.New("mono", "for printers without color", flags.Switch(&f.Mono)),
		flags.New("cut-marks", "mark the corners at which to cut", flags.Switch(&f.CutMarks)),
	)
	flags.Exclusive(cmd, "all", "select")
}

// intoFiles reports whether each sign is written to a file of its own.
func (f *signFlags) intoFiles() bool {
	return strings.HasSuffix(f.out, "/") || strings.HasSuffix(f.out, string(filepath.Separator))
}

func (f *signFlags) page() page { return page{f.out, f.format, f.open} }

// fixedSize reports whether what is made has only one size.
func (f *signFlags) fixedSize() bool { return f.Kind == sheet.Label || f.Kind == sheet.Card }

// signDrawer returns what draws signs, with the fonts of a directory if one is named.
func signDrawer(c *console.Console, fonts string) (sheet.Drawer, error) {
	if fonts == "" {
		return sign.New(nil)
	}
	drawer, err := sign.New(os.DirFS(c.Path(fonts)))
	if err != nil {
		return nil, fmt.Errorf("--fonts %s: %w", fonts, err)
	}
	return drawer, nil
}

// check completes the format.
func (f *signFlags) check(cmd *cobra.Command, c *console.Console, args []string) error {
	if err := f.choose(cmd); err != nil {
		return err
	}
	selects := f.all || cmd.Flags().Changed("select")
	switch {
	case f.fixedSize() && cmd.Flags().Changed("size"):
		return usage.Error(cmd, "--size requires --kind sign or notice")
	case f.fonts != "" && f.format == formatHTML:
		return usage.Error(cmd, "--fonts requires --format svg or pdf")
	case selects && len(args) > 0:
		return usage.Error(cmd, "--all and --select choose documents of a register: name none")
	case !selects && len(args) == 0:
		return usage.Error(cmd, "missing FILE or SLUG, or --all")
	case f.open && f.intoFiles():
		return usage.Error(cmd, "--open shows one file: name one with --out")
	}
	return f.page().check(cmd, c)
}

// signSubjects reads the documents that were named, or selected from the register.
func signSubjects(ctx context.Context, c *console.Console, from *console.Versions, f *signFlags, args []string) (list []signs.Sign, err error) {
	set, err := from.Open(ctx)
	if err != nil {
		return nil, err
	}
	isFile := func(name string) bool {
		_, err := os.Stat(c.Path(name))
		return err == nil || strings.ContainsAny(name, "./\\") || name == "-"
	}
	var reg *register.Register
	if !slices.ContainsFunc(args, isFile) || f.documents != "" {
		origins, err := stores.OpenDocuments("--documents ", []string{f.documents}, from.Options())
		if err != nil {
			return nil, err
		}
		if reg, err = set.Register(origins...); err != nil {
			return nil, err
		}
		if reg == nil {
			return nil, errors.New("there is no register: name a directory with --documents, or a store with --store")
		}
		defer func() { _ = reg.Close() }() // it was only read
		f.base = cmp.Or(f.base, reg.State().Settings().URL)
	}
	if !strings.Contains(f.base, "://") {
		return nil, errors.New("--base-url is required: the code on the sign leads to a page of a register, such as https://register.example.org")
	}
	if len(args) == 0 {
		if list, err = signs.Selected(ctx, reg, f.query); err != nil {
			return nil, err
		}
	}
	var roles map[string]*summary.Roles
	if reg != nil {
		roles = reg.State().Settings().Roles
	}
	for _, arg := range args {
		var s signs.Sign
		switch {
		case isFile(arg):
			text, shown, invalid := present(ctx, c, set, arg)
			if invalid != nil {
				return nil, invalid
			}
			s, err = signs.Of(text, shown, roles)
		default:
			s, err = signs.Named(ctx, reg, arg)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", arg, err)
		}
		list = append(list, s)
	}
	for i := range list {
		list[i].Address = strings.TrimSuffix(f.base, "/") + "/d/" + list[i].Slug + "/"
	}
	return list, nil
}

// writeSigns writes all signs into a file, or each into one of its own. Every text that does not
// fit is reported before anything is written.
func writeSigns(ctx context.Context, c *console.Console, drawer sheet.Drawer, f *signFlags, list []signs.Sign) error {
	about := string(f.Kind)
	if len(list) > 1 {
		about = wording.Count(len(list), about)
	}
	if !f.fixedSize() {
		about += ", " + string(f.Size)
	}
	pages, err := signs.Pages(ctx, drawer, f.format, &f.Options, list, f.intoFiles())
	if err != nil {
		return err
	}
	if !f.intoFiles() {
		return f.page().write(ctx, c, pages[0], about)
	}
	if err := signs.Write(c.Path(f.out), f.format, list, pages); err != nil {
		return fmt.Errorf("--out %s: %w", f.out, err)
	}
	c.Say("Wrote %s: %s.", f.out, about)
	return nil
}
