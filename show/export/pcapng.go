// Package export writes what happened in a run in the formats of other tools: one file, and one type or Write func, each.
//
// It reads observations, never the machine. What it writes depends only on the run: the same run gives the same bytes, on every
// host and at every time.
package export

import (
	"bufio"
	"container/heap"
	"encoding/binary"
	"fmt"
	"io"

	"motehound/world"
)

// pcapngOptions says how a capture is arranged.
type pcapngOptions struct {
	// PerMote gives each mote an interface, named after it. Otherwise each channel has one: "channel 26", or "868.3 MHz"
	// where channels have no numbers.
	PerMote bool
	// MoteName names a mote of the world. Nil: "mote" and its index.
	MoteName func(mote int) string
}

// pcapng writes the air as a pcapng capture (draft-ietf-opsawg-pcapng), for Wireshark and its like.
//
// Each transmission is a packet, with its sender in a comment, at the virtual time when its carrier went on: nanoseconds
// since the world's start, which is taken for 1970-01-01T00:00:00Z. IEEE 802.15.4 frames have the link type 195: MAC
// header to FCS. One whose sender stopped early has the bytes that were sent, and its original length as the length byte
// says it. The CC1000 has no link type; its bytes are there as they went over the air, without the preamble (leading 0xAA
// and 0x55) but with the firmware's sync word, as link type 147, USER0: tell Wireshark in its DLT_USER table what the
// firmware puts there. So are the bytes of an IEEE 802.15.4 radio that are no frame, with preamble and all; a comment says
// what is wrong.
//
// Packets are in the order of their start, unless a transmission lasts longer than patience: then it comes late.
type pcapng struct {
	w          *bufio.Writer
	opts       pcapngOptions
	interfaces map[netInterface]uint32
	held       packets
	newest     uint64 // the latest end of a transmission
	err        error
	block      []byte // scratch
}

// netInterface is an interface of the capture. Packets of one link type only can be on it.
type netInterface struct {
	name string
	link uint16
}

// A transmission is told at its end, so packets are held back until nothing that began earlier can come any more. The
// longest in practice are a CC1000's with the preambles of low-power listening, a little more than a second.
const (
	patience = 2 * world.Second
	maxHeld  = 1 << 16 // packets; more are not held back, whatever their order
)

// newPcapng begins a capture. The caller closes w, after Close.
func newPcapng(w io.Writer, opts pcapngOptions) (*pcapng, error) {
	if opts.MoteName == nil {
		opts.MoteName = func(mote int) string { return fmt.Sprintf("mote %d", mote) }
	}
	p := &pcapng{w: bufio.NewWriter(w), opts: opts, interfaces: map[netInterface]uint32{}}
	p.writeSection()
	if p.err == nil {
		p.err = p.w.Flush() // a file that cannot be written says so now, not at the end of a long run
	}
	return p, p.err
}

// frame takes a transmission, as world.Observer has it. After an error all further calls return that error, and so does
// Close.
func (p *pcapng) frame(f world.Frame) error {
	k, ok := packetOf(f)
	if !ok {
		return p.err
	}
	heap.Push(&p.held, k)
	p.newest = max(p.newest, f.End)
	for len(p.held) > 0 && (p.held[0].start+patience < p.newest || len(p.held) > maxHeld) {
		p.writePacket(heap.Pop(&p.held).(packet))
	}
	return p.err
}

// Close writes what was held back.
func (p *pcapng) Close() error {
	for len(p.held) > 0 {
		p.writePacket(heap.Pop(&p.held).(packet))
	}
	if p.err == nil {
		p.err = p.w.Flush()
	}
	return p.err
}

// packets is a heap by start, then sender.
type packets []packet

func (h packets) Len() int      { return len(h) }
func (h packets) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *packets) Push(x any)   { *h = append(*h, x.(packet)) }

