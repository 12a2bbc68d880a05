package texts_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/texts"
)

func TestDirection(t *testing.T) {
	for locale, want := range map[string]string{
		"ar": "rtl", "AR-eg": "rtl", "he": "rtl", "fa-IR": "rtl", "ur": "rtl", "az-Arab": "rtl", "ks-Arab-IN": "rtl", "yi": "rtl",
		"en": "ltr", "ur-Latn": "ltr", "he-Latn-IL": "ltr", "tlh-u-x-arab": "ltr", "zh-Hant": "ltr", "de-1996": "ltr", "": "ltr", "arn": "ltr",
	} {
		require.Equal(t, want, texts.Direction(locale), locale)
	}
}

func ExampleDirection() {
	fmt.Println(texts.Direction("ar-EG"), texts.Direction("az"), texts.Direction("az-Arab"))
	// Output: rtl ltr rtl
}
