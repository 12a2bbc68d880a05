package pages_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/register/product"
	"github.com/datachain-go/datachain/taxonomy/document"
)

const productAddress = "https://fairdesk.example/benefit-calculator.json"

// calculator returns the text of the product among the examples.
func calculator(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../examples/register/products/benefit-calculator.json")
	require.NoError(t, err)
	return string(text)
}

// productForm returns the form that asks for a product, with what was typed before.
func (s *site) productForm(name string) *composer {
	s.t.Helper()
	c := &composer{s, s.page("/compose?lang=en")}
	c.fill("name", name)
	c.press("product")
	require.Equal(s.t, "Start from a product", c.page.first(s.t, "h1").text())
	return c
}

// TestComposeProduct starts from a product, and answers what it leaves open. The document says which
// edition it is based on, and has nothing else that the product says about itself.
func TestComposeProduct(t *testing.T) {
	s := open(t, nil, nil)
	c := s.productForm("Housing benefit")
	c.fill("document", calculator(t))
	c.fill("from", " "+productAddress+" ")
	begun := time.Now().Truncate(time.Second)
	c.press("product")
	assert.Equal(t, "Housing benefit", c.page.first(t, "h1").text())
	assert.Equal(t, "name", c.opened(), "it has a title in another language, too")
	assert.Equal(t, "Calculateur d’aides", c.find("l:fr:title").attr("value"))

	parsed, err := document.Parse([]byte(c.document()))
	require.NoError(t, err)
	of, err := document.Parse([]byte(calculator(t)))
	require.NoError(t, err)
	based, ok := product.Base(parsed)
	require.True(t, ok)
	assert.Equal(t, product.Describe(of, productAddress), based)
	register, _ := parsed.Root().Get("register")
	assert.Equal(t, 1, register.Len(), "nothing else of the register is the supplier's to say")
	for _, key := range []string{"instance_version", "updated_at"} {
		_, has := parsed.Root().Get(key)
		assert.False(t, has, key)
	}
	assert.Equal(t, "housing-benefit", textOf(t, c.document(), "id"))
	at, err := time.Parse(time.RFC3339, textOf(t, c.document(), "created_at"))
	require.NoError(t, err)
	assert.WithinRange(t, at, begun, time.Now())
	assert.Contains(t, c.page.first(t, ".finish").text(), "Hand in the supplier’s file as well")
	assert.Contains(t, c.page.first(t, ".finish").text(), ".bases/"+product.Edition(of)+".json")

	// The gaps are the questions to answer.
	c = s.productForm("")
	c.fill("document", calculator(t))
	c.press("product")
	assert.Equal(t, "Benefit calculator", c.page.first(t, "h1").text())
	for question, mark := range map[string]string{
		"c-purpose": "todo", "c-accountable": "todo", "c-decision": "todo", "c-rights": "todo", "c-technique": "done", "c-risk": "done",
	} {
		assert.Equal(t, mark, c.mark(question), question)
	}
	assert.Contains(t, c.page.first(t, "#progress").text(), "1 of 6 required questions answered.", "a gap is no answer")
	assert.Empty(t, c.page.all(".wrong"), "nobody has left one yet")
	c.press("next")
	assert.Equal(t, "where", c.opened())
	c.press("next")
	assert.Equal(t, "c-purpose", c.opened())
	c.press("next")
	assert.Equal(t, "c-accountable", c.opened())
	assert.Equal(t, "bad", c.mark("c-purpose"))
	for name, value := range map[string]string{"0:service": "Benefits", "1:organisation": "Lindenau", "1:contact": "0123 45", "3:role": "case officer"} {
		c.fill("v:en:"+name, value)
		c.fill("v:fr:"+name, value)
	}
	c.press("open c-input_data")
	c.press("place:input_data.identity")
	c.tick("t:elements[7].context_type_id", "personal", true)
	c.tick("o:7:origin", "from_you", true)
	c.press("open c-rights")
	c.press("place:rights.explanation")
	c.press("place:rights.person")
	for _, lang := range []string{"en", "fr"} {
		c.fill("v:"+lang+":8:contact", "0123 45")
		c.fill("v:"+lang+":9:contact", "0123 45")
	}
	c.press("check")
	assert.Empty(t, c.problems())
	assert.Contains(t, c.page.first(t, "#progress").text(), "6 of 6 required questions answered.")
	assert.Contains(t, c.document(), `"edition": "`+product.Edition(of)+`"`)
	assert.Contains(t, c.press("page").body, "Fairdesk Cooperative")
}

