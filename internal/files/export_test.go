package files

// CreateTemp creates a temporary file, as it is while a file is replaced.
var CreateTemp = createTemp
