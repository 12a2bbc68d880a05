package lsp

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"runtime"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/limited"
)

const (
	// listedAtOnce is how many entries of a directory are read at the same time.
	listedAtOnce = 256
	// maxDepth is how deep directories are nested that are looked at.
	maxDepth = 64
	// sniffSize is how much of a file is read to see whether it can be a document.
	sniffSize = 512
)

// candidate is a file that can be a document.
type candidate struct {
	folder *folder
	path   string
}

// scanner is the state of validating the documents that are not open. The session's lock
// guards it. One goroutine does it, and waits whenever a user waits for something else.
type scanner struct {
	running bool
	cancel  context.CancelFunc // ends the run
	again   bool               // all folders must be walked
	queue   []candidate        // to be validated before the walk goes on
	walk    int                // the number of the last walk
	warned  string             // the last message about what was left out
	// documents and findings count the reports of documents.
	documents, findings int
}

// count counts a report in or out.
func (c *scanner) count(r *report, n int) {
	if r != nil {
		c.documents += n
		c.findings += n * len(r.found)
	}
}

// scanAll validates all documents that are not open. The caller has the lock.
func (s *session) scanAll() {
	if s.scanner.documents > 0 || slices.ContainsFunc(s.workspace.folders, func(f *folder) bool { return f.files != nil }) {
		s.scanner.again = true
		s.startScan()
	}
}

// scanFile validates a file that is not open. It reports false if the file can't be a
// document of the workspace. The caller has the lock.
func (s *session) scanFile(at address) bool {
	f, path := s.workspace.folderOf(at)
	if f == nil || f.files == nil || !isCandidate(path) {
		return false
	}
	c := candidate{f, path}
	if !slices.Contains(s.scanner.queue, c) {
		s.scanner.queue = append(s.scanner.queue, c)
	}
	s.startScan()
	return true
}

// maxQueue is how many files are validated one by one; if there are more, the workspace is
// walked.
const maxQueue = 1000

// startScan starts the goroutine that validates documents in the background, unless it
// runs. The caller has the lock.
func (s *session) startScan() {
	if len(s.scanner.queue) > maxQueue {
		s.scanner.queue, s.scanner.again = nil, true
	}
	if s.scanner.running || s.stopping || s.state != stateRunning || s.ctx.Err() != nil {
		return
	}
	s.scanner.running = true
	ctx, cancel := context.WithCancel(s.ctx)
	s.scanner.cancel = cancel
	s.work.Go(func() {
		defer func() { // also after a panic
			cancel()
			s.mu.Lock()
			defer s.mu.Unlock()
			if s.scanner.running = false; s.scanner.again || len(s.scanner.queue) > 0 {
				s.startScan() // for what was added meanwhile
			}
			s.wake()
		}()
		defer s.recovered("workspace", nil)
		run := &scanRun{session: s, ctx: ctx, limits: s.server.options.limits.withDefaults()}
		for run.validateQueue(); run.begin(); run.validateQueue() {
			run.walk()
		}
	})
}

// scanRun is a run of the goroutine that validates documents in the background.
type scanRun struct {
	session *session
	ctx     context.Context
	limits  limits
	// folders are those of the walk, and the rest is what it has seen. It is full if it
	// has reached a limit.
	folders []*folder
	entries int
	bytes   int64
	full    bool
	left    skipped
}

// validateQueue validates the files in the queue, each when nothing is urgent. It reports false
// if a walk must not go on: the session ends, or the folders must be walked again.
func (r *scanRun) validateQueue() bool {
	s := r.session
	for {
		runtime.Gosched()
		_ = s.await(r.ctx, func() bool { return s.urgent == 0 && !s.linting() }) // r.ctx is checked below
		s.mu.Lock()
		stop := r.ctx.Err() != nil || s.scanner.again
		if stop || len(s.scanner.queue) == 0 {
			s.mu.Unlock()
			return !stop
		}
		c := s.scanner.queue[0]
		s.scanner.queue = s.scanner.queue[1:]
		s.mu.Unlock()
		r.validate(c)
	}
}

// begin begins a walk, if the folders must be walked.
func (r *scanRun) begin() bool {
	s := r.session
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.ctx.Err() != nil || !s.scanner.again {
		return false
	}
	s.scanner.again = false
	s.scanner.walk++
	r.folders, r.entries, r.bytes, r.full, r.left = s.workspace.folders, 0, 0, false, skipped{}
	return true
}

// walk validates the documents in the folders. It follows no symbolic links: what they lead to
// is in the workspace anyway, or is not to be read. At its end it forgets the documents that
// are not there any more, and tells what it left out.
func (r *scanRun) walk() {
	for _, f := range r.folders {
		if f.files == nil {
			continue
		}
		for dirs := []string{"."}; len(dirs) > 0 && !r.full; {
			dir := dirs[len(dirs)-1]
			inner, ok := r.list(f, dir)
			if !ok {
				return
			}
			dirs = append(dirs[:len(dirs)-1], inner...)
		}
	}
	s, message := r.session, r.left.message(r.limits)
	s.mu.Lock()
	defer s.mu.Unlock()
	for at, known := range s.reports {
		if !known.source && known.walk != s.scanner.walk && known.id != "" {
			s.forget(at, known.uri, nil)
		}
	}
	if message != "" && message != s.scanner.warned {
		if s.scanner.warned == "" {
			s.warn(message)
		}
		s.scanner.warned = message
		s.log(logWarning, message)
	}
}

