package phrases_test

import (
	"fmt"
	"html/template"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/taxonomy"
)

// TestText names the language and the direction of a text if they are not those of the page.
func TestText(t *testing.T) {
	for _, c := range []struct{ page, locale, within, inline, paragraph string }{
		{"en", "en", "", `<bdi>a&lt;b</bdi>`, `<p class="x">a&lt;b</p>`},
		{"en", "EN", "", `<bdi>a&lt;b</bdi>`, `<p class="x">a&lt;b</p>`},
		{"en", "fr", "", `<bdi lang="fr">a&lt;b</bdi>`, `<p class="x" lang="fr">a&lt;b</p>`},
		{"en", "ar", "", `<bdi lang="ar" dir="rtl">a&lt;b</bdi>`, `<p class="x" lang="ar" dir="rtl">a&lt;b</p>`},
		{"ar", "ar", "", `<bdi dir="rtl">a&lt;b</bdi>`, `<p class="x">a&lt;b</p>`},
		{"ar", "en", "", `<bdi lang="en" dir="ltr">a&lt;b</bdi>`, `<p class="x" lang="en" dir="ltr">a&lt;b</p>`},
		{"ja", "ja", "en", `<bdi lang="ja">a&lt;b</bdi>`, `<p class="x" lang="ja">a&lt;b</p>`},
		{"ja", "en", "en", `<bdi>a&lt;b</bdi>`, `<p class="x">a&lt;b</p>`},
		{"en", "", "", `<bdi>a&lt;b</bdi>`, `<p class="x" dir="auto">a&lt;b</p>`},
		{"ar", `"x`, "", `<bdi>a&lt;b</bdi>`, `<p class="x" dir="auto">a&lt;b</p>`},
	} {
		chooser := phrases.NewChooser([]string{c.page}, "")
		if c.within != "" {
			chooser = chooser.Within(c.within)
		}
		text := chooser.In("a<b\u202e", c.locale)
		assert.Equal(t, "a<b", text.String())
		assert.Equal(t, c.inline, string(text.HTML()), "%s on a page in %s", c.locale, c.page)
		assert.Equal(t, c.paragraph, string(text.As("p", "x")), "%s on a page in %s", c.locale, c.page)
	}
	chooser := phrases.NewChooser([]string{"en"}, "")
	assert.Equal(t, "id.1", chooser.Name(taxonomy.Localized{{Locale: "fr", Value: " "}}, "id.1").Value)
	assert.Empty(t, chooser.Text(nil).HTML())
	assert.True(t, chooser.In("x", "fr").Foreign("en-GB"))
	assert.False(t, chooser.In("x", "en").Foreign("en-GB"))
}

func ExampleText() {
	page := phrases.NewChooser([]string{"en", "ar"}, "en")
	text := page.Text(taxonomy.Localized{{Locale: "ar", Value: "كاميرا"}})
	text.Mark = template.HTML(" <small>Arabic</small>")
	fmt.Println(text.HTML())
	fmt.Println(text.Unmarked().As("option"))
	// Output:
	// <bdi lang="ar" dir="rtl">كاميرا <small>Arabic</small></bdi>
	// <option lang="ar" dir="rtl">كاميرا</option>
}
