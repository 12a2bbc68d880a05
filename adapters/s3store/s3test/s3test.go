// Package s3test provides a bucket in memory that answers as S3 does, for tests.
//
// # Experimental
//
// This package may change in a minor version.
package s3test

import (
	"bytes"
	"crypto/md5"
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// S3 is a small S3-compatible server in memory, an [http.Handler]. It has what this project
// uses: reading, writing with conditions, removing and listing objects, addressed in the
// path. Signatures are not checked. Make one with [NewS3].
type S3 struct {
	// IgnoreConditions makes the server write objects whatever the conditions
	// are, as some servers do.
	IgnoreConditions bool
	// PageSize is how many objects a page of a list has; 0 means 1000.
	PageSize int
	// Before is called with each request. If it returns a code, the request is
	// answered with that and the status. It may be nil, and must not be set while
	// requests are answered.
	Before func(r *http.Request) (status int, code string)

	mu       sync.Mutex
	buckets  map[string]map[string]object
	requests []string
}

type object struct {
	data     []byte
	etag     string
	modified time.Time
}

// NewS3 returns a server with empty buckets.
func NewS3(buckets ...string) *S3 {
	s := &S3{buckets: make(map[string]map[string]object)}
	for _, name := range buckets {
		s.buckets[name] = make(map[string]object)
	}
	return s
}

// Objects returns the content of all objects of a bucket by their keys.
func (s *S3) Objects(bucket string) map[string]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make(map[string]string)
	for key, o := range s.buckets[bucket] {
		all[key] = string(o.data)
	}
	return all
}

// Put writes an object.
func (s *S3) Put(bucket, key, data string) { s.Age(bucket, key, data, 0) }

// Age writes an object that is older than now.
func (s *S3) Age(bucket, key, data string, age time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.buckets[bucket][key] = object{[]byte(data), tag([]byte(data)), time.Now().Add(-age)}
}

// AgeAll makes all objects of a bucket older.
func (s *S3) AgeAll(bucket string, age time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for key, o := range s.buckets[bucket] {
		o.modified = o.modified.Add(-age)
		s.buckets[bucket][key] = o
	}
}

// Delete removes an object.
func (s *S3) Delete(bucket, key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.buckets[bucket], key)
}

// Took returns the requests since the last call, such as "GET /bucket/key 304".
func (s *S3) Took() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	took := s.requests
	s.requests = nil
	return took
}

func tag(data []byte) string {
	sum := md5.Sum(data)
	return `"` + hex.EncodeToString(sum[:]) + `"`
}

// ServeHTTP answers a request.
func (s *S3) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	status, code := 0, ""
	if s.Before != nil {
		status, code = s.Before(r)
	}
	var body []byte
	if status == 0 {
		body, status, code = s.answer(w, r)
	}
	if code != "" {
		body, _ = xml.Marshal(struct {
			XMLName xml.Name `xml:"Error"`
			Code    string
			Message string
		}{Code: code, Message: "fake"})
	}
	s.mu.Lock()
	s.requests = append(s.requests, fmt.Sprintf("%s %s %d", r.Method, r.URL.Path, status))
	s.mu.Unlock()
	w.Header().Set("X-Amz-Request-Id", "FAKE")
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

func (s *S3) answer(w http.ResponseWriter, r *http.Request) (body []byte, status int, code string) {
	name, key, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	data, err := io.ReadAll(r.Body)
	sum := sha256.Sum256(data)
	switch signed := r.Header.Get("X-Amz-Content-Sha256"); {
	case err != nil:
		return nil, http.StatusBadRequest, "IncompleteBody"
	case r.Header.Get("Authorization") == "":
		return nil, http.StatusForbidden, "AccessDenied"
	case strings.HasPrefix(signed, "STREAMING-"), r.Header.Get("X-Amz-Sdk-Checksum-Algorithm") != "":
		return nil, http.StatusNotImplemented, "NotImplemented" // as older servers do
	case signed != hex.EncodeToString(sum[:]):
		return nil, http.StatusBadRequest, "XAmzContentSHA256Mismatch"
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	objects, ok := s.buckets[name]
	if !ok {
		return nil, http.StatusNotFound, "NoSuchBucket"
	}
	switch {
	case r.Method == http.MethodGet && key == "" && r.URL.Query().Get("list-type") == "2":
		return s.list(objects, r)
	case r.Method == http.MethodGet:
		return getObject(w, r, objects, key)
	case r.Method == http.MethodPut:
		return s.put(w, r, objects, key, data)
	case r.Method == http.MethodDelete:
		delete(objects, key)
		return nil, http.StatusNoContent, ""
	}
	return nil, http.StatusNotImplemented, "NotImplemented"
}

func getObject(w http.ResponseWriter, r *http.Request, objects map[string]object, key string) (body []byte, status int, code string) {
	o, ok := objects[key]
	if !ok {
		return nil, http.StatusNotFound, "NoSuchKey"
	}
	w.Header().Set("ETag", o.etag)
	w.Header().Set("Last-Modified", o.modified.UTC().Format(http.TimeFormat))
	if r.Header.Get("If-None-Match") == o.etag {
		return nil, http.StatusNotModified, ""
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(o.data)))
	return o.data, http.StatusOK, ""
}

func (s *S3) put(w http.ResponseWriter, r *http.Request, objects map[string]object, key string, data []byte) (body []byte, status int, code string) {
	o, exists := objects[key]
	match := r.Header.Get("If-Match")
	switch {
	case s.IgnoreConditions:
	case match != "" && !exists:
		return nil, http.StatusNotFound, "NoSuchKey"
	case match != "" && match != o.etag, r.Header.Get("If-None-Match") == "*" && exists:
		return nil, http.StatusPreconditionFailed, "PreconditionFailed"
	}
	objects[key] = object{bytes.Clone(data), tag(data), time.Now()}
	w.Header().Set("ETag", objects[key].etag)
	return nil, http.StatusOK, ""
}

type contents struct {
	Key          string
	LastModified string
	ETag         string
	Size         int
}

func (s *S3) list(objects map[string]object, r *http.Request) (body []byte, status int, code string) {
	var result struct {
		XMLName               xml.Name `xml:"ListBucketResult"`
		IsTruncated           bool
		NextContinuationToken string `xml:",omitempty"`
		Contents              []contents
	}
	size := s.PageSize
	if size == 0 {
		size = 1000
	}
	query := r.URL.Query()
	for _, key := range slices.Sorted(maps.Keys(objects)) {
		if !strings.HasPrefix(key, query.Get("prefix")) || key <= query.Get("continuation-token") {
			continue
		}
		if len(result.Contents) == size {
			result.IsTruncated, result.NextContinuationToken = true, result.Contents[size-1].Key
			break
		}
		o := objects[key]
		result.Contents = append(result.Contents, contents{key, o.modified.UTC().Format("2006-01-02T15:04:05.000Z"), o.etag, len(o.data)})
	}
	body, err := xml.Marshal(result)
	if err != nil {
		return nil, http.StatusInternalServerError, "InternalError"
	}
	return body, http.StatusOK, ""
}
