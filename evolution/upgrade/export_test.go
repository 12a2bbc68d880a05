package upgrade

// Kinds describes all kinds.
var Kinds = kinds
