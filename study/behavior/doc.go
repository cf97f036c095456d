// Package behavior tells how firmware really runs (T-Morph), from the invocation trees of event-procedure instances: the models that
// instances of the same behaviour share, the job flows that models form, how flows are interleaved, and whether a later
// run still does what a person approved.
//
// Invariants: a run of any length needs memory for its different behaviours only; everything here is named by functions and lines, never by address,
// so that what was approved survives a rebuild.
package behavior
