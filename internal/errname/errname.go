// Package errname begins the text of an error with the name of one package: the one that a program
// called, whatever that package called in turn.
package errname

// packageError is an error with the name of the package that returned it.
type packageError struct {
	pkg string
	err error
}

func (e *packageError) Error() string { return e.pkg + ": " + e.err.Error() }

func (e *packageError) Unwrap() error { return e.err }

// Add returns an error with the name of a package in place of the one that it has, or nil for nil.
func Add(pkg string, err error) error {
	if err == nil {
		return nil
	}
	return &packageError{pkg, Trim(err)}
}

// Trim returns an error without the name of a package, to be wrapped in another one, or to be shown
// to people who know no packages.
func Trim(err error) error {
	if e, ok := err.(*packageError); ok { //nolint:errorlint // only at the beginning of the text
		return e.err
	}
	return err
}
