// Package behavior shows how firmware really behaves (T-Morph), from the call trees of instances of event procedures: the models that
// instances of the same behaviour share, the job flows that models form, how flows are interleaved, and whether a later run still does
// what a person approved.
//
// Invariants: a run of any length needs memory only for its different behaviours; everything here is named by functions and lines,
// never by addresses, so that approved models survive a rebuild.
package behavior
