package gdb

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"motehound/firmware/image"
	"motehound/job"
	"motehound/mote"
	"motehound/mote/mcu"
	"motehound/show/debugger"
	"motehound/study/builds"
	"motehound/study/travel"
)

// motes is a debuggee: the motes of a run, wherever in it a traveller is. Thread n is the mote with index n-1. Nothing that is done here changes
// the run.
type motes struct {
	run       *job.Journey
	processes [][]int // their motes
	of        []int   // by mote: its process, from 1
	since     *skipped
	debugger  *debugger.Debugger // for monitor; it speaks into said, and asks halt
	said      strings.Builder
	shown     int // the mote that monitor is about
	halt      func() bool
}

// mostProcesses is how many motes have a process each. gdb reads the symbols for each one again, and sets each breakpoint for each one.
const mostProcesses = 64

// skipped is a stretch of the run in which some motes stepped alone: the others may have had a reason to stop.
type skipped struct {
	begin     travel.Stop
	backwards bool
	reached   []reached
}

// reached is how far a mote stepped.
type reached struct {
	mote   int
	cycles uint64
}

// newNetwork is a run. Each mote is a process, since threads of one process have one memory for gdb. In large networks all
// motes of a build are one: then a watchpoint of gdb's takes the value of one mote for that of another.
func newNetwork(j *job.Journey) *motes {
	n := &motes{run: j, of: make([]int, len(j.Motes()))}
	n.debugger = debugger.New(j, &n.said, func() bool { return n.halt != nil && n.halt() })
	if len(n.of) > mostProcesses {
		for _, b := range builds.Of(j.World()).All() {
			n.processes = append(n.processes, b.Motes)
		}
	} else {
		for i := range n.of {
			n.processes = append(n.processes, []int{i})
		}
	}
	for i, motes := range n.processes {
		for _, m := range motes {
			n.of[m] = i + 1
		}
	}
	return n
}

// Threads implements Target.
func (n *motes) Threads() []moteThread {
	list := make([]moteThread, len(n.of))
	for i, m := range n.run.Motes() {
		list[i] = moteThread{Number: i + 1, Process: n.of[i], Name: n.name(i), State: state(m)}
	}
	return list
}

// Here implements Target.
func (n *motes) Here() int { return n.run.Here().Mote + 1 }

// name names a mote for people.
func (n *motes) name(i int) string {
	m := n.run.Motes()[i]
	return fmt.Sprintf("mote %d (%s)", m.ID(), filepath.Base(m.Kind.Image.Path))
}

// state says what a mote does.
func state(m *mote.Mote) string {
	if why := m.Stopped(); why != mcu.Running {
		return "stopped: " + why.String()
	}
	if mode, asleep := m.Asleep(); asleep {
		return "asleep: " + mode
	}
	return "running"
}

// firmwareOf implements Target.
func (n *motes) Program(process int) firmwareOf {
	im := n.run.Motes()[n.processes[process-1][0]].Kind.Image
	p := firmwareOf{Name: im.Path}
	if im.Format == "elf" {
		p.ELF = im.File
	}
	return p
}

// cpuRegisters implements View.
func (n *motes) Registers(thread int) cpuRegisters {
	return one{n.run.Motes()[thread-1]}.Registers(thread)
}

// Read implements View.
func (n *motes) Read(thread int, addr uint32, buf []byte) int {
	return one{n.run.Motes()[thread-1]}.Read(thread, addr, buf)
}

// one is a View of a single mote, whatever its thread is.
type one struct{ m *mote.Mote }

// cpuRegisters implements View.
func (v one) Registers(int) cpuRegisters {
	s := &v.m.Core().State
	return cpuRegisters{R: s.R, SREG: s.SREG(), SP: s.SP, PC: 2 * s.PC}
}

