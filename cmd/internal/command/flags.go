package command

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/cmd/internal/flags"
	"github.com/datachain-go/datachain/cmd/internal/inputs"
	"github.com/datachain-go/datachain/cmd/internal/usage"
	"github.com/datachain-go/datachain/internal/wording"
)

// outFlag adds --out to a command that writes a file. It completes files with some extensions.
func outFlag(cmd *cobra.Command, extensions ...string) *string {
	out := new(string)
	flags.Add(cmd, flags.New("out", "write to this file instead of standard output", flags.File(out, extensions...).Letter("o")))
	return out
}

// fileFlags are --out and --format of a command whose format is the extension of the file.
type fileFlags struct {
	out, format string
	formats     []string
}

// addFileFlags adds them to a command. The first format is the default.
func addFileFlags(cmd *cobra.Command, formats ...string) *fileFlags {
	f := &fileFlags{formats: formats}
	flags.Add(cmd,
		flags.New("out", "write to this file instead of standard output", flags.File(&f.out, formats...).Letter("o")),
		flags.New("format", "output format (default that of --out, else "+formats[0]+")", flags.OneOf(&f.format, formats...)),
	)
	return f
}

// choose completes the format.
func (f *fileFlags) choose(cmd *cobra.Command) error {
	if f.format == "" {
		f.format = cmp.Or(strings.ToLower(strings.TrimPrefix(filepath.Ext(f.out), ".")), f.formats[0])
	}
	if !slices.Contains(f.formats, f.format) {
		return usage.Error(cmd, "--out must be a file with the extension .%s unless --format is given, not %q", strings.NewReplacer(", ", ", .", " or ", " or .").Replace(wording.Or(f.formats)), f.out)
	}
	return nil
}

// dateFlag adds --date to a command.
func dateFlag(cmd *cobra.Command, usage string) *string {
	day := new(string)
	flags.Add(cmd, flags.New("date", usage, flags.Date(day)))
	return day
}

// switchFlag adds a flag without a value to a command.
func switchFlag(cmd *cobra.Command, name, usage string) *bool {
	on := new(bool)
	flags.Add(cmd, flags.New(name, usage, flags.Switch(on)))
	return on
}

// baseFlag adds --base-url to a command.
func baseFlag(cmd *cobra.Command, usage string) *string {
	base := new(string)
	flags.Add(cmd, flags.New("base-url", usage, flags.BaseURL(base)))
	return base
}

// againstFlag adds --against to a command that compares versions; see [program.openBaseline].
func againstFlag(cmd *cobra.Command) *string {
	against := new(string)
	flags.Add(cmd, flags.New("against", "version or store to compare with (default the last stable version, or the last one if none is stable)",
		flags.DirOr(against, "version|store", "a version or a store")))
	return against
}

// versionsFlag adds --schema-version to a command, which can be repeated.
func versionsFlag(cmd *cobra.Command, usage string, complete cobra.CompletionFunc) *[]string {
	versions := new([]string)
	flags.Add(cmd, flags.New(versionFlagName, usage, flags.Repeated(versions, flags.Version).Completed(complete)))
	return versions
}

// versionFlagName is the name of the flag for schema versions on every command.
const versionFlagName = "schema-version"

// codesUsage is the usage of --base-url for commands that write reports.
const codesUsage = "link findings to the pages of a server that explain their codes"

// localeFlag adds --locale to a command. The project file can have its default.
func localeFlag(cmd *cobra.Command, usage string) *string {
	locale := new(string)
	flags.Add(cmd, flags.New("locale", usage, flags.Locale(locale)))
	flags.InProject(cmd, "locale")
	return locale
}

// fontsUsage is the usage of --fonts.
const fontsUsage = "directory of further TrueType fonts for signs as svg and pdf files, at least a regular and a bold one, such as NotoSansThai-Regular.ttf and NotoSansThai-Bold.ttf"

// replaceFlags adds flags that say which files a command may change.
func replaceFlags(cmd *cobra.Command) *inputs.ReplaceOptions {
	o := new(inputs.ReplaceOptions)
	flags.Add(cmd,
		flags.New("force", "with --write, also change read-only files", flags.Switch(&o.Force)),
		flags.New("follow-links", "with --write, also change files outside DIR that links in it lead to", flags.Switch(&o.FollowLinks)),
	)
	flags.Needs(cmd, "force", "write")
	flags.Needs(cmd, "follow-links", "write")
	return o
}

// noIconsFlag adds --no-icons to a command that writes a store.
func noIconsFlag(cmd *cobra.Command) *bool {
	return switchFlag(cmd, "no-icons", "do not write icons; the server then draws them on demand")
}
