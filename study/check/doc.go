// Package check looks for violations in what a network of motes can do: by random walks, by exhaustive search to a depth, and by both,
// as T-Check does. It knows nothing about motes: it works on any System whose uncertain things are events.
//
// Invariants:
//   - The result depends only on the system, the options and the seed. Walks give the same result with any number of threads. A search
//     gives the same verdict, the same causes and the same length of the shortest trace of each. Only if states are stored, threads
//     influence which of several equally short traces is shown, and how often work was done twice.
//   - Every trace of a finding was replayed, event by event, from the state that the caller gave.
//   - A reduction never changes a verdict. Reduction says exactly what each one keeps.
//   - The package has no clock: the caller says when to stop.
//
// # Liveness
//
// A Goal ("eventually the buffer is unlocked", on one mote) is violated by a run in which from some point on it never holds again.
// There are three kinds of evidence. Stuck: no event is left, and the goal does not hold. Lasso: a cycle of states without the goal,
// without faults, that can repeat for ever although every queue that keeps having something to deliver is served. This is a proof,
// except for the probability that two different states have one hash. Sampled: the goal did not hold for as many events as the
// threshold says, which is the paper's heuristic.
package check
