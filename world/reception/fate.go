// Package reception has the rules for what happens to frames at the mote that they reach, on the air and on wires. They are written here
// once, for timed, explored and symbolic runs.
//
// Invariants: all state is plain data. Nothing is decided here: whoever runs a mote says which fate a frame has.
package reception

// Fate is what becomes of a frame at one receiver. The numbers are part of the recipe format: they are the answers to questions about
// frames.
type Fate uint8

const (
	Delivered  Fate = iota
	Lost            // heard as energy, not as bits
	Corrupted       // one bit of one byte is wrong
	Duplicated      // heard when it comes, and once more: DuplicateGap after its end
	Delayed         // not heard when it comes, but once later: the Span of its fault after its end
	Reordered       // ... or after the next one from the same sender, or on the same wire
	NumFates
)

// comes reports whether a frame is received when it comes.
func (f Fate) comes() bool { return f != Lost && f < Delayed }

// Returns reports whether a frame is received later, too or instead.
func (f Fate) Returns() bool { return f >= Duplicated }

// duplicateGap is how long after the end of a frame one that has been kept for later begins, on the air.
const duplicateGap = 2000 * microsecond

// WireLatency is the least time from the moment a character is put on a wire to the moment its receiver can know of it. With less than
// eight bit times it does not show: a receiver learns nothing of a character before its last bits. So it does not up to 115,200 baud.
const WireLatency = 64 * microsecond

const microsecond = 1_000_000 // picoseconds

// Where corruption can strike: on the air behind what synchronises the receiver (radio.Frames), on wires from the first byte of a frame on.
const (
	corruptBytes = 16 // how many bytes from there on
	// CorruptBits is how many bits of a frame can be the wrong one.
	CorruptBits = 8 * corruptBytes
)
