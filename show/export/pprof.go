package export

import (
	"compress/gzip"
	"encoding/binary"
	"io"
	"maps"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"

	"motehound/observe/calltree"
	"motehound/observe/signals"
	"motehound/world"
)

// profile is how many cycles motes have spent where, on its way into a profile for pprof (profile.proto).
type profile struct {
	w      *world.World
	stacks *calltree.Stacks
	motes  []profiled
	texts  map[string]uint64 // by text: its number in the string table
	table  []string
}

// profiled is what one mote has spent.
type profiled struct {
	spent map[string]*[2]uint64 // by the addresses of a stack: cycles awake and asleep
	now   *[2]uint64            // of the stack that it executes
	last  calltree.Moment
	key   []byte
}

// Fields of the messages.
const (
	profileSampleType = 1
	profileSample     = 2
	profileLocation   = 4
	profileFunction   = 5
	profileStrings    = 6
	profileDuration   = 10
	profileDefault    = 14

	valueType = 1
	valueUnit = 2

	sampleLocations = 1
	sampleValues    = 2
	sampleLabel     = 3
	labelKey        = 1
	labelText       = 2

	locationID      = 1
	locationAddress = 3
	locationLine    = 4
	lineFunction    = 1
	lineNumber      = 2

	functionID    = 1
	functionName  = 2
	functionRaw   = 3
	functionFile  = 4
	functionStart = 5
)

// recordPprof has the cycles that a world's motes spend in each function written as a profile. A handler's stack begins with the handler: what
// it interrupts has not called it.
func recordPprof(w *world.World, to io.Writer) (done func() error, err error) {
	p := &profile{w: w, motes: make([]profiled, len(w.Motes())), texts: map[string]uint64{"": 0}, table: []string{""}}
	for i := range p.motes {
		p.motes[i].spent = map[string]*[2]uint64{}
	}
	p.stacks = calltree.WatchStacks(w, calltree.StackOptions{Lines: true}, p.take)
	return func() error {
		p.stacks.Close()
		return p.write(to)
	}, nil
}

// take gives what has passed to the stack that was executed, and notes the one that is now.
func (p *profile) take(at calltree.Moment, stack []calltree.Level) {
	m := &p.motes[at.Mote]
	if m.now != nil {
		asleep := at.Slept - m.last.Slept
		m.now[0] += at.Cycle - m.last.Cycle - min(asleep, at.Cycle-m.last.Cycle)
		m.now[1] += asleep
	}
	m.last = at
	m.key = m.key[:0]
	for _, l := range stack {
		if l.Kind == calltree.Interrupt {
			m.key = m.key[:0]
		}
		if l.Kind != calltree.Inlined {
			m.key = binary.LittleEndian.AppendUint32(m.key, l.PC)
		}
	}
	if m.now = m.spent[string(m.key)]; m.now == nil {
		m.now = new([2]uint64)
		m.spent[string(m.key)] = m.now
	}
}

// text is the number of a text in the string table.
func (p *profile) text(s string) uint64 {
	if n, ok := p.texts[s]; ok {
		return n
	}
	p.texts[s] = uint64(len(p.table))
	p.table = append(p.table, s)
	return p.texts[s]
}

// sites numbers functions and the places where they execute.
type sites struct {
	*profile
	out       []byte
	functions map[calltree.Place]uint64
	locations map[site]uint64
}

// site is an address of a firmware, by the first mote that runs it.
type site struct {
	mote int
	pc   uint32
}

func (p *profile) write(to io.Writer) error {
	s := &sites{profile: p, functions: map[calltree.Place]uint64{}, locations: map[site]uint64{}}
	for _, t := range []string{"cycles", "sleep"} {
		s.out = appendBytes(s.out, profileSampleType, appendNumber(appendNumber(nil, valueType, p.text(t)), valueUnit, p.text("cycles")))
	}
	for i := range p.motes {
		s.mote(i)
	}
	s.out = appendNumber(s.out, profileDuration, p.w.Now()/1000)
	s.out = appendNumber(s.out, profileDefault, p.text("cycles"))
	for _, t := range p.table {
		s.out = appendText(s.out, profileStrings, t)
	}
	z := gzip.NewWriter(to)
	if _, err := z.Write(s.out); err != nil {
		return err
	}
	return z.Close()
}

// mote adds the samples of a mote.
func (s *sites) mote(i int) {
	name := signals.MoteName(s.w, i)
	label := appendNumber(appendNumber(nil, labelKey, s.text("mote")), labelText, s.text(name))
	for _, key := range slices.Sorted(maps.Keys(s.motes[i].spent)) {
		spent := s.motes[i].spent[key]
		if spent[0]+spent[1] == 0 {
			continue
		}
		var places []byte
		for at := len(key) - 4; at >= 0; at -= 4 { // innermost first
			places = protowire.AppendVarint(places, s.location(i, binary.LittleEndian.Uint32([]byte(key[at:at+4]))))
		}
		if len(key) == 0 {
			places = protowire.AppendVarint(places, s.location(i, 0))
		}
		b := appendBytes(nil, sampleLocations, places)
		b = appendBytes(b, sampleValues, protowire.AppendVarint(protowire.AppendVarint(nil, spent[0]), spent[1]))
		s.out = appendBytes(s.out, profileSample, appendBytes(b, sampleLabel, label))
	}
}

// location is the number of an address.
func (s *sites) location(mote int, pc uint32) uint64 {
	at := site{s.stacks.Alike(mote), pc}
	if n, ok := s.locations[at]; ok {
		return n
	}
	n := uint64(len(s.locations) + 1)
	s.locations[at] = n
	b := appendNumber(appendNumber(nil, locationID, n), locationAddress, uint64(pc))
	for _, f := range s.stacks.At(mote, pc) {
		line := f.Line
		f.Line = 0
		b = appendBytes(b, locationLine, appendNumber(appendNumber(nil, lineFunction, s.function(f)), lineNumber, uint64(line)))
	}
	s.out = appendBytes(s.out, profileLocation, b)
	return n
}

func (s *sites) function(f calltree.Place) uint64 {
	if n, ok := s.functions[f]; ok {
		return n
	}
	n := uint64(len(s.functions) + 1)
	s.functions[f] = n
	b := appendNumber(nil, functionID, n)
	b = appendNumber(b, functionName, s.text(f.Function))
	b = appendNumber(b, functionRaw, s.text(f.Function))
	b = appendNumber(b, functionFile, s.text(f.File))
	s.out = appendBytes(s.out, profileFunction, appendNumber(b, functionStart, uint64(f.Declared)))
	return n
}
