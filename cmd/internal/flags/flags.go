// Package flags declares the flags of commands. A flag has one description, a [Flag]: its name and
// meaning, and a [Value], which knows the default, what is allowed, what help shows in its place,
// and how it is completed. So the same mistake gets the same message in every command.
package flags

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/datachain-go/datachain/internal/wording"
)

// Flag describes a flag.
type Flag struct {
	name, usage string
	value       *Value
}

// New returns the description of a flag.
func New(name, usage string, value *Value) Flag { return Flag{name, usage, value} }

// Name returns the name of the flag.
func (f Flag) Name() string { return f.name }

// Group is a group of flags in the help.
type Group struct {
	Title string
	Flags []Flag
}

// Annotations of flags.
const (
	groupKey     = "datachain-group"     // its group in the help
	variableKey  = "datachain-variable"  // it has an environment variable
	projectKey   = "datachain-project"   // the project file can set its default
	needsKey     = "datachain-needs"     // the flags that it requires
	globalKey    = "datachain-global"    // it is one of the flags of all commands
	exclusiveKey = "datachain-exclusive" // groups of flags, of which it is the first, that can't be used together
	togetherKey  = "datachain-together"  // groups of flags, of which it is the first, that are required together
)

// Add adds flags to a command.
func Add(cmd *cobra.Command, list ...Flag) {
	for _, f := range list {
		add(cmd, cmd.Flags(), f)
	}
}

// AddGroups adds groups of flags to a command, each of which has an environment variable.
func AddGroups(cmd *cobra.Command, groups ...Group) {
	cmd.Flags().SortFlags = false
	for _, g := range groups {
		for _, f := range g.Flags {
			added := add(cmd, cmd.Flags(), f)
			annotate(added, variableKey)
			annotate(added, groupKey, g.Title)
		}
	}
}

// AddGlobal adds flags to a command and those below it. Each has an environment variable.
func AddGlobal(cmd *cobra.Command, list ...Flag) {
	for _, f := range list {
		added := add(cmd, cmd.PersistentFlags(), f)
		annotate(added, variableKey)
		annotate(added, globalKey)
	}
}

func add(cmd *cobra.Command, set *pflag.FlagSet, f Flag) *pflag.Flag {
	added := set.VarPF(f.value, f.name, f.value.short, f.usage)
	if f.value.kind == kindSwitch {
		added.NoOptDefVal = "true"
	}
	if f.value.complete != nil {
		_ = cmd.RegisterFlagCompletionFunc(f.name, f.value.complete) // there is such a flag
	}
	return added
}

func annotate(f *pflag.Flag, key string, values ...string) {
	if f.Annotations == nil {
		f.Annotations = make(map[string][]string)
	}
	f.Annotations[key] = append(f.Annotations[key], values...)
}

// hasAnnotation reports whether a flag has an annotation.
func hasAnnotation(f *pflag.Flag, key string) bool {
	_, ok := f.Annotations[key]
	return ok
}

// GroupOf returns the group of a flag in the help.
func GroupOf(f *pflag.Flag) string { return append(slices.Clone(f.Annotations[groupKey]), "Flags")[0] }

// IsGlobal reports whether a flag is a global one.
func IsGlobal(f *pflag.Flag) bool { return hasAnnotation(f, globalKey) }

// HasVariable reports whether a flag has an environment variable.
func HasVariable(f *pflag.Flag) bool { return hasAnnotation(f, variableKey) }

// Use makes a command use global flags. It refuses others.
func Use(cmd *cobra.Command, names ...string) { mark(cmd, globalKey, names) }

// Used returns the global flags that a command uses.
func Used(cmd *cobra.Command) []string { return strings.Fields(cmd.Annotations[globalKey]) }

// MakeBrief adds the flag --help-all to a command, and lets its help show only some flags without it.
func MakeBrief(cmd *cobra.Command, names ...string) {
	Add(cmd, New(helpAll, "show all flags", Switch(new(bool))))
	mark(cmd, helpAll, append(names, "help", helpAll))
}

const helpAll = "help-all"

// Brief returns the flags that the help of a command shows, or nil for all.
func Brief(cmd *cobra.Command) []string {
	if HelpAll(cmd) {
		return nil
	}
	return strings.Fields(cmd.Annotations[helpAll])
}

// HelpAll reports whether --help-all was given.
func HelpAll(cmd *cobra.Command) bool { return cmd.Flags().Changed(helpAll) }

// mark keeps names in the annotations of a command.
func mark(cmd *cobra.Command, key string, names []string) {
	if cmd.Annotations == nil {
		cmd.Annotations = make(map[string]string)
	}
	cmd.Annotations[key] = strings.Join(names, " ")
}

// InProject lets the project file set the default of a flag.
func InProject(cmd *cobra.Command, name string) { annotate(cmd.Flags().Lookup(name), projectKey) }

