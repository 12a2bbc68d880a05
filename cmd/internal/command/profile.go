package command

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/flags"
	"github.com/datachain-go/datachain/cmd/internal/report"
	"github.com/datachain-go/datachain/examples/profiles"
	"github.com/datachain-go/datachain/internal/limited"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/register/profile"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

func profileCommand(c *console.Console) *cobra.Command {
	return withCommands(&cobra.Command{
		Use:   "profile",
		Short: "Check profiles of other registers",
		Long: `Check profiles. A profile is a file that says which fields another register asks for, and where
in a document their values are; 'datachain report' and 'datachain import' read it. These are
built in: ` + wording.And(profileIDs()) + `.`,
	}, profileCheckCommand(c))
}

// profileIDs returns the ids of the built-in profiles.
func profileIDs() (ids []string) {
	entries, _ := fs.ReadDir(profiles.FS(), ".") // which is embedded
	for _, e := range entries {
		ids = append(ids, strings.TrimSuffix(e.Name(), ".yaml"))
	}
	return ids
}

// isProfileFile reports whether what was typed names a file, and no built-in profile.
func isProfileFile(typed string) bool {
	return strings.ContainsAny(typed, `/\`) || slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(typed))
}

// readProfile returns the text of a profile: a built-in one by its id, or a file.
func readProfile(ctx context.Context, c *console.Console, typed string) (name string, text []byte, err error) {
	if slices.Contains(profileIDs(), typed) {
		name = typed + ".yaml"
		text, err = profiles.FS().ReadFile(name)
		return name, text, err
	}
	if !isProfileFile(typed) {
		return "", nil, fmt.Errorf("there is no profile %s: use %s, or a file such as ./own.yaml", wording.Quote(typed), wording.Or(profileIDs()))
	}
	text, err = readSmall(ctx, c, typed, profile.MaxSize+1)
	return typed, text, err
}

// openProfile returns the profile with an id or in a file.
func openProfile(ctx context.Context, c *console.Console, typed string) (*profile.Profile, error) {
	name, text, err := readProfile(ctx, c, typed)
	if err != nil {
		return nil, err
	}
	p, issues := profile.Parse(filepath.ToSlash(name), text)
	if len(issues) > 0 {
		return nil, fmt.Errorf("%s: %s (%s); 'datachain profile check %s' reports everything", issues[0].Position, issues[0].Message, issues[0].FixHint, typed)
	}
	return p, nil
}

// readSmall reads a file up to a size. It may be a pipe that never ends.
func readSmall(ctx context.Context, c *console.Console, typed string, most int64) ([]byte, error) {
	text, err := console.Await(ctx, func() ([]byte, error) {
		f, err := os.Open(c.Path(typed))
		if err != nil {
			return nil, err
		}
		defer func() { _ = f.Close() }() // only read
		return limited.Read(f, most, 0)
	})
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("%s: %s", typed, wording.Reason(err))
	}
	return text, err
}

// profileFlag completes the ids of built-in profiles.
func profileFlag(at *string) *flags.Value {
	return flags.Text(at, "id|file", "the id of a built-in profile, or a file").Completed(func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return profileIDs(), cobra.ShellCompDirectiveDefault
	})
}

// oldProfile is the age from which a profile should be compared with its target again.
const oldProfile = 365 * 24 * time.Hour

// profileAnswer is the output of `datachain profile check`.
type profileAnswer struct {
	*report.Report
}

func (a *profileAnswer) Good() bool { return a.OK() }

func (a *profileAnswer) print(c *console.Console, format string) error {
	if err := writeReport(c, a.Report, format, new(report.Options)); err != nil {
		return err
	}
	if s := a.Report.Summary(); s.Errors == 0 {
		c.Say("The profile %s can be used.", a.Files[0].Name)
	}
	return nil
}

func profileCheckCommand(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "check PROFILE",
		Short: "Report what is wrong in a profile",
		Long: `Report what is wrong in a profile, a file or a built-in one: unknown keys, roles and fields,
conditions and tables that can't hold, and templates that can't be read.

With --schema-version, also warn about elements, variables and context values that this version
does not have: one profile can be for several taxonomies. A profile that was not compared with its
target for over a year is a warning, too.

The exit code is 1 if there is an error.`,
		Example: `  datachain profile check council.yaml
  datachain profile check nl-algoritmeregister-1.0 --schema-version ai@latest`,
	}
	format := console.FormatFlag(cmd, formatText, formatJSON, formatSARIF, formatGitHub)
	from := c.Reads(cmd)
	var version string
	flags.Add(cmd, flags.New("schema-version", "version of a taxonomy to look ids up in", flags.Version(&version)))
	cmd.RunE = runAnswer(c, format, func(cmd *cobra.Command, args []string) (answer, error) {
		name, text, err := readProfile(cmd.Context(), c, args[0])
		if err != nil {
			return nil, err
		}
		p, issues := profile.Parse(filepath.ToSlash(name), text)
		if p != nil {
			if checked, err := time.Parse(time.DateOnly, p.Target.Checked); err == nil && c.Now().Sub(checked) > oldProfile {
				issues = append(issues, issue.Issue{
					Code: "PROFILE_INVALID", Severity: issue.SeverityWarning, Message: fmt.Sprintf("The profile was last compared with its target on %s.", p.Target.Checked),
					FixHint: "compare it again, and set target.checked",
				})
			}
		}
		if p != nil && version != "" {
			set, err := from.Open(cmd.Context())
			if err != nil {
				return nil, err
			}
			release, err := console.ReleaseOf(cmd, set, version)
			if err != nil {
				return nil, err
			}
			issues = append(issues, p.Check(release)...)
		}
		file := report.File{Name: name, Text: text}
		if isProfileFile(args[0]) {
			file.Path = c.Path(args[0])
		}
		for _, i := range issues {
			file.Findings = append(file.Findings, report.Finding{Issue: i})
		}
		return &profileAnswer{&report.Report{Files: []report.File{file}}}, nil
	})
	return cmd
}
