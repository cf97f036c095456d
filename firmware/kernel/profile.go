package kernel

import (
	"fmt"
	"slices"
	"strconv"

	"motehound/firmware/image"
	"motehound/isa/avr"
)

// Task is a unit of work that a kernel runs.
type Task struct {
	Arg    uint16 // as in the items
	Name   string // for people: AlarmToTimerC[0].fired; "" when unknown
	Symbol string // of the function that is its body; "" when unknown
	Bodies []image.Range
}

// Profile is where in a firmware its kernel's life can be seen.
type Profile struct {
	Kernel string // "TinyOS 2"
	Why    string // how it was recognised, for people
	Loop   Loop   // of a main program without a kernel

	Queue image.Range // the array that is its queue; empty if it has none, or it is not known

	tasks      []Task // sorted by Arg
	name       func(arg uint16) string
	index      []uint16 // by word address: 1 + the place in actions
	actions    [][]func(*Watch)
	returnSize uint16 // bytes of a return address
	described  *Description
	rounds     bool // see Rounds
}

// Same reports whether two profiles of one firmware say the same: both were found out, or both are by one description, and both have rounds or neither.
func (p *Profile) Same(q *Profile) bool { return p.described == q.described && p.rounds == q.rounds }

// None is the kernel of a firmware that has none.
const None = "none"

// kernels are the profiles, in the order in which they are tried. A kernel that does not recognise the firmware gives nil.
var kernels = []struct {
	name   string
	detect func(*code) (*Profile, error)
}{
	{"TinyOS 2", tinyos2},
	{"TinyOS 1", tinyos1},
	{"Contiki", contiki},
	{None, bare},
}

// Kernels lists the names of the kernels that are known.
func Kernels() []string {
	var names []string
	for _, k := range kernels {
		names = append(names, k.name)
	}
	return names
}

// findProfile finds out which kernel a firmware uses; program is its decoded flash. An error is about a firmware that has the
// marks of a kernel, but not what is needed to watch it.
func findProfile(im *image.Image, program *avr.Program) (*Profile, error) {
	c := newCode(im, program)
	for _, k := range kernels {
		p, err := k.detect(c)
		if err != nil {
			return nil, fmt.Errorf("%s looks like %s, but %w: describe its kernel in a file (docs/adding-a-kernel.md)", im.Path, k.name, err)
		}
		if p != nil {
			p.Kernel = k.name
			return p, nil
		}
	}
	panic("BUG: the last kernel fits everything")
}

// newProfile has what all kernels have: resets and the ends of handlers.
func newProfile(c *code, why string) *Profile {
	p := &Profile{Why: why, returnSize: uint16(c.program.Has().ReturnBytes())}
	p.on(0, reset)
	for pc := range c.program.Words() {
		// Every word, whether an instruction begins there or not: hooks where none does are never reached.
		if c.program.At(pc).Op == avr.OpReti {
			p.on(pc, reti)
		}
	}
	return p
}

func bare(c *code) (*Profile, error) {
	p := newProfile(c, "no kernel's variables are among its symbols")
	p.Loop = mainLoop(c.im, c.program)
	return p, nil
}

// on adds an action before the instruction at a word address.
func (p *Profile) on(pc uint32, do func(*Watch)) {
	for uint32(len(p.index)) <= pc {
		p.index = append(p.index, make([]uint16, pc+1-uint32(len(p.index)))...)
	}
	if p.index[pc] == 0 {
		p.actions = append(p.actions, nil)
		p.index[pc] = uint16(len(p.actions))
	}
	at := &p.actions[p.index[pc]-1]
	*at = append(*at, do)
}

// onAll adds an action at each of some word addresses.
func (p *Profile) onAll(pcs []uint32, do func(*Watch)) {
	for _, pc := range pcs {
		p.on(pc, do)
	}
}

// Hooks are the word addresses of the instructions before which Watch.At is to be called, in order.
func (p *Profile) Hooks() []uint32 {
	var at []uint32
	for pc, i := range p.index {
		if i != 0 {
			at = append(at, uint32(pc))
		}
	}
	return at
}

// Tasks are the tasks known from the file, by Arg. There may be others.
func (p *Profile) Tasks() []Task { return p.tasks }

// TaskName names a task for people.
func (p *Profile) TaskName(arg uint16) string {
	i, ok := slices.BinarySearchFunc(p.tasks, arg, func(t Task, arg uint16) int { return int(t.Arg) - int(arg) })
	switch {
	case ok && p.tasks[i].Name != "":
		return p.tasks[i].Name
	case p.name != nil:
		return p.name(arg)
	}
	return "task " + strconv.Itoa(int(arg))
}
