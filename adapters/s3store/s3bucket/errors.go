package s3bucket

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/url"

	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/smithy-go"
)

// The requests that are made. Permissions have the same names, except for lists.
const (
	OpGet    = "GetObject"
	opPut    = "PutObject"
	opDelete = "DeleteObject"
	opList   = "ListObjectsV2"
)

// Error is the error of a request to a bucket.
type Error struct {
	// Object is the address of what was requested, and Op the request, such as
	// GetObject.
	Object, Op string
	// Status and Code are what the server has answered, such as 403 and
	// AccessDenied; 0 and "" if there was no answer. RequestID identifies the
	// request to the operator of the server.
	Status          int
	Code, RequestID string
	// Hint says what to do.
	Hint string
	// Err is the cause.
	Err error
}

// Error returns what failed, why, and what to do about it.
func (e *Error) Error() string {
	cause := e.Op
	if e.Err != nil {
		cause += ": " + e.Err.Error()
	}
	if e.Code != "" || e.Status != 0 {
		cause = fmt.Sprintf("the server answered %d %s to %s", e.Status, cmp.Or(e.Code, http.StatusText(e.Status)), e.Op)
		if e.RequestID != "" {
			cause += " (request " + e.RequestID + ")"
		}
	}
	return "s3bucket: " + e.Object + ": " + cause + ": " + e.Hint
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Is reports that a missing object is an [fs.ErrNotExist].
func (e *Error) Is(target error) bool {
	return target == fs.ErrNotExist && e.Code == "NoSuchKey"
}

// statusOf returns the status of a response that is an error, or 0.
func statusOf(err error) int {
	if e, ok := errors.AsType[*awshttp.ResponseError](err); ok {
		return e.HTTPStatusCode()
	}
	return 0
}

// IsMissing reports whether an object does not exist.
func IsMissing(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// IsRefused reports whether the condition of a request was not fulfilled: the object
// is another one, or missing, or is being written at the same time.
func IsRefused(err error) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && (e.Status == http.StatusPreconditionFailed || e.Status == http.StatusConflict || e.Code == "NoSuchKey")
}

// Explain returns an [Error] for what a client has returned.
func (b *Bucket) Explain(op, name string, err error) error {
	if err == nil {
		return nil
	}
	e := &Error{Object: b.Object(name), Op: op, Err: err}
	if answer, ok := errors.AsType[*awshttp.ResponseError](err); ok {
		e.Status, e.RequestID = answer.HTTPStatusCode(), answer.RequestID
	}
	if api, ok := errors.AsType[smithy.APIError](err); ok && e.Status != 0 {
		e.Code = api.ErrorCode()
	}
	if e.Code == "" && e.Status == http.StatusNotFound || e.Code == "NotFound" {
		e.Code = "NoSuchKey"
	}
	if e.Status == 0 {
		e.Hint, e.Err = b.unanswered(err)
		return e
	}
	e.Hint = b.hint(e)
	if ctxErr := contextError(err); ctxErr != nil {
		e.Err = ctxErr
	}
	return e
}

// contextError returns the error of a context that ended a request, or nil.
func contextError(err error) error {
	for _, end := range []error{context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, end) {
			return end
		}
	}
	return nil
}

// hint says what to do about an answer.
func (b *Bucket) hint(e *Error) string {
	objects := "arn:aws:s3:::" + b.bucket + "/" + b.prefix + "*"
	switch e.Code {
	case "NoSuchKey":
		return "the object does not exist: publish the release again"
	case "NoSuchBucket":
		return "the bucket does not exist: check its name, the endpoint and the region, or create it"
	case "AccessDenied", "AllAccessDisabled", "Forbidden":
		if e.Op == opList {
			return "allow s3:ListBucket on arn:aws:s3:::" + b.bucket
		}
		hint := "allow s3:" + e.Op + " on " + objects
		if e.Op == OpGet {
			hint += ", and s3:ListBucket on arn:aws:s3:::" + b.bucket + ", without which a missing object looks the same"
		}
		return hint
	case "InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidToken", "ExpiredToken", "TokenRefreshRequired", "InvalidSecurity", "XAdminUserNotFound":
		return "check the credentials: they are unknown to this server, wrong or expired"
	case "RequestTimeTooSkewed", "RequestExpired":
		return "set the clock of this machine"
	case "PermanentRedirect", "TemporaryRedirect", "AuthorizationHeaderMalformed", "IllegalLocationConstraintException":
		return "the bucket is in another region than " + b.region + ": set its region (--s3-region, AWS_REGION)"
	case "SlowDown", "ServiceUnavailable", "InternalError", "RequestTimeout":
		return "the server is overloaded or has failed: try again later"
	}
	switch {
	case e.Status == http.StatusPreconditionFailed, e.Status == http.StatusConflict:
		return "another publisher has changed the object"
	case e.Status >= 300 && e.Status < 400:
		return "redirects are not followed: check the endpoint and the region"
	case e.Status >= 500:
		return "the server has failed: try again later"
	}
	return "check the address, the endpoint and the region"
}

// unanswered returns what to do about a request without an answer, and its cause.
func (b *Bucket) unanswered(err error) (hint string, cause error) {
	where := "the network"
	if b.Endpoint != "" {
		where = "the endpoint " + b.Endpoint + " and the network"
	}
	if end := contextError(err); end != nil && !errors.Is(err, errCredentials) {
		return "there was no complete answer in time: check " + where, end
	}
	if errors.Is(err, errCredentials) {
		return "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, choose a profile with AWS_PROFILE, or run with a role", errCredentials
	}
	if dns, ok := errors.AsType[*net.DNSError](err); ok {
		return "check the name of the bucket, the region and " + where, dns
	}
	if certErr, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return "the certificate of the server is not trusted: name its authority with AWS_CA_BUNDLE", certErr
	}
	if errors.Is(err, http.ErrSchemeMismatch) {
		return "the server does not speak TLS: use an endpoint that begins with http://", http.ErrSchemeMismatch
	}
	if op, ok := errors.AsType[*net.OpError](err); ok {
		// The local port differs from one connection to the next: without it the
		// same failure has the same message.
		portless := *op
		portless.Source = nil
		return "check " + where, &portless
	}
	return "check " + where, innermost(err)
}

// innermost returns the error without the layers that the client adds, which name
// the request again.
func innermost(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		return e.Err
	}
	if e, ok := errors.AsType[*smithy.OperationError](err); ok {
		return e.Err
	}
	return err
}
