package scenario

import (
	"fmt"
	"slices"

	"go.starlark.net/starlark"

	"motehound/mote/board"
)

// LongestFrame is how many bytes fit into a frame from outside, without its check sequence.
const LongestFrame = 125

// ActiveMessage is a frame with a message of TinyOS, as radios send it that speak IEEE 802.15.4: a data frame within a network, with short addresses, from nobody in particular
// to everybody; then the byte of 6LoWPAN that says that this is TinyOS's (TEP 125), and the type.
func ActiveMessage(am uint8, payload []byte) []byte {
	return append([]byte{0x41, 0x88, 0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0xFE, 0xFF, 0x3F, am}, payload...)
}

// frame handles frame(mote, at, data, am): a stranger nearby sends something.
func (r *request) frame() (starlark.Value, error) {
	var (
		who  nodeRef
		when instant
		data octets
		kind = starlark.Value(starlark.None)
	)
	if err := r.unpack("mote", &who, "at?", &when, "data?", &data, "am?", &kind); err != nil {
		return nil, err
	}
	bytes, message := slices.Clone([]byte(data)), kind != starlark.None
	if message {
		n, err := intIn(kind, 0, 255)
		if err != nil {
			return nil, r.errorf("am %v", err)
		}
		bytes = ActiveMessage(uint8(n), data)
	}
	if len(bytes) == 0 || len(bytes) > LongestFrame {
		return nil, r.errorf("a frame has 1 to %d bytes, this one %d: give data, the frame without length and check sequence, or am and the data of a TinyOS message", LongestFrame, len(bytes))
	}
	return r.happens(when, func(at uint64) error {
		i, err := r.resolve(who)
		if err == nil {
			err = hears(&r.sc.Motes[i], message)
		}
		r.sc.Events = append(r.sc.Events, Event{At: at, Kind: EventFrame, Mote: i, From: none, To: none, Frame: bytes, Pos: r.pos})
		return err
	})
}

// hears checks that a mote has a radio, and one whose frames are known if the frame is made for it.
func hears(m *Mote, message bool) error {
	n := slices.IndexFunc(board.All(), func(b *board.Board) bool { return b.Name == m.Board })
	switch {
	case n < 0 || board.All()[n].Radio == nil:
		return fmt.Errorf("mote %d has no radio that could hear a frame", m.ID)
	case message && board.All()[n].Radio.Frames.LengthBits == 0:
		return fmt.Errorf("the firmware of mote %d makes its own frames: leave am out, and give all bytes behind the preamble as data", m.ID)
	}
	return nil
}
