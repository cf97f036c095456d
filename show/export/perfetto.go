package export

import (
	"bufio"
	"io"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// perfetto writes tracks of slices and counters as a Perfetto trace, which ui.perfetto.dev shows and trace_processor reads. Times are
// nanoseconds since the world's start. Field numbers are those of trace_packet.proto, track_descriptor.proto and track_event.proto.
//
// On each track time never goes back, and slices are nested: what is open at the end is ended there.
type perfetto struct {
	w      *bufio.Writer
	tracks []perfettoTrack
	names  map[string]uint64 // interned, by number
	err    error
	latest uint64
}

// trackID is a line of a trace.
type trackID int

type perfettoTrack struct {
	last uint64 // nanoseconds
	open int
}

// Fields of the messages.
const (
	tracePacket = 1 // of Trace

	packetTimestamp  = 8
	packetSequence   = 10
	packetTrackEvent = 11
	packetInterned   = 12
	packetFlags      = 13
	packetDescriptor = 60

	descriptorUUID    = 1
	descriptorName    = 2
	descriptorProcess = 3
	descriptorParent  = 5
	descriptorCounter = 8
	descriptorOrder   = 11 // how children are sorted
	descriptorRank    = 12

	processID   = 1
	processName = 6

	eventNotes   = 4
	eventType    = 9
	eventNameID  = 10
	eventTrack   = 11
	eventInt     = 30
	eventReal    = 44
	eventFlow    = 47
	noteName     = 10
	noteText     = 6
	internedName = 2
	nameID       = 1
	nameText     = 2
)

// Values of enumerations.
const (
	typeBegin   = 1
	typeEnd     = 2
	typeCounter = 4

	flagCleared = 1 // interned data begins here
	flagNeeds   = 2 // interned data is used
	byRank      = 3 // descriptorOrder: as descriptorRank says
	sequence    = 1
)

// newPerfetto begins a trace. The caller closes w, after Close.
func newPerfetto(w io.Writer) *perfetto {
	p := &perfetto{w: bufio.NewWriterSize(w, 1<<16), names: map[string]uint64{}}
	p.packet(protowire.AppendVarint(protowire.AppendTag(nil, packetFlags, protowire.VarintType), flagCleared))
	return p
}

// process begins a group of tracks.
func (p *perfetto) process(name string) trackID {
	t := p.newTrack()
	process := appendNumber(nil, processID, uint64(t))
	process = appendText(process, processName, name)
	d := appendNumber(nil, descriptorUUID, uint64(t))
	d = appendBytes(d, descriptorProcess, process)
	p.describe(appendNumber(d, descriptorOrder, byRank))
	return t
}

// slices adds a track of slices to a group.
func (p *perfetto) slices(of trackID, name string) trackID {
	t := p.newTrack()
	p.describe(child(t, of, name))
	return t
}

// counter adds a track of values to a group.
func (p *perfetto) counter(of trackID, name string) trackID {
	t := p.newTrack()
	p.describe(appendBytes(child(t, of, name), descriptorCounter, nil))
	return t
}

// child is the beginning of a track's description.
func child(t, of trackID, name string) []byte {
	d := appendNumber(nil, descriptorUUID, uint64(t))
	d = appendNumber(d, descriptorParent, uint64(of))
	d = appendText(d, descriptorName, name)
	return appendNumber(d, descriptorRank, uint64(t))
}

func (p *perfetto) newTrack() trackID {
	p.tracks = append(p.tracks, perfettoTrack{})
	return trackID(len(p.tracks))
}

// sliceNote is what is to be known about a slice.
type sliceNote struct{ Name, Text string }

// begin begins a slice at a moment in picoseconds. Slices with the same flow, which is not 0, are joined by arrows.
func (p *perfetto) begin(t trackID, ps uint64, name string, flow uint64, notes ...sliceNote) {
	id, known := p.names[name]
	var interned []byte
	if !known {
		id = uint64(len(p.names) + 1)
		p.names[name] = id
		entry := appendText(appendNumber(nil, nameID, id), nameText, name)
		interned = appendBytes(nil, packetInterned, appendBytes(nil, internedName, entry))
	}
	e := appendNumber(nil, eventNameID, id)
	if flow != 0 {
		e = protowire.AppendTag(e, eventFlow, protowire.Fixed64Type)
		e = protowire.AppendFixed64(e, flow)
	}
	for _, n := range notes {
		e = appendBytes(e, eventNotes, appendText(appendText(nil, noteName, n.Name), noteText, n.Text))
	}
	p.event(t, ps, typeBegin, e, interned)
	p.tracks[t-1].open++
}

// end ends the innermost slice of a track, if there is one.
func (p *perfetto) end(t trackID, ps uint64) {
	if p.tracks[t-1].open > 0 {
		p.tracks[t-1].open--
		p.event(t, ps, typeEnd, nil, nil)
	}
}

// endAll ends all slices of a track.
func (p *perfetto) endAll(t trackID, ps uint64) {
	for p.tracks[t-1].open > 0 {
		p.end(t, ps)
	}
}

// count gives a counter a value.
func (p *perfetto) count(t trackID, ps uint64, v int64) {
	p.event(t, ps, typeCounter, appendNumber(nil, eventInt, uint64(v)), nil)
}

// countReal does so with a floating-point number.
func (p *perfetto) countReal(t trackID, ps uint64, v float64) {
	e := protowire.AppendTag(nil, eventReal, protowire.Fixed64Type)
	p.event(t, ps, typeCounter, protowire.AppendFixed64(e, math.Float64bits(v)), nil)
}

// Close ends all slices and the trace.
func (p *perfetto) Close() error {
	for i := range p.tracks {
		p.endAll(trackID(i+1), p.latest*1000)
	}
	if err := p.w.Flush(); p.err == nil {
		p.err = err
	}
	return p.err
}

func (p *perfetto) event(t trackID, ps uint64, kind uint64, rest, interned []byte) {
	track := &p.tracks[t-1]
	track.last = max(track.last, ps/1000)
	p.latest = max(p.latest, track.last)
	e := appendNumber(nil, eventType, kind)
	e = appendNumber(e, eventTrack, uint64(t))
	b := appendNumber(nil, packetTimestamp, track.last)
	b = append(b, interned...)
	b = appendBytes(b, packetTrackEvent, append(e, rest...))
	p.packet(appendNumber(b, packetFlags, flagNeeds))
}

func (p *perfetto) describe(d []byte) { p.packet(appendBytes(nil, packetDescriptor, d)) }

func (p *perfetto) packet(b []byte) {
	b = appendNumber(b, packetSequence, sequence)
	if _, err := p.w.Write(appendBytes(nil, tracePacket, b)); p.err == nil {
		p.err = err
	}
}

func appendNumber(b []byte, field protowire.Number, v uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(b, field, protowire.VarintType), v)
}

func appendBytes(b []byte, field protowire.Number, v []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(b, field, protowire.BytesType), v)
}

func appendText(b []byte, field protowire.Number, v string) []byte {
	return protowire.AppendString(protowire.AppendTag(b, field, protowire.BytesType), v)
}
