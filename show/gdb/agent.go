package gdb

import (
	"errors"
	"fmt"
)

// Conditions of breakpoints come as programs for a small stack machine: appendix "The GDB Agent Expression Mechanism" of gdb's manual.

// Bounds of a condition: it has no right to loop for ever.
const (
	maxSteps = 10_000
	maxStack = 64
)

// operation is an instruction of the stack machine.
type operation uint8

const (
	opAdd         operation = 0x02
	opSub         operation = 0x03
	opMul         operation = 0x04
	opDivSigned   operation = 0x05
	opDivUnsigned operation = 0x06
	opRemSigned   operation = 0x07
	opRemUnsigned operation = 0x08
	opLsh         operation = 0x09
	opRshSigned   operation = 0x0a
	opRshUnsigned operation = 0x0b
	opLogNot      operation = 0x0e
	opAnd         operation = 0x0f
	opOr          operation = 0x10
	opXor         operation = 0x11
	opNot         operation = 0x12
	opEqual       operation = 0x13
	opLess        operation = 0x14
	opLessU       operation = 0x15
	opExt         operation = 0x16
	opRef8        operation = 0x17
	opRef16       operation = 0x18
	opRef32       operation = 0x19
	opRef64       operation = 0x1a
	opIfGoto      operation = 0x20
	opGoto        operation = 0x21
	opConst8      operation = 0x22
	opConst16     operation = 0x23
	opConst32     operation = 0x24
	opConst64     operation = 0x25
	opReg         operation = 0x26
	opEnd         operation = 0x27
	opDup         operation = 0x28
	opPop         operation = 0x29
	opZeroExt     operation = 0x2a
	opSwap        operation = 0x2b
	opPick        operation = 0x32
	opRot         operation = 0x33
)

// operations says how many bytes follow an operation, and how many values it takes from the stack. What is not in it is not known.
var operations = map[operation]struct{ operands, takes int }{
	opAdd: {0, 2}, opSub: {0, 2}, opMul: {0, 2}, opDivSigned: {0, 2}, opDivUnsigned: {0, 2}, opRemSigned: {0, 2}, opRemUnsigned: {0, 2},
	opLsh: {0, 2}, opRshSigned: {0, 2}, opRshUnsigned: {0, 2}, opLogNot: {0, 1}, opAnd: {0, 2}, opOr: {0, 2}, opXor: {0, 2}, opNot: {0, 1},
	opEqual: {0, 2}, opLess: {0, 2}, opLessU: {0, 2}, opExt: {1, 1}, opRef8: {0, 1}, opRef16: {0, 1}, opRef32: {0, 1}, opRef64: {0, 1},
	opIfGoto: {2, 1}, opGoto: {2, 0}, opConst8: {1, 0}, opConst16: {2, 0}, opConst32: {4, 0}, opConst64: {8, 0}, opReg: {2, 0}, opEnd: {0, 0},
	opDup: {0, 1}, opPop: {0, 1}, opZeroExt: {1, 1}, opSwap: {0, 2}, opPick: {1, 0}, opRot: {0, 3},
}

// value is one on the stack. Loaded says that it depends on memory or registers: then an address in it is one of the mote's pointers, which
// have 16 bits and point into the data space. gdb's compiler of conditions does not add the offset that avr-gdb adds otherwise.
type value struct {
	n      int64
	loaded bool
}

// agent is a condition being evaluated.
type agent struct {
	code   []byte
	view   glimpse
	thread int
	stack  []value
}

var errCondition = errors.New("the condition cannot be evaluated")

// evaluate gives the value of a condition in a thread.
func evaluate(code []byte, v glimpse, thread int) (int64, error) {
	a := agent{code: code, view: v, thread: thread}
	for at, steps := 0, 0; ; steps++ {
		if at >= len(code) || steps == maxSteps {
			return 0, errCondition
		}
		op := operation(code[at])
		facts, known := operations[op]
		if !known || at+1+facts.operands > len(code) || len(a.stack) < facts.takes || len(a.stack) >= maxStack {
			return 0, fmt.Errorf("%w: operation %#x at %d", errCondition, op, at)
		}
		operand := uint64(0)
		for _, b := range code[at+1 : at+1+facts.operands] {
			operand = operand<<8 | uint64(b)
		}
		at += 1 + facts.operands
		switch op {
		case opEnd:
			if len(a.stack) == 0 {
				return 0, errCondition
			}
			return a.pop().n, nil
		case opGoto:
			at = int(operand)
		case opIfGoto:
			if a.pop().n != 0 {
				at = int(operand)
			}
		default:
			if err := a.do(op, operand); err != nil {
				return 0, err
			}
		}
	}
}

