package source_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// TestUnderscores has tags with an underscore, such as pt_BR. Each mistake is
// reported once, where it is, with the right spelling.
func TestUnderscores(t *testing.T) {
	v := taxonomy.MustVersion("robot@2026-01-01-beta")
	lint := func(locales, title string) issue.Issues {
		fsys := fstest.MapFS{}
		for name, data := range source.Starter(v) {
			text := strings.Replace(string(data), "locales: [en]", "locales: "+locales, 1)
			text = strings.Replace(text, "en: Providing a service", title, 1)
			fsys["robot/"+v.Folder()+"/"+name] = &fstest.MapFile{Data: []byte(text)}
		}
		c, err := source.Compile(fsys, v, nil)
		require.NoError(t, err)
		var errors issue.Issues
		for _, i := range c.Issues {
			if i.Severity == issue.SeverityError {
				errors = append(errors, i)
			}
		}
		return errors
	}
	inSchema := lint("[en, pt_BR]", "{en: Service, pt-BR: Serviço}")
	require.Len(t, inSchema, 1)
	require.Equal(t, issue.CodeLocaleMalformed, inSchema[0].Code)
	require.Equal(t, "write pt-BR", inSchema[0].FixHint)

	inText := lint("[en, pt-BR]", "{en: Service, pt_BR: Serviço}")
	require.Len(t, inText, 1)
	require.Equal(t, issue.CodeLocaleNotAllowed, inText[0].Code)
	require.Equal(t, "write pt-BR", inText[0].FixHint)

	require.Empty(t, lint("[en, pt-BR]", "{en: Service, pt-br: Serviço}"))
}
