package view

// ErrNothing is returned if there is no presentation.
var ErrNothing = errNothing
