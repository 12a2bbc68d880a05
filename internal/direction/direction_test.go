package direction_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/direction"
)

func TestOf(t *testing.T) {
	for locale, want := range map[string]string{
		"ar": "rtl", "AR-eg": "rtl", "he": "rtl", "fa-IR": "rtl", "ur": "rtl", "az-Arab": "rtl", "ks-Arab-IN": "rtl", "yi": "rtl",
		"en": "ltr", "ur-Latn": "ltr", "he-Latn-IL": "ltr", "tlh-u-x-arab": "ltr", "zh-Hant": "ltr", "de-1996": "ltr", "": "ltr", "arn": "ltr",
	} {
		require.Equal(t, want, direction.Of(locale), locale)
	}
}

func ExampleOf() {
	fmt.Println(direction.Of("ar-EG"), direction.Of("az"), direction.Of("az-Arab"))
	// Output: rtl ltr rtl
}
