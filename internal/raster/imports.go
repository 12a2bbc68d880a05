//go:build full

package raster

import (
	"context"
	"fmt"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// The module was made for JavaScript: it refers to values of its host by number, and
// imports functions that make and use them. Those that only fonts and images need are not
// called, since there are none.

// firstValue is the number of the first value; lower ones are constants of JavaScript.
const firstValue = 132

// memory stands for the memory of the module and for its buffer, and window for an array
// over a part of it.
type (
	memory struct{}
	window struct{ at, size uint32 }
)

// add returns the number of a value.
func (in *instance) add(v any) uint64 {
	in.values = append(in.values, v)
	return uint64(len(in.values) - 1 + firstValue)
}

// value returns the value with a number, or nil.
func (in *instance) value(n uint64) any {
	if i := int(uint32(n)) - firstValue; i >= 0 && i < len(in.values) {
		return in.values[i]
	}
	return nil
}

// read returns a copy of a part of the memory.
func (in *instance) read(at, size uint64) []byte {
	part, ok := in.module.Memory().Read(uint32(at), uint32(size))
	if !ok {
		panic(fmt.Errorf("the module has no memory at %d", at))
	}
	return append([]byte(nil), part...)
}

// passText copies a text into the memory, and writes its address and its length there.
func (in *instance) passText(ctx context.Context, to, n uint64) {
	text, ok := in.value(n).(string)
	var at uint64
	if ok {
		var err error
		if at, err = in.call(ctx, "__wbindgen_malloc", uint64(len(text)), 1); err != nil {
			panic(err)
		}
	}
	m := in.module.Memory()
	if !m.WriteString(uint32(at), text) || !m.WriteUint32Le(uint32(to), uint32(at)) || !m.WriteUint32Le(uint32(to)+4, uint32(len(text))) {
		panic(fmt.Errorf("the module has no memory at %d", at))
	}
}

// instanceKey is the key of the instance in the context of a call.
type instanceKey struct{}

// function is an imported function: a and the result are its parameters and its result, if
// it has one.
type function struct {
	name    string
	params  int
	returns bool
	call    func(ctx context.Context, in *instance, a []uint64) uint64
}

// imports lists the functions. The numbers in their names are those of this version of the
// module.
func imports() []function {
	list := []function{
		{"__wbindgen_object_drop_ref", 1, false, func(_ context.Context, in *instance, a []uint64) uint64 {
			if i := int(uint32(a[0])) - firstValue; i >= 0 && i < len(in.values) {
				in.values[i] = nil
			}
			return 0
		}},
		{"__wbindgen_string_get", 2, false, func(ctx context.Context, in *instance, a []uint64) uint64 {
			in.passText(ctx, a[0], a[1])
			return 0
		}},
		{"__wbindgen_string_new", 2, true, func(_ context.Context, in *instance, a []uint64) uint64 {
			return in.add(string(in.read(a[0], a[1])))
		}},
		{"__wbg_new_28c511d9baebfa89", 2, true, func(_ context.Context, in *instance, a []uint64) uint64 { // Error
			return in.add(string(in.read(a[0], a[1])))
		}},
		{"__wbindgen_throw", 2, false, func(_ context.Context, in *instance, a []uint64) uint64 {
			panic(fmt.Errorf("the module failed: %s", in.read(a[0], a[1])))
		}},
		{"__wbindgen_memory", 0, true, func(_ context.Context, in *instance, _ []uint64) uint64 { return in.add(memory{}) }},
		{"__wbg_buffer_12d079cc21e14bdb", 1, true, func(_ context.Context, in *instance, a []uint64) uint64 {
			return in.add(in.value(a[0]))
		}},
		{"__wbg_newwithbyteoffsetandlength_aa4a17c33a06e5cb", 3, true, func(_ context.Context, in *instance, a []uint64) uint64 {
			return in.add(window{uint32(a[1]), uint32(a[2])})
		}},
		{"__wbg_new_63b92bc8671ed464", 1, true, func(_ context.Context, in *instance, a []uint64) uint64 { // Uint8Array, a copy
			w, ok := in.value(a[0]).(window)
			if !ok {
				panic(fmt.Errorf("the module copies a %T", in.value(a[0])))
			}
			return in.add(in.read(uint64(w.at), uint64(w.size)))
		}},
		{"__wbg_instanceof_Uint8Array_2b3bbecd033d19f6", 1, true, func(_ context.Context, in *instance, a []uint64) uint64 {
			_, ok := in.value(a[0]).([]byte)
			return api.EncodeI32(map[bool]int32{true: 1}[ok])
		}},
	}
	for _, f := range []function{
		{name: "__wbg_values_839f3396d5aac002", params: 1, returns: true},
		{name: "__wbg_next_196c84450b364254", params: 1, returns: true},
		{name: "__wbg_done_298b57d23c0fc80c", params: 1, returns: true},
		{name: "__wbg_value_d93c65011f51a456", params: 1, returns: true},
		{name: "__wbg_new_16b304a2cfa7ff4a", returns: true},
		{name: "__wbg_push_a5b05aedc7234f9f", params: 2, returns: true},
		{name: "__wbg_length_c20a40f15020d68a", params: 1, returns: true},
		{name: "__wbg_set_a47bac70306a19a7", params: 3},
	} {
		f.call = func(context.Context, *instance, []uint64) uint64 { panic(fmt.Errorf("the module calls %s", f.name)) }
		list = append(list, f)
	}
	return list
}

// provide makes the functions known to a runtime. A panic in one of them is an error of the
// call of the module.
func provide(ctx context.Context, r wazero.Runtime) error {
	b := r.NewHostModuleBuilder("wbg")
	for _, f := range imports() {
		params := make([]api.ValueType, f.params)
		for i := range params {
			params[i] = api.ValueTypeI32
		}
		var results []api.ValueType
		if f.returns {
			results = []api.ValueType{api.ValueTypeI32}
		}
		b.NewFunctionBuilder().WithGoFunction(api.GoFunc(func(ctx context.Context, stack []uint64) {
			in, _ := ctx.Value(instanceKey{}).(*instance)
			result := f.call(ctx, in, stack[:f.params])
			if f.returns {
				stack[0] = result
			}
		}), params, results).Export(f.name)
	}
	_, err := b.Instantiate(ctx)
	return err
}
