package search_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/goldentest"
	"github.com/datachain-go/datachain/search"
	"github.com/datachain-go/datachain/taxonomy"
)

// recordedSearch is a search with its result, a line of a file in testdata/recorded.
type recordedSearch struct {
	Query      string   `json:"query"`
	Categories []string `json:"categories,omitempty"`
	Whole      bool     `json:"whole,omitempty"`
	Offset     int      `json:"offset,omitempty"`
	Limit      int      `json:"limit,omitempty"`

	Total int `json:"total"`
	// Hits are the positions of the first elements, with their scores in units of
	// 1/65536 (0 in a release with mappings: an entry that the query names comes first,
	// and how far ahead does not matter). Places are those of the first hits, as field,
	// start and end.
	Hits   [][2]int `json:"hits,omitempty"`
	Places []string `json:"places,omitempty"`
}

// recordedFile is the searches of one index. Texts is a hash of the indexed texts: if it
// differs, the texts have changed and not the search.
type recordedFile struct {
	Texts    string           `json:"texts"`
	Searches []recordedSearch `json:"searches"`
}

// How many hits of a search are recorded, and how many with their places.
const (
	recordedHits   = 12
	recordedPlaces = 3
)

// record runs a search and keeps what it finds.
func record(x *search.Index, s *recordedSearch) {
	q := search.Query{Text: s.Query, Categories: s.Categories, WholeWords: s.Whole, Offset: s.Offset, Limit: s.Limit}
	found := must(x.Search(q))
	s.Total, s.Hits, s.Places = found.Total, nil, nil
	for i, h := range found.Hits[:min(recordedHits, len(found.Hits))] {
		score := int(h.Score * 65536)
		if len(x.Release().Manifest().Schemes) > 0 {
			score = 0
		}
		s.Hits = append(s.Hits, [2]int{h.Position, score})
		if i >= recordedPlaces {
			continue
		}
		var places []string
		for _, p := range x.Places(h.Element, q) {
			places = append(places, fmt.Sprintf("%s %d-%d", p.Field, p.Start, p.End))
		}
		s.Places = append(s.Places, strings.Join(places, ", "))
	}
}

// recordedIndexes returns the releases whose searches are recorded, and the searches: the
// judged queries over the sample taxonomies, in several forms, and generated queries over
// generated taxonomies without and with synonyms.
func recordedIndexes(t *testing.T) (releases map[string]*taxonomy.Release, searches map[string][]recordedSearch) {
	t.Helper()
	releases, searches = map[string]*taxonomy.Release{}, map[string][]recordedSearch{}
	l := newLab(t)
	for i, j := range slices.Concat(l.judged, l.heldOut, l.later, l.bare) {
		r := l.releases[j.Version]
		if r.Version().Status() != taxonomy.Stable {
			continue // its texts may change
		}
		locale, err := taxonomy.MatchLocale(r.Locales(), j.Locale)
		require.NoError(t, err)
		name := strings.ReplaceAll(j.Version, "@", "-") + "-" + locale
		releases[name] = r
		searches[name] = append(searches[name], recordedSearch{Query: j.Query})
		switch letters := []rune(j.Query); i % 5 {
		case 0:
			searches[name] = append(searches[name], recordedSearch{Query: j.Query, Whole: true})
		case 1:
			searches[name] = append(searches[name], recordedSearch{Query: j.Query, Categories: []string{r.Categories()[i%len(r.Categories())].ID, r.Categories()[0].ID}})
		case 2: // unfinished
			searches[name] = append(searches[name], recordedSearch{Query: string(letters[:len(letters)*2/3])})
		case 3: // two letters swapped
			k := i % (len(letters) - 1)
			letters[k], letters[k+1] = letters[k+1], letters[k]
			searches[name] = append(searches[name], recordedSearch{Query: string(letters), Offset: 2, Limit: 5})
		}
	}
	for i, elements := range []int{10, 300, 1025, 2600} {
		c := newCorpus(uint64(40+i), elements)
		var groups [][]string
		for range 10 {
			var group []string
			for range 2 + c.rng.IntN(3) {
				text, _ := c.phrase()
				group = append(group, text)
			}
			groups = append(groups, group)
		}
		plain, synonyms := fmt.Sprintf("generated-%d", elements), fmt.Sprintf("synonyms-%d", elements)
		releases[plain] = release(t, "en", c.docs...)
		releases[synonyms] = releaseWith(t, "en", groups, c.docs...)
		for range 45 {
			q, _ := c.query()
			s := recordedSearch{Query: q.Text, Categories: q.Categories, Whole: q.WholeWords, Offset: q.Offset, Limit: q.Limit}
			searches[plain] = append(searches[plain], s)
			for range 1 + c.rng.IntN(2) {
				group := groups[c.rng.IntN(len(groups))]
				s.Query += " " + group[c.rng.IntN(len(group))]
			}
			searches[synonyms] = append(searches[synonyms], s)
		}
	}
	return releases, searches
}

// textsOf returns a hash of the indexed texts of a release.
func textsOf(r *taxonomy.Release, locale string) string {
	h := sha256.New()
	for _, e := range r.Elements() {
		for _, l := range []taxonomy.Localized{e.Title, e.Description, e.Keywords} {
			text, _ := l.Get(locale)
			fmt.Fprintf(h, "%q %q", e.CategoryID, text)
		}
		for _, m := range e.Mappings {
			fmt.Fprintf(h, "%q", m.ID)
		}
	}
	for _, s := range r.Manifest().Synonyms {
		fmt.Fprintf(h, "%s %q", s.Locale, s.Groups)
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:8])
}

// TestRecorded compares searches with recorded ones: totals, order, scores and highlights.
// The files were written by an earlier implementation of the package documentation.
func TestRecorded(t *testing.T) {
	releases, searches := recordedIndexes(t)
	for name, r := range releases {
		t.Run(name, func(t *testing.T) {
			locale := name[strings.LastIndexByte(name, '-')+1:]
			if !slices.Contains(r.Locales(), locale) {
				locale = "en"
			}
			x, err := search.Build(r, locale)
			require.NoError(t, err)
			got := recordedFile{Texts: textsOf(r, locale), Searches: searches[name]}
			for i := range got.Searches {
				record(x, &got.Searches[i])
			}
			path := filepath.Join("testdata", "recorded", name+".json")
			if goldentest.Updating() {
				require.NoError(t, os.WriteFile(path, got.text(t), 0o644))
			}
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			var want recordedFile
			require.NoError(t, json.Unmarshal(text, &want))
			require.Equal(t, want.Texts, got.Texts, "the texts have changed")
			require.Len(t, got.Searches, len(want.Searches))
			for i, w := range want.Searches {
				require.Equal(t, w, got.Searches[i])
			}
		})
	}
}

// text returns the file with a line for each search.
func (r *recordedFile) text(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	fmt.Fprintf(&b, "{\"texts\": %q, \"searches\": [\n", r.Texts)
	for i, s := range r.Searches {
		line, err := json.Marshal(s)
		require.NoError(t, err)
		b.Write(line)
		if i < len(r.Searches)-1 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
	}
	b.WriteString("]}\n")
	return b.Bytes()
}
