package stores

import (
	"fmt"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/cmd/internal/report"
	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// Row is a schema version in the output of several commands.
type Row struct {
	ID          taxonomy.Version `json:"id"`
	Status      taxonomy.Status  `json:"status"`
	ContentHash taxonomy.Hash    `json:"content_hash"`
	Aliases     []string         `json:"aliases"`
	Released    string           `json:"released,omitempty"`
	taxonomy.State
	Categories int `json:"categories"`
	Elements   int `json:"elements"`
	Symbols    int `json:"symbols"`
}

// NewRow describes a release.
func NewRow(e taxonomy.Entry, r *taxonomy.Release) Row {
	return Row{
		ID: e.ID, Status: e.Status, ContentHash: e.ContentHash, Aliases: e.Aliases, Released: e.Released, State: e.State,
		Categories: len(r.Categories()), Elements: len(r.ElementIDs()), Symbols: len(r.SymbolIDs()),
	}
}

// RowTable returns rows for people, the first being the heading.
func RowTable(rows []Row) [][]string {
	text := [][]string{{"VERSION", "ELEMENTS", "HASH", "ALIASES"}}
	for _, r := range rows {
		text = append(text, []string{r.ID.String(), fmt.Sprint(r.Elements), report.ShortHash(r.ContentHash), strings.Join(r.Aliases, " ")})
	}
	return text
}

// Published is a version that was published.
type Published struct {
	Row
	// Result is "new", "again" if the version was retired, "changed", "aliases",
	// "released" or "icons" if only those have changed, or "unchanged".
	Result string `json:"result"`
}

// PublishedRows compares what was published with what was there before.
func PublishedRows(pubs []listing.Publication, report *publish.Report) []Published {
	list := []Published{}
	for _, pub := range pubs {
		now, _ := report.Index.Lookup(pub.Release.Version().Ref())
		row := Published{NewRow(now, pub.Release), "new"}
		if _, retired := report.Before.LookupRetired(now.ID); retired {
			row.Result = "again"
		}
		if then, listed := report.Before.Lookup(now.ID.Ref()); listed {
			switch {
			case then.ContentHash != now.ContentHash:
				row.Result = "changed"
			case !slices.Equal(then.Aliases, now.Aliases):
				row.Result = "aliases"
			case then.Released != now.Released:
				row.Result = "released"
			case then.Archive != now.Archive:
				row.Result = "icons"
			default:
				row.Result = "unchanged"
			}
		}
		list = append(list, row)
	}
	return list
}
