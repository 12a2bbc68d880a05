package gcpace

// PaceGCFor is PaceGC with another time until the program counts as idle.
var StartFor = start
