// Package repotest has the tests of the repository itself: which package imports which, what is
// exported, that pages, workflows and scripts name what exists, and that the action can run. They
// run in the root of the repository.
package repotest
