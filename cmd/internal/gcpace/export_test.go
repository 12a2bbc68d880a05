package gcpace

// StartFor is Start with another time until the program counts as idle.
var StartFor = start