// Read implements View.
func (v one) Read(_ int, addr uint32, buf []byte) int {
	c := v.m.Chip()
	flash := v.m.Memory().In(image.Flash)
	for i := range buf {
		a := uint64(addr) + uint64(i)
		switch {
		case a < uint64(c.FlashSize):
			buf[i] = flash.LoadByte(uint32(a))
		case a >= dataSpace && a < dataSpace+uint64(c.RAMBase)+uint64(len(v.m.RAM())):
			buf[i] = v.m.Peek(uint16(a - dataSpace))
		case a >= eepromSpace && a < eepromSpace+uint64(c.EEPROMSize):
			buf[i] = v.m.PeekEEPROM(uint32(a - eepromSpace))
		default:
			return i
		}
	}
	return len(buf)
}

// Resume implements Target.
func (n *motes) Resume(m motion) standing {
	s := n.move(m)
	n.shown = s.Thread - 1
	return s
}

func (n *motes) move(m motion) standing {
	w := n.watch(&m)
	x := search{motes: n, motion: m, watch: w, own: n.run.Motes()[m.Thread-1].Cycles()}
	if m.Step {
		w.Each = []int{m.Thread - 1}
	}
	if m.Alone {
		return x.alone()
	}
	here, late := n.run.Here(), n.since
	n.since = nil
	if late != nil && late.backwards == m.Backwards {
		x.late = late.reached
		if err := n.goTo(late.begin, m.Halt); err != nil {
			return x.stop(whyInterrupt)
		}
	} else if !m.Backwards {
		for _, i := range []int{here.Mote, m.Thread - 1} {
			if h, ok := n.coming(w, i); ok && (m.Step || i == here.Mote) {
				return x.after(h)
			}
		}
	}
	w.If = x.counts
	return x.find()
}

// search is a move under way.
type search struct {
	*motes
	motion
	watch *travel.Watch
	own   uint64 // the cycles of the mote that steps, at the start
	late  []reached
}

func (x *search) stop(w reason) standing { return standing{Thread: x.Thread, Why: w} }

// counts reports whether something that was seen is a reason to stop.
func (x *search) counts(m *mote.Mote, h travel.Hit) bool {
	for _, r := range x.late {
		if h.Mote == r.mote && (x.Backwards && m.Cycles() >= r.cycles ||
			!x.Backwards && (m.Cycles() < r.cycles || m.Cycles() == r.cycles && h.Kind == travel.AtCode)) {
			return false
		}
	}
	if x.Step && h.Mote == x.Thread-1 {
		return x.Backwards || m.Cycles() != x.own // the instruction that it is before now is not executed yet
	}
	return h.Kind != travel.AtCode || x.breaks(&x.motion, h.Mote, h.PC, one{m})
}

// find goes to the next reason to stop.
func (x *search) find() standing {
	look, end := x.run.Next, whyEnd
	if x.Backwards {
		look, end = x.run.Previous, whyBegin
	}
	h, err := look(x.watch, x.Halt)
	stepped := x.Step && h.Mote == x.Thread-1
	switch {
	case errors.Is(err, travel.ErrNone):
		return x.stop(end)
	case err != nil:
		return x.stop(whyInterrupt)
	case h.Kind == travel.AtCode || stepped && !x.Backwards:
		if x.breaks(&x.motion, h.Mote, h.PC, one{x.run.Motes()[h.Mote]}) {
			return standing{Thread: h.Mote + 1, Why: whyBreak}
		}
		return standing{Thread: h.Mote + 1, Why: whyStep}
	case x.Backwards || h.Kind == travel.Interrupt:
		return x.watched(h, x.Watches)
	}
	return x.after(h)
}

// alone steps one mote, whatever others do.
func (x *search) alone() standing {
	i := x.Thread - 1
	var h travel.Hit
	hit := false
	if !x.Backwards {
		h, hit = x.coming(x.watch, i)
	}
	if why := x.stepOver(i); why != whyStep {
		return x.stop(why)
	}
	if x.Backwards {
		h, hit = x.coming(x.watch, i)
	}
	if hit {
		return x.watched(h, x.Watches)
	}
	return x.stop(whyStep)
}