func (a *agent) push(v value) { a.stack = append(a.stack, v) }

func (a *agent) pop() value {
	v := a.stack[len(a.stack)-1]
	a.stack = a.stack[:len(a.stack)-1]
	return v
}

// do executes an operation that is no jump. There are as many values on the stack as it takes.
func (a *agent) do(op operation, operand uint64) error {
	switch op {
	case opConst8, opConst16, opConst32, opConst64:
		a.push(value{n: int64(operand)})
	case opReg:
		return a.register(uint32(operand))
	case opRef8, opRef16, opRef32, opRef64:
		return a.reference(1 << (op - opRef8))
	case opDup, opPop, opSwap, opRot, opPick:
		return a.arrange(op, int(operand))
	case opLogNot, opNot, opExt, opZeroExt:
		a.unary(op, operand)
	default:
		return a.binary(op)
	}
	return nil
}

// register pushes a register.
func (a *agent) register(n uint32) error {
	r := a.view.Registers(a.thread)
	v, _, ok := r.register(n)
	if !ok {
		return fmt.Errorf("%w: register %d", errCondition, n)
	}
	a.push(value{n: int64(v), loaded: true})
	return nil
}

// reference replaces an address by what is there.
func (a *agent) reference(size int) error {
	at := a.pop()
	addr := uint32(at.n)
	if at.loaded && addr < dataSpace {
		addr = dataSpace | addr&0xFFFF
	}
	var buf [8]byte
	if a.view.Read(a.thread, addr, buf[:size]) != size {
		return fmt.Errorf("%w: no memory at %#x", errCondition, addr)
	}
	n := uint64(0)
	for i, b := range buf[:size] {
		n |= uint64(b) << (8 * i)
	}
	a.push(value{n: int64(n), loaded: true})
	return nil
}

// arrange changes the order of what is on the stack.
func (a *agent) arrange(op operation, operand int) error {
	top := len(a.stack) - 1
	switch op {
	case opDup:
		a.push(a.stack[top])
	case opPop:
		a.pop()
	case opSwap:
		a.stack[top], a.stack[top-1] = a.stack[top-1], a.stack[top]
	case opRot: // a b c becomes c a b
		a.stack[top-2], a.stack[top-1], a.stack[top] = a.stack[top], a.stack[top-2], a.stack[top-1]
	case opPick:
		if operand > top {
			return errCondition
		}
		a.push(a.stack[top-operand])
	}
	return nil
}

// unary executes an operation on one value.
func (a *agent) unary(op operation, operand uint64) {
	v := a.pop()
	drop := 64 - min(operand, 64)
	switch op {
	case opLogNot:
		v.n = truth(v.n == 0)
	case opNot:
		v.n = ^v.n
	case opExt:
		v.n = v.n << drop >> drop
	case opZeroExt:
		v.n = int64(uint64(v.n) << drop >> drop)
	}
	a.push(v)
}

func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// binary executes an operation on two values.
func (a *agent) binary(op operation) error {
	y, x := a.pop(), a.pop()
	r := value{loaded: x.loaded || y.loaded}
	switch op {
	case opDivSigned, opDivUnsigned, opRemSigned, opRemUnsigned:
		if y.n == 0 {
			return fmt.Errorf("%w: division by zero", errCondition)
		}
	}
	switch op {
	case opAdd:
		r.n = x.n + y.n
	case opSub:
		r.n = x.n - y.n
	case opMul:
		r.n = x.n * y.n
	case opDivSigned:
		r.n = x.n / y.n
	case opDivUnsigned:
		r.n = int64(uint64(x.n) / uint64(y.n))
	case opRemSigned:
		r.n = x.n % y.n
	case opRemUnsigned:
		r.n = int64(uint64(x.n) % uint64(y.n))
	case opLsh:
		r.n = x.n << min(uint64(y.n), 64)
	case opRshSigned:
		r.n = x.n >> min(uint64(y.n), 64)
	case opRshUnsigned:
		r.n = int64(uint64(x.n) >> min(uint64(y.n), 64))
	case opAnd:
		r.n = x.n & y.n
	case opOr:
		r.n = x.n | y.n
	case opXor:
		r.n = x.n ^ y.n
	case opEqual:
		r.n = truth(x.n == y.n)
	case opLess:
		r.n = truth(x.n < y.n)
	case opLessU:
		r.n = truth(uint64(x.n) < uint64(y.n))
	}
	a.push(r)
	return nil
}
