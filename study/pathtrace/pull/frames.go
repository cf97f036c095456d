package pull

import (
	"motehound/world/serialframe"
)

// Frames makes a Link of a line of bytes to a mote, or to a base station beside it, in TinyOS's serial frames.
type Frames struct {
	// Mote is the id of the mote that is asked. Only that one answers; a base station may give another one as the answers' source.
	Mote  uint16
	Write func(bytes []byte) error
	// Read is the next bytes from the line; ok is false if none came for a while.
	Read func() (bytes []byte, ok bool, err error)

	framer serialframe.Framer
	queue  [][]byte
}

// group is the active messages' of TinyOS, unless they were told otherwise.
const group = 0x22

// Send implements Link.
func (f *Frames) Send(message []byte) error { return f.Write(Frame(f.Mote, AM, message)) }

// Frame is an active message to a mote as it goes over its serial line.
func Frame(to uint16, kind uint8, message []byte) []byte {
	m := &serialframe.Message{Dest: to, Group: group, Type: kind, Data: message}
	return serialframe.Frame{Protocol: serialframe.ProtoNoAck, Message: m}.Bytes()
}

// strangers is how many frames may come that are no answers before the mote is taken for silent: a network that says other
// things all the time never would be.
const strangers = 20

// Receive implements Link. Frames that are damaged are left out: what was in them is asked for again.
func (f *Frames) Receive() ([]byte, bool, error) {
	for others := 0; len(f.queue) == 0; {
		bytes, ok, err := f.Read()
		if err != nil || !ok {
			return nil, false, err
		}
		raws, _ := f.framer.Take(bytes)
		for _, r := range raws {
			if data, ok := f.answer(r); ok {
				f.queue = append(f.queue, data)
			} else if others++; others == strangers {
				return nil, false, nil
			}
		}
	}
	first := f.queue[0]
	f.queue = f.queue[1:]
	return first, true, nil
}

// answer is the data of an active message that answers. Its packet is the dispatch byte, and then destination, source, length,
// group and type.
func (f *Frames) answer(r serialframe.Raw) ([]byte, bool) {
	const header = 8
	p := r.Packet
	if len(p) < header || p[0] != 0 || p[7] != AM || int(p[5]) != len(p)-header {
		return nil, false
	}
	return p[header:], true
}
