package words

import (
	"bytes"
	"encoding/csv"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/goldentest"
	"github.com/datachain-go/datachain/internal/jsonfields"
	"github.com/datachain-go/datachain/internal/wordtable/wordtabletest"
	"github.com/datachain-go/datachain/taxonomy"
)

// TestWords checks that the tables of words are complete in every language, have as many
// places for values as in English, and contain no HTML. docs/words.csv lists all of them, for
// translators; UPDATE=1 writes it.
func TestWords(t *testing.T) {
	var all [][]string
	for _, table := range []struct{ prefix, file string }{{"", "../../view/words.csv"}, {"", "../../phrases/words.csv"}, {"explorer.", "words.csv"}} {
		raw, err := os.ReadFile(table.file)
		require.NoError(t, err)
		rows, err := csv.NewReader(bytes.NewReader(raw)).ReadAll()
		require.NoError(t, err)
		require.Equal(t, []string{"lang", "en", "fr", "es", "de", "it", "pt", "nl", "ar"}, rows[0], table.file)
		for _, row := range rows[1:] {
			checkRow(t, row)
			row[0] = table.prefix + row[0]
		}
		if len(all) > 0 {
			rows = rows[1:]
		}
		all = append(all, rows...)
	}
	var got bytes.Buffer
	require.NoError(t, csv.NewWriter(&got).WriteAll(all))
	goldentest.File(t, "../../../docs/words.csv", got.String())
}

// checkRow checks a word in all languages. Of ours, only Arabic has more than two plurals,
// and says one and two without a number.
func checkRow(t *testing.T, row []string) {
	t.Helper()
	form := row[0][strings.LastIndexByte(row[0], '.')+1:]
	special := slices.Contains([]string{"two", "few", "many"}, form)
	for i, word := range row[1:] {
		arabic := i == len(row)-2
		assert.Equal(t, special && !arabic, word == "", "%s in %d", row[0], i)
		assert.NotRegexp(t, `[<>&"]`, word, row[0])
		if !special && !(arabic && form == "one") {
			assert.Equal(t, verb.FindAllString(row[1], -1), verb.FindAllString(word, -1), "%s in %d", row[0], i)
		}
	}
}

// TestUnusedWords checks that pages use every word: code or a template has its key, or the part up
// to a period, whose words are chosen by a value.
func TestUnusedWords(t *testing.T) {
	named := make(map[string]bool)
	for _, dir := range []string{"..", "../../view", "../../phrases", "../../../internal/wordtable"} {
		require.NoError(t, fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || strings.HasSuffix(path, "_test.go") || !slices.Contains([]string{".go", ".html", ".js"}, filepath.Ext(path)) {
				return err
			}
			text, err := os.ReadFile(filepath.Join(dir, path))
			for _, m := range quoted.FindAllSubmatch(text, -1) {
				named[string(m[2])] = true
				if len(m[1]) > 0 {
					named[string(m[2])+"."] = true
				}
			}
			return err
		}))
	}
	for _, file := range []string{"../../view/words.csv", "../../phrases/words.csv", "words.csv"} {
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		rows, err := csv.NewReader(bytes.NewReader(raw)).ReadAll()
		require.NoError(t, err)
		for _, row := range rows[1:] {
			key := plural.ReplaceAllString(row[0], "")
			used := named[key] || named[row[0]]
			for at, c := range row[0] {
				used = used || c == '.' && named[row[0][:at+1]]
			}
			assert.True(t, used, "%s: no page uses %s", file, row[0])
		}
	}
}

// quoted is a text in quotes that can be a key, or the beginning of one.
var quoted = regexp.MustCompile(`(Below\()?["'` + "`" + `]([\w.]+)["'` + "`" + `]`)

// plural is the end of the key of a noun with its number.
var plural = regexp.MustCompile(`\.(one|two|few|many|other)$`)

// verb is a place for a value.
var verb = regexp.MustCompile(`%(\[\d\])?s`)

// TestWordsForFields checks that the comparison of versions has a word for each field of the
// model that a change can be about. Sources and synonyms are compared as a whole.
func TestWordsForFields(t *testing.T) {
	for _, part := range []any{taxonomy.Manifest{}, taxonomy.Type{}, taxonomy.Category{}, taxonomy.Element{}} {
		jsonfields.Structs(reflect.TypeOf(part), func(of reflect.Type, list []jsonfields.Field) {
			switch reflect.Zero(of).Interface().(type) {
			case taxonomy.Source, taxonomy.Synonyms, taxonomy.Text:
				return
			}
			for _, f := range list {
				if f.Name != "id" && f.Name != "content_hash" {
					assert.NotEmpty(t, Languages().In("en").Word("compare.fields."+f.Name), "%s: add compare.fields.%s to words.csv", of, f.Name)
				}
			}
		})
	}
}

func TestCount(t *testing.T) {
	for lang, want := range map[string]string{
		"en": "0 elements, 1 element, 2 elements, 12,345 elements",
		"fr": "0 élément, 1 élément, 2 éléments, 12\u202F345 éléments",
		"es": "0 elementos, 1 elemento, 2 elementos, 12\u00A0345 elementos",
		"de": "0 Elemente, 1 Element, 2 Elemente, 12.345 Elemente",
		"pt": "0 elemento, 1 elemento, 2 elementos, 12\u00A0345 elementos", // as Intl.PluralRules has it
	} {
		w := Languages().In(lang)
		var got []string
		for _, n := range []int{0, 1, 2, 12345} {
			got = append(got, w.Count("layout.elements", n))
		}
		assert.Equal(t, want, strings.Join(got, ", "))
	}
	ar := Languages().In("ar")
	for n, form := range map[int]string{1: "one", 2: "two", 3: "few", 10: "few", 11: "many", 99: "many", 100: "other", 101: "other", 103: "few", 0: "other"} {
		assert.Equal(t, ar.Word("layout.elements."+form, strconv.Itoa(n)), ar.Count("layout.elements", n))
	}
}

func TestKeys(t *testing.T) {
	wordtabletest.Check(t, "../*")
	for _, shape := range taxonomy.Shapes() {
		assert.NotEmpty(t, Languages().In("en").Word("element.shapes."+string(shape)))
	}
}
