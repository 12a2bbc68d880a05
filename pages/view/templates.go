package view

import (
	_ "embed"
	"fmt"
	"html/template"
	"reflect"
	"strconv"
	"sync"
	"text/template/parse"
)

// The templates of a page have the syntax of html/template, but are executed here: that package calls
// methods by reflection, so that a program which uses it contains every exported method of its types.
// The WebAssembly module would be a fifth larger to download.
//
// A template has texts, fields ({{.Name}}, {{$.Name}}), if, with, range, template, and the functions
// below. A string is escaped for texts and for attributes in quotation marks, and a template.URL for
// the latter; template.HTML and template.HTMLAttr are written as they are. A func(*markup) writes
// itself, such as an icon. A list ends where the page has reached its limit.
//
//go:embed page.html
var templateText string

// functions are those of templates: a word of the page, the attributes of an element that has words,
// and what ids begin with.
var functions = map[string]any{"word": true, "ui": true, "prefix": true}

var templateTrees = sync.OnceValue(func() map[string]*parse.Tree {
	trees, err := parse.Parse("page", templateText, "{{", "}}", functions)
	if err != nil {
		panic(err) // a test executes all
	}
	return trees
})

// part returns a function that executes a template with a value. Whether it has the fields that the
// template names is checked at the first call.
func part[T any](name string) func(*markup, *T) {
	compiled := sync.OnceValue(func() step {
		c := compiler{root: reflect.TypeFor[T]()}
		return c.template(name, c.root)
	})
	return func(m *markup, data *T) {
		v := reflect.ValueOf(data).Elem()
		compiled()(m, v, v)
	}
}

// step writes a part of a template.
type step func(m *markup, root, dot reflect.Value)

// value returns something that a template names.
type value func(root, dot reflect.Value) reflect.Value

// compiler turns a template into steps for a type of values.
type compiler struct{ root reflect.Type }

func (c *compiler) template(name string, dot reflect.Type) step {
	tree := templateTrees()[name]
	if tree == nil {
		panic("view: there is no template " + name)
	}
	return c.list(tree.Root, dot)
}

func (c *compiler) list(list *parse.ListNode, dot reflect.Type) step {
	if list == nil {
		return func(*markup, reflect.Value, reflect.Value) {}
	}
	steps := make([]step, len(list.Nodes))
	for i, n := range list.Nodes {
		steps[i] = c.node(n, dot)
	}
	return func(m *markup, root, dot reflect.Value) {
		for _, s := range steps {
			s(m, root, dot)
		}
	}
}

func (c *compiler) node(n parse.Node, dot reflect.Type) step {
	switch n := n.(type) {
	case *parse.TextNode:
		text := string(n.Text)
		return func(m *markup, _, _ reflect.Value) { m.WriteString(text) }
	case *parse.ActionNode:
		return c.action(n.Pipe, dot)
	case *parse.IfNode:
		get, _ := c.value(n.Pipe, dot)
		then, otherwise := c.list(n.List, dot), c.list(n.ElseList, dot)
		return func(m *markup, root, dot reflect.Value) {
			if isTrue(get(root, dot)) {
				then(m, root, dot)
			} else {
				otherwise(m, root, dot)
			}
		}
	case *parse.WithNode:
		get, typ := c.value(n.Pipe, dot)
		then, otherwise := c.list(n.List, indirect(typ)), c.list(n.ElseList, dot)
		return func(m *markup, root, dot reflect.Value) {
			if v := get(root, dot); isTrue(v) {
				then(m, root, pointed(v))
			} else {
				otherwise(m, root, dot)
			}
		}
	case *parse.RangeNode:
		get, typ := c.value(n.Pipe, dot)
		each := c.list(n.List, indirect(typ.Elem()))
		return func(m *markup, root, dot reflect.Value) {
			list := get(root, dot)
			for i := 0; i < list.Len() && !m.full(); i++ {
				each(m, root, pointed(list.Index(i)))
			}
		}
	case *parse.TemplateNode:
		get, typ := c.value(n.Pipe, dot)
		called := (&compiler{indirect(typ)}).template(n.Name, indirect(typ))
		return func(m *markup, root, dot reflect.Value) {
			v := pointed(get(root, dot))
			called(m, v, v)
		}
	}
	panic(fmt.Sprintf("view: templates can't have %s", n))
}

