// Package engine provides the operations of the npm package in web/wasm: a
// [datachain.Service] over releases that the host has fetched, called with JSON.
//
// The host decides where releases come from. It sets the index with [Engine.SetIndex],
// then calls operations. One that needs a release which is not there answers with what
// to load ([Answer.Load]); the host fetches it, passes it to [Engine.Add], and calls
// again. Every release is verified against the content hash in the index. Nothing is
// compiled from source.
//
// The package knows nothing of JavaScript, so it is tested like any other.
package engine
