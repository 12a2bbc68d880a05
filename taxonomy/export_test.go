package taxonomy

// ReleaseError is the error for a release that is not valid.
type ReleaseError = releaseError

// ErrMalformedVersion is wrapped by all errors of [ParseVersion] and [ParseRef].
var ErrMalformedVersion = errMalformedVersion