// stepOver lets a mote execute one instruction, or takes one back, and notes that nobody looked at the others meanwhile.
func (x *search) stepOver(i int) reason {
	if x.since == nil || x.since.backwards != x.Backwards {
		x.since = &skipped{begin: x.run.Here(), backwards: x.Backwards}
	}
	own := x.run.Motes()[i].Cycles()
	look, end := x.run.Next, whyEnd
	if x.Backwards {
		look, end = x.run.Previous, whyBegin
	}
	_, err := look(&travel.Watch{Each: []int{i}, If: func(m *mote.Mote, _ travel.Hit) bool { return x.Backwards || m.Cycles() != own }}, x.Halt)
	switch {
	case errors.Is(err, travel.ErrNone):
		return end
	case err != nil:
		return whyInterrupt
	}
	x.since.reached = append(x.since.reached, reached{i, x.run.Motes()[i].Cycles()})
	return whyStep
}

// after lets a mote do what was seen coming: gdb looks at memory after it was accessed.
func (x *search) after(h travel.Hit) standing {
	if why := x.stepOver(h.Mote); why == whyInterrupt {
		return standing{Thread: h.Mote + 1, Why: why}
	}
	return x.watched(h, x.Watches)
}

// coming says what the instruction that a mote is before does to watched memory.
func (n *motes) coming(w *travel.Watch, i int) (travel.Hit, bool) {
	if len(w.Changes)+len(w.Writes)+len(w.Reads) == 0 {
		return travel.Hit{}, false
	}
	return n.run.Coming(i, w)
}

// watched says which watchpoint was hit.
func (n *motes) watched(h travel.Hit, watches []watchAt) standing {
	s := standing{Thread: h.Mote + 1, Why: whyWatch}
	for _, w := range watches {
		fits := w.Access == accessBoth || (w.Access == accessRead) == (h.Kind == travel.Read)
		if a := dataSpace + uint32(h.Addr); fits && w.Process == n.of[h.Mote] && a >= w.Addr && a-w.Addr < w.Len {
			s.Watch = w
			return s
		}
	}
	return s
}

// goTo goes to a stop.
func (n *motes) goTo(s travel.Stop, halt func() bool) error {
	if err := n.run.Go(s.Point, halt); err != nil {
		return err
	}
	return n.run.Look(s.Mote)
}

// breaks reports whether a mote is to stop before an instruction.
func (n *motes) breaks(m *motion, i int, pc uint32, v glimpse) bool {
	for _, b := range m.Breaks {
		if b.Addr == 2*pc && b.Process == n.of[i] && (b.If == nil || b.If(v, i+1)) {
			return true
		}
	}
	return false
}

// watch is what a move looks for. gdb reports writes of the value that was there before to nobody: they are not looked for.
func (n *motes) watch(m *motion) *travel.Watch {
	w := new(travel.Watch)
	for _, b := range m.Breaks {
		for _, i := range n.motes(b.Process) {
			w.Code = append(w.Code, travel.Code{Mote: i, PC: b.Addr / 2})
		}
	}
	for _, x := range m.Watches {
		for _, i := range n.motes(x.Process) {
			r := travel.Range{Mote: i, Addr: uint16(x.Addr - dataSpace), Bytes: uint16(min(x.Len, 0xFFFF))}
			switch x.Access {
			case accessWrite:
				w.Changes = append(w.Changes, r)
			case accessRead:
				w.Reads = append(w.Reads, r)
			case accessBoth:
				w.Reads, w.Writes = append(w.Reads, r), append(w.Writes, r)
			}
		}
	}
	return w
}

// motes are those of a process; Everyone if it is the only one.
func (n *motes) motes(process int) []int {
	switch {
	case process < 1 || process > len(n.processes):
		return nil
	case len(n.processes) == 1 && len(n.of) > 1:
		return []int{travel.Everyone}
	}
	return n.processes[process-1]
}