// IsInProject reports whether the project file can set the default of a flag.
func IsInProject(f *pflag.Flag) bool { return hasAnnotation(f, projectKey) }

// Require makes flags required.
func Require(cmd *cobra.Command, names ...string) {
	for _, name := range names {
		_ = cmd.MarkFlagRequired(name) // there is such a flag
		f := cmd.Flags().Lookup(name)
		f.Usage, _, _ = strings.Cut(f.Usage, "; required") // of a flag that is not always required
		f.Usage += required
	}
}

const required = " (required)"

// Needs makes a flag require another one.
func Needs(cmd *cobra.Command, name, other string) {
	annotate(cmd.Flags().Lookup(name), needsKey, other)
}

// Exclusive refuses flags of a command that are used together.
func Exclusive(cmd *cobra.Command, names ...string) {
	cmd.MarkFlagsMutuallyExclusive(names...) // completion no longer offers the others
	annotate(cmd.Flags().Lookup(names[0]), exclusiveKey, strings.Join(names, " "))
}

// Together requires flags of a command together.
func Together(cmd *cobra.Command, names ...string) {
	cmd.MarkFlagsRequiredTogether(names...)
	annotate(cmd.Flags().Lookup(names[0]), togetherKey, strings.Join(names, " "))
}

// Variable returns the name of the environment variable of a flag.
func Variable(flag string) string {
	return "DATACHAIN_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// FromEnvironment sets the flags of a command that are not on the command line from their
// environment variables, except those to skip. It returns the variables that it used, by flag.
func FromEnvironment(cmd *cobra.Command, getenv func(string) string, skip func(*pflag.Flag) bool) (map[string]string, error) {
	var err error
	used := make(map[string]string)
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		name := Variable(f.Name)
		typed := getenv(name)
		if typed == "" || f.Changed || err != nil || !HasVariable(f) || skip(f) {
			return
		}
		used[f.Name] = name
		if e := cmd.Flags().Set(f.Name, typed); e != nil {
			err = errors.New(Explain(e, name))
		}
		if v, ok := f.Value.(*Value); ok && v.kind == kindSwitch && (typed == "off" || typed == "false") {
			f.Changed = false // as if it were not given
		}
	})
	return used, err
}

// Explain says what is wrong with the value of a flag, or of the variable that it came from. It
// returns "" for other errors.
func Explain(err error, variable string) string {
	if missing, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		return fmt.Sprintf("--%s requires a value: %s", missing.GetFlag().Name, allowed(missing.GetFlag()))
	}
	invalid, ok := errors.AsType[*pflag.InvalidValueError](err)
	if !ok {
		return ""
	}
	f := invalid.GetFlag()
	name := "--" + f.Name
	if variable != "" {
		name = variable
	}
	if v, ok := f.Value.(*Value); ok {
		return v.explain(name, invalid.GetValue())
	}
	return fmt.Sprintf("%s must be %s, not %s", name, allowed(f), wording.Quote(invalid.GetValue()))
}

// allowed says which values a flag takes.
func allowed(f *pflag.Flag) string {
	if v, ok := f.Value.(*Value); ok {
		return v.allowed
	}
	return "true or false" // such as --help
}

// Missing says that a required flag is missing.
func Missing(f *pflag.Flag) error {
	return fmt.Errorf("--%s is required: %s", f.Name, strings.TrimSuffix(f.Usage, required))
}

// Check returns an error if flags of a command are missing or can't be used together. Flags that
// were set by variables are named by these.
func Check(cmd *cobra.Command, variables map[string]string) error {
	named := func(name string) string { return cmp.Or(variables[name], "--"+name) }
	// inGroup returns the flags of a group, and those of them that were given.
	inGroup := func(group string) (all, given []string) {
		for name := range strings.FieldsSeq(group) {
			all = append(all, named(name))
			if cmd.Flags().Changed(name) {
				given = append(given, named(name))
			}
		}
		return all, given
	}
	var wrong []error
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if _, must := f.Annotations[cobra.BashCompOneRequiredFlag]; must && !f.Changed {
			wrong = append(wrong, Missing(f))
		}
		for _, other := range f.Annotations[needsKey] {
			if f.Changed && !cmd.Flags().Changed(other) {
				wrong = append(wrong, fmt.Errorf("%s requires --%s", named(f.Name), other))
			}
		}
		for _, group := range f.Annotations[togetherKey] {
			if all, given := inGroup(group); len(given) > 0 && len(given) < len(all) {
				wrong = append(wrong, fmt.Errorf("%s are required together", wording.And(all)))
			}
		}
		for _, group := range f.Annotations[exclusiveKey] {
			if _, given := inGroup(group); len(given) > 1 {
				slices.Sort(given)
				wrong = append(wrong, fmt.Errorf("%s can't be used together", wording.And(given)))
			}
		}
	})
	if len(wrong) == 0 {
		return nil
	}
	return wrong[0]
}