func (h packets) Less(i, j int) bool {
	if h[i].start != h[j].start {
		return h[i].start < h[j].start
	}
	return h[i].mote < h[j].mote
}

func (h *packets) Pop() any {
	last := len(*h) - 1
	x := (*h)[last]
	(*h)[last] = packet{}
	*h = (*h)[:last]
	return x
}

// Block types and options of pcapng.
const (
	blockSection   = 0x0A0D0D0A
	blockInterface = 1
	blockPacket    = 6 // enhanced packet

	optEnd         = 0
	optComment     = 1
	optApplication = 4 // in a section header
	optName        = 2 // in an interface description
	optDescription = 3
	optResolution  = 9

	nanoseconds = 9 // as a resolution: 10 to the minus ninth seconds
)

func (p *pcapng) writeSection() {
	b := p.begin(blockSection)
	b = binary.LittleEndian.AppendUint32(b, 0x1A2B3C4D) // the byte order
	b = binary.LittleEndian.AppendUint16(b, 1)          // version 1.0
	b = binary.LittleEndian.AppendUint16(b, 0)
	b = binary.LittleEndian.AppendUint64(b, ^uint64(0)) // length not given
	b = appendOption(b, optApplication, "motehound")
	p.end(b)
}

// on gives the interface of a packet, which it describes in the capture when it is the first there.
func (p *pcapng) on(k packet) uint32 {
	i := netInterface{k.on, k.link}
	if p.opts.PerMote {
		i.name = p.opts.MoteName(k.mote)
	}
	if id, ok := p.interfaces[i]; ok {
		return id
	}
	id := uint32(len(p.interfaces))
	p.interfaces[i] = id
	b := p.begin(blockInterface)
	b = binary.LittleEndian.AppendUint16(b, i.link)
	b = binary.LittleEndian.AppendUint16(b, 0)
	b = binary.LittleEndian.AppendUint32(b, 0) // packets of any length
	b = appendOption(b, optName, i.name)
	if i.link == linkUser0 {
		b = appendOption(b, optDescription, "bytes as they are on the air")
	}
	b = appendOption(b, optResolution, string([]byte{nanoseconds}))
	p.end(b)
	return id
}

func (p *pcapng) writePacket(k packet) {
	id := p.on(k)
	ns := k.start / 1000
	b := p.begin(blockPacket)
	b = binary.LittleEndian.AppendUint32(b, id)
	b = binary.LittleEndian.AppendUint32(b, uint32(ns>>32))
	b = binary.LittleEndian.AppendUint32(b, uint32(ns))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(k.data)))
	b = binary.LittleEndian.AppendUint32(b, uint32(k.original))
	b = appendPadded(b, k.data)
	comment := "from " + p.opts.MoteName(k.mote)
	if k.remark != "" {
		comment += ": " + k.remark
	}
	b = appendOption(b, optComment, comment)
	p.end(b)
}

// begin begins a block; end writes it, with the end of its options and its length.
func (p *pcapng) begin(kind uint32) []byte {
	b := binary.LittleEndian.AppendUint32(p.block[:0], kind)
	return binary.LittleEndian.AppendUint32(b, 0)
}

func (p *pcapng) end(b []byte) {
	b = binary.LittleEndian.AppendUint16(b, optEnd)
	b = binary.LittleEndian.AppendUint16(b, 0)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(b)+4))
	binary.LittleEndian.PutUint32(b[4:], uint32(len(b)))
	p.block = b
	if p.err == nil {
		_, p.err = p.w.Write(b)
	}
}

func appendOption(b []byte, code uint16, value string) []byte {
	b = binary.LittleEndian.AppendUint16(b, code)
	b = binary.LittleEndian.AppendUint16(b, uint16(len(value)))
	return appendPadded(b, []byte(value))
}

func appendPadded(b, data []byte) []byte {
	b = append(b, data...)
	return append(b, make([]byte, -len(data)&3)...)
}