// list validates the documents in a directory and returns the directories in it, as far as the
// limits allow. It reports whether the walk goes on. Hidden files and node_modules are
// skipped, as `datachain validate` does.
func (r *scanRun) list(f *folder, dir string) (inner []string, ok bool) {
	opened, err := f.files.Open(dir)
	if err == nil {
		defer func() { _ = opened.Close() }() // only read
	}
	listed, isDir := opened.(fs.ReadDirFile)
	if err != nil || !isDir {
		r.left.unreadable.add(dir)
		return nil, r.validateQueue()
	}
	for err == nil {
		var entries []fs.DirEntry
		entries, err = listed.ReadDir(listedAtOnce)
		for _, e := range entries {
			if r.entries++; r.entries > r.limits.Entries {
				r.left.entries, r.full = r.limits.Entries, true
				return nil, true
			}
			name := path.Join(dir, e.Name())
			switch {
			case strings.HasPrefix(e.Name(), ".") || e.Name() == "node_modules":
			case !e.IsDir() && (!e.Type().IsRegular() || !isCandidate(name)):
			case !fs.ValidPath(name):
				r.left.names.add(strings.ToValidUTF8(name, "\uFFFD"))
			case e.IsDir() && strings.Count(name, "/") >= maxDepth:
				r.left.deep.add(name)
			case e.IsDir():
				inner = append(inner, name)
			default:
				if !r.validateQueue() {
					return nil, false
				}
				if r.validate(candidate{f, name}); r.full {
					return nil, true
				}
			}
		}
		if err != nil && !errors.Is(err, io.EOF) {
			r.left.unreadable.add(dir)
		}
		if !r.validateQueue() {
			return nil, false
		}
	}
	return inner, true
}

// validate publishes the findings of a file, if it is a document that is not open.
func (r *scanRun) validate(c candidate) {
	s := r.session
	uri := join(c.folder.uri, c.path)
	defer s.recovered("diagnostics of "+uri, nil)
	at := newAddress(uri)
	s.mu.Lock()
	skip := s.skips(at, c.folder)
	s.mu.Unlock()
	if skip {
		return
	}
	t, err := r.read(c, uri)
	var found []diagnostic
	if err == nil {
		found, err = s.diagnose(r.ctx, c.folder.releases, t)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.ctx.Err() != nil || s.skips(at, c.folder) {
		return
	}
	if err != nil || !r.fits(at, &found) {
		s.forget(at, uri, nil)
		return
	}
	s.report(at, &report{uri: uri, found: found, walk: s.scanner.walk})
}

// read reads a document. The error is not nil if the file is none.
func (r *scanRun) read(c candidate, uri string) (*text, error) {
	content, err := readCandidate(c.folder.files, c.path, r.limits.FileSize)
	t := newText(uri, 0, string(content), r.session.client.encoding)
	switch {
	case errors.Is(err, errLarge):
		r.left.large.add(c.path)
		if strings.HasSuffix(c.path, extension) {
			t.tooLarge = r.limits.FileSize
			return t, nil
		}
	case err != nil && !errors.Is(err, errNotDocument) && !errors.Is(err, fs.ErrNotExist):
		r.left.unreadable.add(c.path)
	case err == nil && !t.recognized(false):
		err = errNotDocument
	}
	if r.bytes += int64(len(content)); r.bytes > r.limits.Bytes {
		r.left.bytes, r.full = r.limits.Bytes, true
	}
	return t, err
}

// fits reports whether one more document can be kept, and shortens what was found in it
// to what can be. The caller has the lock.
func (r *scanRun) fits(at address, found *[]diagnostic) bool {
	state := &r.session.scanner
	documents, findings := r.limits.Documents-state.documents, r.limits.Findings-state.findings
	if was := r.session.reports[at]; was != nil {
		documents, findings = documents+1, findings+len(was.found)
	}
	if documents <= 0 {
		r.left.documents = r.limits.Documents
		return false
	}
	if len(*found) > findings {
		r.left.findings = r.limits.Findings
		*found = (*found)[:max(findings, 0)]
	}
	return true
}

// skips reports whether a file is not validated in the background: it is open, it belongs
// to a source or to another folder, or its folder was removed. The caller has the lock.
func (s *session) skips(at address, f *folder) bool {
	inner, _ := s.workspace.folderOf(at)
	_, inSource := s.workspace.sourceOf(at)
	return s.documents[at] != nil || inSource || inner != f
}

// isCandidate reports whether a file can be a document by its name.
func isCandidate(name string) bool { return strings.EqualFold(path.Ext(name), ".json") }

// errNotDocument is returned for a file that is not a document, errLarge for one that is
// too large.
var (
	errNotDocument = errors.New("lsp: not a document")
	errLarge       = errors.New("lsp: too large")
)

// readCandidate reads a file, unless its first bytes show that it is not a document.
func readCandidate(files fs.FS, name string, limit int64) ([]byte, error) {
	info, err := fs.Lstat(files, name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errNotDocument // opening a pipe would block
	}
	f, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // only read
	var b bytes.Buffer
	if _, err := io.CopyN(&b, f, sniffSize); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if !strings.HasSuffix(name, extension) && !isObject(b.Bytes()) {
		return nil, errNotDocument
	}
	if info.Size() > limit {
		return nil, errLarge
	}
	text, err := limited.Read(io.MultiReader(&b, f), limit, info.Size())
	if errors.Is(err, limited.ErrTooLarge) {
		err = errLarge
	}
	return text, err
}

// isObject reports whether a text begins as a JSON object.
func isObject(text []byte) bool {
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	return bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("{")) && bytes.IndexByte(text, 0) < 0
}
