package scenario

import (
	"fmt"
	"math"

	"go.starlark.net/starlark"

	"motehound/world/serialframe"
)

// tinyosPacket makes the frame of an active message, as a host sends it to a mote.
func tinyosPacket(thread *starlark.Thread, f *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var (
		am      starlark.Value
		payload octets
		dest    = starlark.Value(starlark.MakeInt(math.MaxUint16))
		src     = starlark.Value(starlark.MakeInt(0))
		group   = starlark.Value(starlark.MakeInt(0))
		ack     = starlark.Value(starlark.None)
	)
	err := unpack(thread, f.Name(), args, kwargs, "am", &am, "payload?", &payload, "dest?", &dest, "src?", &src, "group?", &group, "ack?", &ack)
	if err != nil {
		return nil, err
	}
	if len(payload) > math.MaxUint8 {
		return nil, fmt.Errorf("%s: a payload of %d bytes is too long: its length is one byte", f.Name(), len(payload))
	}
	field := func(name string, v starlark.Value, max int64) int64 {
		n, e := intIn(v, 0, max)
		if e != nil && err == nil {
			err = fmt.Errorf("%s: %s %v", f.Name(), name, e)
		}
		return n
	}
	frame := serialframe.Frame{Protocol: serialframe.ProtoNoAck, Message: &serialframe.Message{
		Dest: uint16(field("dest", dest, math.MaxUint16)), Src: uint16(field("src", src, math.MaxUint16)),
		Group: uint8(field("group", group, math.MaxUint8)), Type: uint8(field("am", am, math.MaxUint8)), Data: payload,
	}}
	if ack != starlark.None && ack != starlark.False {
		if ack == starlark.True {
			ack = starlark.MakeInt(0)
		}
		frame.Protocol = serialframe.ProtoPacket
		frame.Sequence = uint8(field("ack (a sequence number)", ack, math.MaxUint8))
	}
	if err != nil {
		return nil, err
	}
	return starlark.Bytes(frame.Bytes()), charge(thread, 16)
}

// SLIP's characters (RFC 1055).
const (
	slipEnd       = 0xC0
	slipEscape    = 0xDB
	slipEscapeEnd = 0xDC
	slipEscapeEsc = 0xDD
)

// slip makes a frame as RFC 1055 has it, with END in front too, which flushes line noise.
func slip(thread *starlark.Thread, f *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var data octets
	if err := unpack(thread, f.Name(), args, kwargs, "data", &data); err != nil {
		return nil, err
	}
	out := []byte{slipEnd}
	for _, b := range data {
		switch b {
		case slipEnd:
			out = append(out, slipEscape, slipEscapeEnd)
		case slipEscape:
			out = append(out, slipEscape, slipEscapeEsc)
		default:
			out = append(out, b)
		}
	}
	return fits(thread, starlark.Bytes(append(out, slipEnd)))
}
