// Package check explores what a network of motes can do, in search of violations: by random walks, by exhaustive search to a
// depth, and by both, as T-Check does. It knows nothing of motes: it drives any System whose uncertain things are events.
//
// Invariants:
//   - What is found depends on the system, the options and the seed alone. Walks give the same result with any number of
//     threads. A search gives the same verdict, the same causes and the same length of the shortest trace of each; only
//     which of several equally short traces is shown, and how often work was done twice, depends on threads, and only if
//     states are kept.
//   - Every trace of a finding was replayed, event by event, from the state that the caller gave.
//   - A reduction never changes a verdict. Exactly what each one keeps is said at Reduction.
//   - The package has no clock: whoever calls it says when to stop.
//
// # Liveness
//
// A Goal ("eventually the buffer is unlocked", on one mote) is violated by a run in which from some point on it never holds
// again. Three kinds of evidence are told apart. Stuck: no event is left, and the goal does not hold. Lasso: a cycle of states
// without the goal that can go on for ever although every queue which keeps having something to deliver is served, and in which
// nothing fails: a proof, up to the odds that two different states have one hash. Sampled: the goal did not hold for as
// many events as the threshold says, which is the paper's heuristic.
package check
