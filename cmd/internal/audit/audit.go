// Package audit verifies everything that a server would serve from a store.
package audit

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/datachain-go/datachain/adapters/storekit/layout"
	"github.com/datachain-go/datachain/adapters/storekit/watch"
	"github.com/datachain-go/datachain/history"
	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/release/documents"
	"github.com/datachain-go/datachain/release/trust"
	"github.com/datachain-go/datachain/release/trust/signedlog"
	"github.com/datachain-go/datachain/taxonomy"
)

// Result is what [Store] found.
type Result struct {
	// Problems are sentences about the store as a whole.
	Problems []string
	// Accepted is the problem that AcceptRemovals accepts, or "".
	Accepted string
	// Documents is how many documents there are, and Editions how many texts of them were
	// verified.
	Documents, Editions int
}

// Version is a version and what is wrong with it.
type Version struct {
	taxonomy.Entry
	// Release is nil if it could not be loaded.
	Release *taxonomy.Release
	// Icons is how many icons it has, and BakedIcons how many of them the store has.
	Icons, BakedIcons int
	Problems          []string
}

// Options configure [Store]. All fields can be zero.
type Options struct {
	// Trust verifies the log, which Log reads. The store was opened with it.
	Trust *trust.Trust
	Log   signedlog.ReadFunc
	// Last is the index that a server has cached. It is a problem if the store has an older one, unless
	// AcceptRemovals is set. With Trust the log decides that.
	Last           *taxonomy.Index
	AcceptRemovals bool
	// Register opens the documents. It may return nil.
	Register func() (*register.Register, error)
	// Version is called with each version after it was verified.
	Version func(*Version)
}

// Store verifies everything that a server would serve from a store: what became of ids, its log, every
// edition of its documents, their settings, and every version with its symbols and icons. It fails only if the store can't be
// read.
func Store(ctx context.Context, store taxonomy.Store, o Options) (*Result, error) {
	x, err := store.Index(ctx)
	if err != nil {
		return nil, err
	}
	c := new(Result)
	if err := history.Check(x); err != nil {
		c.Problems = append(c.Problems, wording.Sentence(err.Error())+".")
	}
	if o.Trust != nil && o.Log != nil {
		if err := c.log(ctx, o.Log, o.Trust); err != nil {
			return nil, err
		}
	}
	for _, r := range x.Retired() {
		if problem := checkBound(ctx, store, r.ID, r.ContentHash); problem != "" {
			c.Problems = append(c.Problems, r.ID.String()+" (retired): "+problem)
		}
	}
	if o.Register != nil {
		r, err := o.Register()
		if err != nil && ctx.Err() == nil {
			c.Problems = append(c.Problems, wording.Sentence(err.Error())+".")
		}
		if r != nil {
			c.documents(ctx, r)
			_ = r.Close() // it was only read
		}
		if files, ok := store.(register.Files); ok {
			if err := c.settings(ctx, files); err != nil {
				return nil, err
			}
		}
	}
	for _, e := range x.Entries() {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		v, err := Check(ctx, store, e)
		if err != nil {
			return nil, err
		}
		if o.Version != nil {
			o.Version(v)
		}
	}
	switch err := watch.CheckIndex(o.Last, x); {
	case err == nil || o.Trust != nil: // then the log decides
	case o.AcceptRemovals:
		c.Accepted = wording.Sentence(err.Error()) + "; a server accepts this at one start with --accept-removals."
	default:
		c.Problems = append(c.Problems, wording.Sentence(err.Error())+
			". A server with this cache serves the index before it: restore the index, or accept it at one start with --accept-removals.")
	}
	return c, ctx.Err()
}

// log replays the whole log of a store, since the index may follow from fewer entries. It also
// reports a last entry in the future; entries are in order of time.
func (c *Result) log(ctx context.Context, read signedlog.ReadFunc, trusted *trust.Trust) error {
	now := time.Now()
	log, err := signedlog.Replay(ctx, (*signedlog.Trust)(trusted), read, now)
	switch {
	case trust.Reason(err) != "":
		c.Problems = append(c.Problems, wording.Sentence(err.Error())+".")
	case err != nil:
		return err
	case len(log.Entries) > 0 && log.Entries[len(log.Entries)-1].Time.Sub(now) > signedlog.ClockTolerance:
		c.Problems = append(c.Problems, fmt.Sprintf(
			"The last entry of the log is of %s, which is in the future: the clock of its publisher was wrong, or that of this machine is, which shows %s.",
			log.Entries[len(log.Entries)-1].Time.Format(time.RFC3339), now.UTC().Format(time.RFC3339)))
	}
	return nil
}

