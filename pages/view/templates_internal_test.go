package view

import (
	"html/template"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestTemplates executes each template with values that try to be something else, and compares the
// result with that of html/template, which escapes by context.
func TestTemplates(t *testing.T) {
	m := markup{messages: messagesFor("fr"), prefix: "fr-"}
	reference, err := template.New("page").Funcs(template.FuncMap{
		"word": func(key string) template.HTML { return template.HTML(m.messages.Word(key)) },
		"ui":   func() template.HTMLAttr { return template.HTMLAttr(m.messages.UI) }, "prefix": func() string { return m.prefix },
	}).Parse(templateText)
	require.NoError(t, err)
	compareTemplate[openView](t, reference, m, "open")
	compareTemplate[topView](t, reference, m, "top")
	compareTemplate[summaryView](t, reference, m, "summary")
	compareTemplate[[]valueView](t, reference, m, "values")
	compareTemplate[aboutView](t, reference, m, "about")
	compareTemplate[besideView](t, reference, m, "beside")
	compareTemplate[flowsView](t, reference, m, "flows")
	compareTemplate[categoryView](t, reference, m, "category")
	compareTemplate[articleView](t, reference, m, "article")
	compareTemplate[bottomView](t, reference, m, "bottom")
	compareTemplate[closeView](t, reference, m, "close")
	compareTemplate[placeholderView](t, reference, m, "placeholder")
	for name := range templateTrees() {
		if !strings.Contains(templateText, `{{template "`+name+`"`) && name != "page" {
			assert.True(t, compared[name], "the template %s is not compared", name)
		}
	}
}

var compared = make(map[string]bool)

// compareTemplate executes a template with a value of which all fields are set, and with one that is empty.
func compareTemplate[T any](t *testing.T, reference *template.Template, m markup, name string) {
	t.Helper()
	compared[name] = true
	full := new(T)
	fill(reflect.ValueOf(full).Elem(), 0)
	for _, data := range []*T{full, new(T)} {
		got := m
		part[T](name)(&got, data)
		var want strings.Builder
		require.NoError(t, reference.ExecuteTemplate(&want, name, converted(reflect.ValueOf(data).Elem(), m)))
		assert.Equal(t, want.String(), string(got.bytes), name)
	}
}

// fill sets all exported fields.
func fill(v reflect.Value, depth int) {
	switch v.Interface().(type) {
	case template.HTML:
		v.SetString(`<b title="x">1 &amp; 2</b>`)
		return
	case template.URL:
		v.SetString(`https://x.example/a b?c="d"&e=1+2'<ü`)
		return
	case func(*markup):
		v.Set(reflect.ValueOf(func(m *markup) { m.WriteString("<i>drawn</i>") }))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(`"><script>alert('1')</script> a&b+c {{.}}`)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int:
		v.SetInt(7)
	case reflect.Pointer:
		if depth < 8 {
			v.Set(reflect.New(v.Type().Elem()))
			fill(v.Elem(), depth+1)
		}
	case reflect.Slice:
		if depth < 8 {
			v.Set(reflect.MakeSlice(v.Type(), 2, 2))
			fill(v.Index(0), depth+1)
			fill(v.Index(1), depth+1)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			switch f := v.Type().Field(i); {
			case f.Anonymous:
				embedded := reflect.NewAt(f.Type, v.Field(i).Addr().UnsafePointer()).Elem()
				fill(embedded, depth+1)
			case f.IsExported():
				fill(v.Field(i), depth+1)
			}
		}
	}
}

// converted returns a value as html/template can show it: fields by name, and what was drawn.
func converted(v reflect.Value, m markup) any {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return nil
		}
		return converted(v.Elem(), m)
	case reflect.Func:
		if v.IsNil() {
			return template.HTML("")
		}
		m.bytes = nil
		v.Interface().(func(*markup))(&m)
		return m.html()
	case reflect.Slice:
		list := make([]any, v.Len())
		for i := range list {
			list[i] = converted(v.Index(i), m)
		}
		return list
	case reflect.Struct:
		fields := make(map[string]any)
		for _, f := range reflect.VisibleFields(v.Type()) {
			if f.IsExported() {
				fields[f.Name] = converted(v.FieldByIndex(f.Index), m)
			}
		}
		return fields
	}
	return v.Interface()
}
