package taxonomy

// ReleaseError is the error for a release that is not valid.
type ReleaseError = releaseError

// ErrMalformedVersion is wrapped by all errors of [ParseVersion] and [ParseRef].
var ErrMalformedVersion = errMalformedVersion

// ErrForm is wrapped by the errors of [OpenForm] for forms that can't be used.
var ErrForm = errForm
