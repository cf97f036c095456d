package pull

import (
	"encoding/hex"
	"fmt"
	"strings"

	"motehound/world/serialframe"
)

// Frames makes a Link of a line of bytes to a mote, or to a base station beside it, in TinyOS's serial frames. What is asked is asked in
// those of TinyOS 2 and of TinyOS 1, and in Contiki's lines of text (../runtime/kernels/contiki): each leaves out the others'.
type Frames struct {
	// Mote is the id of the mote that is asked. Only that one answers; a base station may give another one as the answers' source.
	Mote  uint16
	Write func(bytes []byte) error
	// Read is the next bytes from the line; ok is false if none came for a while.
	Read func() (bytes []byte, ok bool, err error)

	framer serialframe.Framer
	line   []byte // that has no end yet
	queue  [][]byte
}

// group is the active messages' of TinyOS, unless they were told otherwise; and that of TinyOS 1.
const group, group1 = 0x22, 0x7D

// Send implements Link.
func (f *Frames) Send(message []byte) error {
	// TinyOS' frames come last: behind their last flag the mote expects the next frame.
	all := append(fmt.Appendf(nil, "\nmh %04x %x\n", f.Mote, message), frame1(f.Mote, AM, message)...)
	return f.Write(append(all, Frame(f.Mote, AM, message)...))
}

// frame1 is Frame for TinyOS 1: destination, lowest byte first, type, group and length.
func frame1(to uint16, kind uint8, message []byte) []byte {
	packet := append([]byte{byte(to), byte(to >> 8), kind, group1, byte(len(message))}, message...)
	return serialframe.Raw{Protocol: serialframe.ProtoNoAck1, Packet: packet}.Bytes()
}

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
		if lines := f.lines(bytes); len(lines) > 0 {
			f.queue = append(f.queue, lines...)
			break
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

// longest is more than a line with an answer has.
const longest = 1024

// lines is the answers in lines that end in what has come.
func (f *Frames) lines(stream []byte) (answers [][]byte) {
	for _, c := range stream {
		if c != '\n' {
			if f.line = append(f.line, c); len(f.line) > longest {
				f.line = f.line[:0]
			}
			continue
		}
		words := strings.Fields(string(f.line))
		f.line = f.line[:0]
		if len(words) != 3 || words[0] != "mh" || words[1] != fmt.Sprintf("%04x", f.Mote) {
			continue
		}
		if data, err := hex.DecodeString(words[2]); err == nil {
			answers = append(answers, data)
		}
	}
	return answers
}

// answer is the data of an active message that answers. Its packet is the dispatch byte, and then destination, source, length,
// group and type.
func (f *Frames) answer(r serialframe.Raw) ([]byte, bool) {
	const header, header1 = 8, 5
	p := r.Packet
	if r.Protocol == serialframe.ProtoNoAck1 {
		if len(p) < header1 || p[2] != AM || int(p[4]) != len(p)-header1 {
			return nil, false
		}
		return p[header1:], true
	}
	if len(p) < header || p[0] != 0 || p[7] != AM || int(p[5]) != len(p)-header {
		return nil, false
	}
	return p[header:], true
}