// action writes a value or what a function returns.
func (c *compiler) action(pipe *parse.PipeNode, dot reflect.Type) step {
	if f, ok := pipe.Cmds[0].Args[0].(*parse.IdentifierNode); ok {
		switch f.Ident {
		case "word":
			key := pipe.Cmds[0].Args[1].(*parse.StringNode).Text //nolint:errcheck,forcetypeassert // templates are ours
			return func(m *markup, _, _ reflect.Value) { m.WriteString(m.messages.Word(key)) }
		case "ui":
			return func(m *markup, _, _ reflect.Value) { m.WriteString(m.messages.UI) }
		case "prefix":
			return func(m *markup, _, _ reflect.Value) { m.WriteString(m.prefix) }
		}
	}
	get, typ := c.value(pipe, dot)
	switch {
	case typ == reflect.TypeFor[func(*markup)]():
		return func(m *markup, root, dot reflect.Value) {
			if write, _ := reflect.TypeAssert[func(*markup)](get(root, dot)); write != nil {
				write(m)
			}
		}
	case typ == reflect.TypeFor[template.HTML](), typ == reflect.TypeFor[template.HTMLAttr]():
		return func(m *markup, root, dot reflect.Value) { m.WriteString(get(root, dot).String()) }
	case typ == reflect.TypeFor[template.URL]():
		return func(m *markup, root, dot reflect.Value) {
			m.WriteString(attribute(normalize(get(root, dot).String())))
		}
	case typ.Kind() == reflect.String:
		return func(m *markup, root, dot reflect.Value) { m.WriteString(attribute(get(root, dot).String())) }
	case typ.Kind() == reflect.Int:
		return func(m *markup, root, dot reflect.Value) {
			m.bytes = strconv.AppendInt(m.bytes, get(root, dot).Int(), 10)
		}
	}
	panic(fmt.Sprintf("view: %s is %s, which templates can't write", pipe, typ))
}

// value finds what a template names: dot, or fields of it or of what the template was called with.
func (c *compiler) value(pipe *parse.PipeNode, dot reflect.Type) (value, reflect.Type) {
	if len(pipe.Cmds) == 1 && len(pipe.Cmds[0].Args) == 1 {
		switch n := pipe.Cmds[0].Args[0].(type) {
		case *parse.DotNode:
			return func(_, dot reflect.Value) reflect.Value { return dot }, dot
		case *parse.FieldNode:
			index, typ := fields(dot, n.Ident)
			return func(_, dot reflect.Value) reflect.Value { return dot.FieldByIndex(index) }, typ
		case *parse.VariableNode:
			if n.Ident[0] == "$" {
				index, typ := fields(c.root, n.Ident[1:])
				return func(root, _ reflect.Value) reflect.Value { return root.FieldByIndex(index) }, typ
			}
		}
	}
	panic(fmt.Sprintf("view: templates can't have {{%s}}", pipe))
}

// fields returns the position of a field of a field in a type.
func fields(typ reflect.Type, names []string) (index []int, _ reflect.Type) {
	for _, name := range names {
		f, ok := typ.FieldByName(name)
		if !ok {
			panic(fmt.Sprintf("view: %s has no field %s", typ, name))
		}
		index, typ = append(index, f.Index...), f.Type
	}
	return index, typ
}

// indirect returns the type that a pointer points to, and pointed what it points to.
func indirect(typ reflect.Type) reflect.Type {
	if typ.Kind() == reflect.Pointer {
		return typ.Elem()
	}
	return typ
}

func pointed(v reflect.Value) reflect.Value {
	if v.Kind() == reflect.Pointer {
		return v.Elem()
	}
	return v
}

// isTrue reports whether a value is not false, 0, empty or nil.
func isTrue(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.String:
		return v.Len() > 0
	case reflect.Struct:
		return true
	}
	return !v.IsZero()
}
