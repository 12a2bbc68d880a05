package validate

import "github.com/datachain-go/datachain/taxonomy/document"

// Fits reports whether a document fits a schema.
func Fits(name string, doc *document.Document) bool { return shapes()[name].fits(doc.Root()) }

// CompileShape compiles a schema that is not embedded.
func CompileShape(text []byte) error {
	_, err := newShapeCompiler(func(string) *document.Document {
		doc, err := document.Parse(text)
		if err != nil {
			panic(err)
		}
		return doc
	}).compile("test", "")
	return err
}

// LoadSchema compiles the schema at a URL.
func LoadSchema(url string) error {
	_, err := newCompiler().Compile(url)
	return err
}

// FittingExamples reports for each example of the embedded schemas, by the URL of the
// schema, whether it fits.
func FittingExamples() map[string]bool {
	fit := make(map[string]bool)
	c := newShapeCompiler(readSchema)
	for _, name := range JSONSchemaNames() {
		if _, err := c.compile(name, ""); err != nil {
			panic(err)
		}
	}
	for _, s := range c.shapes {
		if s.example != nil {
			at := shapedValue{shape: s}
			fit[s.location] = at.fitsAs(s.example)
		}
	}
	return fit
}
