package sign_test

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/pages/sheet"
	"github.com/datachain-go/datachain/pages/sign"
	"github.com/datachain-go/datachain/pages/summary"
)

func ExampleDrawer_SVG() {
	store, err := published.Store()
	if err != nil {
		panic(err)
	}
	service, err := datachain.New(store, nil)
	if err != nil {
		panic(err)
	}
	sample, _ := documents.Find("crossing-camera.json")
	_, shown, err := service.Present(context.Background(), sample.Text)
	if err != nil {
		panic(err)
	}
	drawer, err := sign.New(nil)
	if err != nil {
		panic(err)
	}
	svg, err := drawer.SVG(context.Background(), &sheet.Subject{
		Presentation: shown, Summary: summary.Of(shown.Datachain, shown.Release, nil),
		Address: "https://register.example.org/d/crossing/", Date: time.Date(2026, 11, 18, 0, 0, 0, 0, time.UTC),
	}, &sheet.Options{Size: sheet.A4})
	if err != nil {
		panic(err)
	}
	fmt.Println(strings.Contains(string(svg), `viewBox="0 0 210 297"`), strings.Contains(string(svg), "<text"))
	// Output: true false
}