// documents reads every edition of the documents of a register.
func (c *Result) documents(ctx context.Context, r *register.Register) {
	for _, refused := range r.State().Refused() {
		for _, i := range refused.Issues {
			i.Position.File = ""
			c.Problems = append(c.Problems, fmt.Sprintf("The document %s is refused: %s", refused.File, i))
		}
	}
	for _, d := range r.State().Documents() {
		c.Documents++
		for _, e := range d.Editions {
			if e.Erased != nil {
				continue
			}
			c.Editions++
			for _, kind := range []register.TextKind{register.Thin, register.Resolved} {
				if err := r.CheckText(ctx, d, e.Hash, kind); err != nil && ctx.Err() == nil {
					c.Problems = append(c.Problems, fmt.Sprintf("The %s form of edition %s of %s can't be used: %v.", kind, e.Short(), d.Slug, err))
				}
			}
		}
	}
}

// settings compares the settings of the register, and the copy of them that readers use while they
// are replaced, with the hash in the index of documents. A register that can't read the index has
// said so.
func (c *Result) settings(ctx context.Context, files register.Files) error {
	text, _, err := files.ReadFile(ctx, documents.IndexFile, "", documents.MaxIndex)
	if err != nil {
		return ctx.Err()
	}
	x, err := documents.Decode(text)
	if err != nil || x.Register.IsZero() {
		return ctx.Err()
	}
	for _, name := range []string{documents.SettingsFile, documents.SettingsCopy(x.Register)} {
		text, _, err := files.ReadFile(ctx, name, "", documents.MaxDocument)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			c.Problems = append(c.Problems, fmt.Sprintf("%s can't be read: %v: restore it, or publish the documents again.", name, err))
		case taxonomy.Hash(sha256.Sum256(text)) != x.Register:
			c.Problems = append(c.Problems, fmt.Sprintf("%s has other content than %s names: restore it, or publish the documents again.", name, documents.IndexFile))
		}
	}
	return nil
}

// Check loads and verifies a version. It fails only if the context ends.
func Check(ctx context.Context, store taxonomy.Store, e taxonomy.Entry) (*Version, error) {
	v := &Version{Entry: e}
	if problem := checkBound(ctx, store, e.ID, e.ContentHash); problem != "" {
		v.found("%s", problem)
	}
	r, err := store.Release(ctx, e.ID)
	switch {
	case ctx.Err() != nil:
		return v, ctx.Err()
	case err != nil:
		v.found("The release can't be loaded: %v.", err)
		return v, nil
	case r.ContentHash() != e.ContentHash:
		v.found("The content hash of the release is %s, but the index has %s.", r.ContentHash(), e.ContentHash)
	}
	v.Release = r
	v.checkSymbols(r)
	if err := v.checkIcons(ctx, store, r); err != nil {
		return v, err
	}
	return v, ctx.Err()
}

func (v *Version) found(format string, args ...any) {
	v.Problems = append(v.Problems, fmt.Sprintf(format, args...))
}

// checkBound returns what is wrong if the store says that a version is bound to other content, or
// "". Servers don't say it.
func checkBound(ctx context.Context, store taxonomy.Store, v taxonomy.Version, has taxonomy.Hash) string {
	files, ok := store.(register.Files)
	if !ok || v.Status() != taxonomy.Stable {
		return ""
	}
	var h taxonomy.Hash
	text, _, err := files.ReadFile(ctx, layout.Bound(v), "", layout.MaxBound)
	if err == nil {
		h, err = layout.ParseBound(text)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return ""
	case err != nil:
		return fmt.Sprintf("The content that it is bound to can't be read: %v.", err)
	case h != has:
		return fmt.Sprintf("It is bound to the content %s, but the index has %s: restore the index.", h, has)
	}
	return ""
}

// checkSymbols checks that symbols are safe and as they are published.
func (v *Version) checkSymbols(r *taxonomy.Release) {
	for _, id := range r.SymbolIDs() {
		text, _ := r.Symbol(id)
		symbol, issues := icons.Sanitize([]byte(text))
		switch {
		case symbol == nil:
			v.found("The symbol %s is not safe: %s", id, issues[0].Message)
		case string(symbol.SVG()) != text:
			v.found("The symbol %s is not in its published form: publish the version again.", id)
		}
	}
}

// checkIcons draws every icon and compares it with the one in the store.
func (v *Version) checkIcons(ctx context.Context, store taxonomy.Store, r *taxonomy.Release) error {
	set, err := icons.NewSet(r, &icons.SetOptions{CacheBytes: -1})
	if err != nil {
		return err
	}
	held, holds := store.(taxonomy.IconStore)
	for _, e := range r.Elements() {
		for _, variant := range e.IconVariants {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			v.Icons++
			drawn, err := set.Icon(e.ID, variant)
			if err != nil {
				v.found("The icon %s/%s can't be drawn: %v.", e.ID, variant, err)
				continue
			}
			if !holds {
				continue
			}
			baked, err := held.Icon(ctx, r, e.ID, variant)
			switch {
			case errors.Is(err, taxonomy.ErrNotFound):
			case err != nil:
				v.found("The icon %s/%s can't be read: %v.", e.ID, variant, err)
			case !bytes.Equal(baked, drawn):
				v.found("The icon %s/%s is out of date: run 'datachain icons bake'.", e.ID, variant)
			default:
				v.BakedIcons++
			}
		}
	}
	return nil
}
