package published_test

import (
	"bytes"
	"fmt"
	"io"

	"github.com/datachain-go/datachain/internal/published"
)

func ExampleContainer() {
	var file bytes.Buffer
	w := published.NewPackWriter(&file)
	_ = w.Begin(published.IconsSection)
	err := published.WriteTable(w, published.Contents{
		Keys:   []string{published.IconKey("camera", "dark"), published.IconKey("lidar", "dark")},
		Shares: []uint32{0, 0}, // both have the same icon
		Sizes:  []int{6},
		WriteValues: func(w io.Writer) error {
			_, err := io.WriteString(w, "<svg/>")
			return err
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := w.Close(); err != nil {
		fmt.Println(err)
		return
	}

	p, err := published.OpenContainer(file.Bytes())
	if err != nil {
		fmt.Println(err)
		return
	}
	section, _ := p.Section(published.IconsSection)
	icons, err := published.OpenTable(section)
	if err != nil {
		fmt.Println(err)
		return
	}
	icon, ok := icons.Get(published.IconKey("lidar", "dark"))
	fmt.Printf("%s %v, %d of %d\n", icon, ok, icons.Values(), icons.Len())
	// Output: <svg/> true, 1 of 2
}
