package driver

import (
	"cmp"
	"debug/elf"
	"os"
)

// little is how few bytes of a stack the programmer is told of: a mote whose stack grows into its data does something, but not what
// its source says.
const little = 256

// LeastStack is how many bytes are left for the stack, or the program is not linked. On motes the tracer itself takes some 50, and a handler that
// comes then needs as many again.
const LeastStack = 128

// hasRoom looks at a program that was linked, and reports whether its tracer leaves enough memory to the stack. One that does not is
// removed. It knows programs of avr-libc; others it leaves alone.
func (j *job) hasRoom() bool {
	name := cmp.Or(j.args.output, "a.out")
	left, traced := stackRoom(name)
	const advice = "trace fewer functions, give the tracer less (MH_TRACE_WAITING=8 is the least that it should have), or leave something out of the program"
	switch {
	case !traced || left >= max(little, j.Stack):
	case left < j.Stack:
		j.refuse("%s would have %d bytes of memory left for the stack, but %d are needed: %s; --stack %d links it anyway",
			name, left, j.Stack, advice, max(left, 0))
		os.Remove(name)
		return false
	default:
		j.note("%s has %d bytes of memory left for the stack: %s", name, left, advice)
	}
	return true
}

// stackRoom is the bytes between a program's data and the end of its memory, if it is traced.
func stackRoom(name string) (left int, traced bool) {
	f, err := elf.Open(name)
	if err != nil {
		return 0, false // the linker's output is the linker's matter
	}
	defer f.Close()
	symbols, err := f.Symbols()
	if err != nil {
		return 0, false
	}
	at := map[string]uint64{}
	for _, s := range symbols {
		at[s.Name] = s.Value
	}
	top, end := at["__stack"], at["_end"]&0xFFFF
	if top == 0 || end == 0 || at["mh_trace"] == 0 {
		return 0, false
	}
	return int(top) - int(end) + 1, true
}
