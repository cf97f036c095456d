package world

import (
	"motehound/mote/cell"
	"motehound/mote/radio"
)

// Frame is one transmission: from the carrier's first moment to its last.
type Frame struct {
	Sender     int
	Start, End uint64 // picoseconds since the world's start
	Carrier    radio.Carrier
	Look       *FrameLook  // of the sender's radio
	Bytes      []cell.Cell // all of them, preamble and delimiter too
}

// FrameLook is what the frames of a radio look like: for those who read observations and never the machine.
type FrameLook = radio.Frames

// OQPSK is how the carrier of a CC2420 is modulated, for those who read observations and never the machine.
const OQPSK = radio.OQPSK

// frameOn, frameByte and frameOff follow what a mote sends, for counters and observers.
func (w *World) frameOn(i int, at uint64, c radio.Carrier) {
	w.per[i].sending = Frame{Sender: i, Start: at, Carrier: c, Look: w.frameLook(i), Bytes: w.per[i].sending.Bytes[:0]}
}

func (w *World) frameByte(i int, at uint64, c cell.Cell) {
	if w.per[i].bytes == 0 {
		w.per[i].sent++
	}
	w.per[i].bytes++
	if len(w.observe.frame) > 0 {
		w.per[i].sending.Bytes = append(w.per[i].sending.Bytes, c)
	}
}

func (w *World) frameOff(i int, at uint64) {
	if len(w.observe.frame) > 0 {
		f := w.per[i].sending
		f.Sender, f.End = i, at // in a copy of a world, nothing else is known of one that had begun
		f.Bytes = append([]cell.Cell(nil), f.Bytes...)
		for _, o := range w.observe.frame {
			o(f)
		}
	}
	w.per[i].bytes = 0
}

// FramesSent is how many transmissions with content a mote has begun.
func (w *World) FramesSent(i int) uint32 { return w.per[i].sent }

// FramesReceived is how many transmissions a mote's radio heard from their first byte to their end while it listened. (What
// its firmware made of them is another matter.)
func (w *World) FramesReceived(i int) uint32 { return w.per[i].received }

// OnAir is how many bytes a mote has sent of the transmission that is under way, or that an observer is told of the end of; 0 if none is.
func (w *World) OnAir(i int) uint32 { return w.per[i].bytes }
