package driver

import (
	"cmp"
	"debug/elf"
)

// little is how few bytes of a stack the programmer is told of: a mote whose stack grows into its data does something, but not what
// its source says.
const little = 256

// tellRoom looks at a program that was linked, and notes if its tracer leaves little memory to the stack. It knows programs of
// avr-libc; others it leaves alone.
func (j *job) tellRoom() {
	name := cmp.Or(j.args.output, "a.out")
	f, err := elf.Open(name)
	if err != nil {
		return // the linker's output is the linker's matter
	}
	defer f.Close()
	symbols, err := f.Symbols()
	if err != nil {
		return
	}
	at := map[string]uint64{}
	for _, s := range symbols {
		at[s.Name] = s.Value
	}
	top, end := at["__stack"], at["_end"]&0xFFFF
	if top == 0 || end == 0 || at["mh_trace"] == 0 {
		return
	}
	if left := int(top) - int(end) + 1; left < little {
		j.note("%s has %d bytes of memory left for the stack: trace fewer functions, or give the tracer less (MH_TRACE_WAITING, MH_TRACE_CHUNK)",
			name, max(left, 0))
	}
}
