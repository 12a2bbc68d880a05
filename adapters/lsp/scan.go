package lsp

import (
	"context"
	"errors"
	"io/fs"
	"runtime"
	"slices"
	"strings"
)

// scanner is the state of judging the documents that are not open. The session's lock
// guards it. One goroutine does it, and waits whenever a user waits for something else.
type scanner struct {
	running bool
	cancel  context.CancelFunc // ends the run
	again   bool               // all folders must be walked
	queue   []candidate        // to be judged before the walk goes on
	walk    int                // the number of the last walk
	told    string             // the last message about what was left out
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

// scanAll judges all documents that are not open. The caller has the lock.
func (s *session) scanAll() {
	if s.scanner.documents > 0 || slices.ContainsFunc(s.workspace.folders, func(f *folder) bool { return f.files != nil }) {
		s.scanner.again = true
		s.startScan()
	}
}

// scanFile judges a file that is not open. It reports false if the file can't be a
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

// maxQueue is how many files are judged one by one; if there are more, the workspace is
// walked.
const maxQueue = 1000

// startScan starts the goroutine that judges documents in the background, unless it
// runs. The caller has the lock.
func (s *session) startScan() {
	if len(s.scanner.queue) > maxQueue {
		s.scanner.queue, s.scanner.again = nil, true
	}
	if s.scanner.running || s.stopping || s.state != stateRunning {
		return
	}
	s.scanner.running = true
	ctx, cancel := context.WithCancel(s.ctx)
	s.scanner.cancel = cancel
	s.work.Go(func() {
		run := &scanRun{session: s, ctx: ctx, limits: s.server.options.limits.withDefaults()}
		defer cancel()
		defer run.stop()
		defer s.recovered("workspace", nil)
		for run.step() {
			runtime.Gosched()
		}
	})
}

// scanRun is a run of the goroutine that judges documents in the background.
type scanRun struct {
	session *session
	ctx     context.Context
	limits  limits
	walker  *walker // nil if there is nothing to walk
	ended   bool    // another run may have begun
}

// step waits until nothing else is to be done, and judges a document or looks at a part
// of a directory. There is nothing more to do if it returns false.
func (r *scanRun) step() bool {
	s := r.session
	s.typing.wait(r.ctx)
	s.linting.wait(r.ctx)
	c, more := r.next()
	if more && c.folder == nil {
		if c, more = r.walker.next(); !more {
			r.walkEnds()
			return true
		}
	}
	if c.folder != nil {
		r.judge(c)
	}
	return more
}

// next returns the document to judge. If there is none, the walker has to look for more.
func (r *scanRun) next() (candidate, bool) {
	s := r.session
	s.mu.Lock()
	defer s.mu.Unlock()
	state := &s.scanner
	if r.ctx.Err() != nil {
		return candidate{}, false
	}
	if state.again {
		state.again = false
		state.walk++
		r.endWalk()
		r.walker = newWalker(r.limits, state.walk, s.workspace.folders)
	}
	var c candidate
	switch {
	case len(state.queue) > 0:
		c, state.queue = state.queue[0], state.queue[1:]
	case r.walker == nil:
		state.running, r.ended = false, true
		s.wake()
		return c, false
	}
	return c, true
}

// judge judges a file, if it is a document that is not open.
func (r *scanRun) judge(c candidate) {
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
		found, err = s.diagnose(r.ctx, c.folder.root, t)
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
	case errors.Is(err, errLarge) && strings.HasSuffix(c.path, extension):
		t.tooLarge = r.limits.FileSize
		r.note(func(l *leftOut) { l.large.add(c.path) })
		return t, nil
	case errors.Is(err, errLarge):
		r.note(func(l *leftOut) { l.large.add(c.path) })
	case err != nil && !errors.Is(err, errNotDocument) && !errors.Is(err, fs.ErrNotExist):
		r.note(func(l *leftOut) { l.unreadable.add(c.path) })
	case err == nil && !t.recognized(false):
		err = errNotDocument
	}
	if r.walker != nil {
		if r.walker.read += int64(len(content)); r.walker.read > r.limits.Bytes {
			r.note(func(l *leftOut) { l.bytes = r.limits.Bytes })
			r.walkEnds()
		}
	}
	return t, err
}

// fits reports whether one more document can be kept, and shortens what was found in it
// to what can be. The caller has the lock.
func (r *scanRun) fits(at address, found *[]diagnostic) bool {
	state := &r.session.scanner
	was := r.session.reports[at]
	documents, findings := r.limits.Documents-state.documents, r.limits.Findings-state.findings
	if was != nil {
		documents, findings = documents+1, findings+len(was.found)
	}
	if documents <= 0 {
		r.note(func(l *leftOut) { l.documents = r.limits.Documents })
		return false
	}
	if len(*found) > findings {
		r.note(func(l *leftOut) { l.findings = r.limits.Findings })
		*found = (*found)[:max(findings, 0)]
	}
	return true
}

// note notes what was left out by a walk.
func (r *scanRun) note(set func(*leftOut)) {
	if r.walker != nil {
		set(&r.walker.left)
	}
}

// walkEnds forgets the documents that a walk did not find any more, and tells what it
// left out.
func (r *scanRun) walkEnds() {
	w, s := r.walker, r.session
	r.endWalk()
	message := w.left.message(r.limits)
	s.mu.Lock()
	defer s.mu.Unlock()
	for at, known := range s.reports {
		if !known.source && known.walk != w.number && known.id != "" {
			s.forget(at, known.uri, nil)
		}
	}
	if message != "" && message != s.scanner.told {
		if s.scanner.told == "" {
			s.warn(message)
		}
		s.scanner.told = message
		s.log(logWarning, message)
	}
}

// endWalk closes what the walk has open.
func (r *scanRun) endWalk() {
	if r.walker != nil {
		r.walker.stop()
		r.walker = nil
	}
}

// stop lets another run begin, also after a panic.
func (r *scanRun) stop() {
	r.endWalk()
	s := r.session
	s.mu.Lock()
	defer s.mu.Unlock()
	if !r.ended {
		s.scanner.running = false
		s.wake()
	}
}

// skips reports whether a file is not judged in the background: it is open, it belongs
// to a source or to another folder, or its folder was removed. The caller has the lock.
func (s *session) skips(at address, f *folder) bool {
	inner, _ := s.workspace.folderOf(at)
	_, inSource := s.workspace.sourceOf(at)
	return s.documents[at] != nil || inSource || inner != f
}
