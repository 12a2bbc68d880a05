package i18n_test

import (
	"fmt"
	"testing"

	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/stretchr/testify/require"
)

func TestDirection(t *testing.T) {
	for locale, want := range map[string]string{
		"ar": "rtl", "AR-eg": "rtl", "he": "rtl", "fa-IR": "rtl", "ur": "rtl", "az-Arab": "rtl", "ks-Arab-IN": "rtl", "yi": "rtl",
		"en": "ltr", "ur-Latn": "ltr", "he-Latn-IL": "ltr", "tlh-u-x-arab": "ltr", "zh-Hant": "ltr", "de-1996": "ltr", "": "ltr", "arn": "ltr",
	} {
		require.Equal(t, want, i18n.Direction(locale), locale)
	}
}

func ExampleDirection() {
	fmt.Println(i18n.Direction("ar-EG"), i18n.Direction("az"), i18n.Direction("az-Arab"))
	// Output: rtl ltr rtl
}
