package cflow

import (
	"bytes"
	"slices"
	"strings"
)

// assembles tells assembly from what else is masked.
func (h hidden) assembles(text []byte) bool { return h.words == nil && text[h.To-1] == ')' }

// stackPointer is the AVR's stack pointer as assembly writes it: the compiler's names, and its addresses.
var stackPointer = []string{"__SP_L__", "__SP_H__", "0x3d", "0x3e", "61", "62"}

// stackUse is what inline assembly does to the stack.
type stackUse struct {
	leaves bool // it returns from the function, or moves to another stack
	pushed int  // what it puts on the stack and does not take away
}

func stackUseOf(text []byte) (use stackUse) {
	for _, line := range instructions(text) {
		word, operands, _ := strings.Cut(strings.TrimSpace(line), " ")
		first, _, _ := strings.Cut(operands, ",")
		switch strings.ToLower(word) {
		case "ret", "reti":
			use.leaves = true
		case "push":
			use.pushed++
		case "pop":
			use.pushed--
		case "out":
			use.leaves = use.leaves || slices.Contains(stackPointer, strings.TrimSpace(first))
		}
	}
	return use
}

// context is how many registers are pushed or popped for a switch to another thread, at least: all that a function must keep are 18. Sections
// that keep interrupts off push one, and pop it on each of their ways out.
const context = 16

// leavesStack reports whether a function's assembly returns, or moves to another stack, as kernels with threads do: what stands around it
// runs with other registers, and on another stack, than it looks.
func (r *reader) leavesStack(f *Func) bool {
	var all stackUse
	for _, h := range r.hiddenIn(f.Body) {
		all.leaves = all.leaves || h.stack.leaves
		all.pushed += h.stack.pushed
	}
	return all.leaves || all.pushed >= context || all.pushed <= -context
}

// refuseSwitches leaves out functions that leave the stack, those that have such a function inlined, and what may be inlined into any
// of these or into a naked function: there the compiler must have no reason to save a register, or to want room on the stack.
func (r *reader) refuseSwitches() {
	named := map[string]*Func{}
	var switches, hosts []*Func
	for _, f := range r.unit.Funcs {
		named[f.Name] = f
		switch {
		case r.has(f, "naked"):
			hosts = append(hosts, f)
		case r.leavesStack(f):
			f.refuse("its inline assembly returns, or changes the stack")
			switches = append(switches, f)
		}
	}
	for i := 0; i < len(switches); i++ {
		for _, f := range r.unit.Funcs {
			if s := switches[i]; r.inlinable(s) && slices.Contains(f.Mentions, s.Name) && !slices.Contains(switches, f) {
				f.refuse("the inline assembly of " + s.Name + ", in it, returns or changes the stack")
				switches = append(switches, f)
			}
		}
	}
	hosts = append(hosts, switches...)
	for i := 0; i < len(hosts); i++ {
		for _, name := range hosts[i].Mentions {
			if f := named[name]; f != nil && r.inlinable(f) && !slices.Contains(hosts, f) {
				f.refuse("it may become part of " + hosts[i].Name + ", which is naked or changes the stack")
				hosts = append(hosts, f)
			}
		}
	}
}

// inlinable reports whether the compiler may make a function part of those who call it.
func (r *reader) inlinable(f *Func) bool { return f.Static || r.inlines[f].inline }

// instructions is the lines of the assembly that the strings of a statement hold, up to its operands.
func instructions(text []byte) []string {
	var code strings.Builder
	for len(text) > 0 {
		at := bytes.IndexAny(text, "\":")
		if at < 0 || text[at] == ':' {
			break
		}
		text = text[at+1:]
		for len(text) > 0 && text[0] != '"' {
			c := text[0]
			if text = text[1:]; c == '\\' && len(text) > 0 {
				c = map[byte]byte{'n': '\n', 't': ' '}[text[0]]
				text = text[1:]
			}
			code.WriteByte(c)
		}
		text = text[min(1, len(text)):]
	}
	return strings.FieldsFunc(strings.ReplaceAll(code.String(), "\t", " "), func(r rune) bool { return strings.ContainsRune("\n;$:", r) })
}
