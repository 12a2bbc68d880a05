package files

import "path/filepath"

// Absolute returns the absolute path of a file, which may be relative to a directory.
func Absolute(dir, name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(dir, name)
}

// Relative returns an absolute path as the user would type it in a directory.
func Relative(dir, path string) string {
	if rel, err := filepath.Rel(dir, path); err == nil {
		return rel
	}
	return path
}