// TestComposeNoProduct says why a text can't be started from, and what to do, and loses nothing that
// was typed.
func TestComposeNoProduct(t *testing.T) {
	s := open(t, nil, nil)
	with := func(was, is string) string {
		text := strings.Replace(calculator(t), was, is, 1)
		require.NotEqual(t, calculator(t), text)
		return text
	}
	for name, c := range map[string]struct{ text, address, says string }{
		"a document":       {valid(t, "benefits.json"), "", "This file does not describe a product."},
		"a list":           {"[]", "", "This file does not describe a product."},
		"no JSON":          {calculator(t)[1:], "", "This product can't be used."},
		"a mistake":        {with(`"elevated"`, `"huge"`), "", "This product can't be used."},
		"a closed gap":     {with(`, "rights"]`, `]`), "", "The category rights is required"},
		"no supplier":      {with(`"supplier"`, `"seller"`), "", "This product can't be used."},
		"an old version":   {with(`ai@2026-11-15-stable`, `ai@2020-01-01-stable`), "", "This product can't be used."},
		"no secure page":   {calculator(t), "http://fairdesk.example/p.json", "Write an address that begins with https://."},
		"a script":         {calculator(t), "javascript:alert(1)", "Write an address that begins with https://."},
		"with credentials": {calculator(t), "https://a:b@fairdesk.example/", "Write an address that begins with https://."},
		"a long address":   {calculator(t), "https://fairdesk.example/" + strings.Repeat("x", 400), "Write an address that begins with https://."},
	} {
		t.Run(name, func(t *testing.T) {
			own := (&site{t, s.url}).productForm("Typed <before>")
			own.fill("document", c.text)
			own.fill("from", c.address)
			own.press("product")
			assert.Equal(t, "Start from a product", own.page.first(t, "h1").text())
			assert.Contains(t, own.page.text(), c.says)
			assert.Equal(t, c.text, own.page.first(t, "#document").raw())
			assert.Equal(t, c.address, own.find("from").attr("value"))
			// It is started from as soon as that is possible.
			own.fill("document", calculator(t))
			own.fill("from", productAddress)
			own.press("product")
			assert.Equal(t, "Typed <before>", own.page.first(t, "h1").text())
		})
	}
	// What is not a product can be opened as it is.
	c := s.productForm("")
	c.fill("document", valid(t, "benefits.json"))
	c.press("product")
	c.press("check")
	assert.Equal(t, valid(t, "benefits.json"), c.document())
}

// TestComposeOpenedProduct offers to start from a product that was opened like a document, which no
// register would show.
func TestComposeOpenedProduct(t *testing.T) {
	s := open(t, nil, nil)
	c := s.openDocument(calculator(t))
	assert.Contains(t, c.page.text(), "This file describes a product, and a register shows only systems.")
	assert.Equal(t, calculator(t), c.document(), "its supplier can change it")
	c.press("product")
	assert.NotContains(t, c.page.text(), "This file describes a product")
	assert.Contains(t, c.document(), `"based_on"`)
	assert.NotContains(t, c.document(), `"product"`)
	c = s.openDocument(c.document())
	assert.NotContains(t, c.page.first(t, ".finish").text(), "Hand in", "it was handed in already, or can't be any more")
}
