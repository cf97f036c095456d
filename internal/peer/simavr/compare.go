package simavr

import (
	"fmt"
	"math/bits"
	"strings"
)

// State is one sample of a core, after an instruction.
type State struct {
	R     [32]uint8
	SREG  uint8
	SP    uint16
	PC    uint32 // byte address
	Cycle uint64
}

// Mix adds one sample to a rolling hash, which starts as 0. Six 64-bit words
// are mixed in turn: r0..r31 as four little-endian words, then
// PC | SP<<32 | SREG<<48 with PC as a byte address, then the cycle count. Each step is
//
//	h = rotate_left((h XOR word) * 0x9e3779b97f4a7c15, 31)
//
// which is a bijection of h, so that two runs that differ in one sample stay
// different. The harness computes the same in C.
func Mix(h uint64, r *[32]uint8, sreg uint8, sp uint16, pc uint32, cycle uint64) uint64 {
	const k = 0x9e3779b97f4a7c15
	h = bits.RotateLeft64((h^le.Uint64(r[0:]))*k, 31)
	h = bits.RotateLeft64((h^le.Uint64(r[8:]))*k, 31)
	h = bits.RotateLeft64((h^le.Uint64(r[16:]))*k, 31)
	h = bits.RotateLeft64((h^le.Uint64(r[24:]))*k, 31)
	h = bits.RotateLeft64((h^(uint64(pc)|uint64(sp)<<32|uint64(sreg)<<48))*k, 31)
	return bits.RotateLeft64((h^cycle)*k, 31)
}

// Mix adds s to a rolling hash.
func (s *State) Mix(h uint64) uint64 { return Mix(h, &s.R, s.SREG, s.SP, s.PC, s.Cycle) }

func (s *State) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "cycle %d pc 0x%05x sp 0x%04x sreg ", s.Cycle, s.PC, s.SP)
	for i := 7; i >= 0; i-- {
		if s.SREG>>i&1 != 0 {
			b.WriteByte("CZNVSHTI"[i])
		} else {
			b.WriteByte('-')
		}
	}
	fmt.Fprintf(&b, " r0.. % x", s.R)
	return b.String()
}

// Runner is a machine that can be compared with another: [Program] is one.
type Runner interface {
	// Restart goes back to the beginning; the rolling hash is 0 again.
	Restart() error
	// Hashes runs n instructions and returns the rolling hash after every
	// block of them, and after the rest when n or the program ends inside one.
	Hashes(n, block uint64) ([]uint64, error)
	// Trace runs n instructions, or until the program ends, and returns the
	// state after each.
	Trace(n uint64) ([]State, error)
}

// Difference is the first instruction after which two runs disagree.
type Difference struct {
	Instruction uint64 // its number, from 0
	Before      State  // the last state they agreed on; zero when Instruction is 0
	A, B        *State // what each has after it; nil for one that had ended
}

func (d *Difference) String() string {
	show := func(s *State) string {
		if s == nil {
			return "ended"
		}
		return s.String()
	}
	return fmt.Sprintf("instruction %d differs\n before %v\n a      %s\n b      %s",
		d.Instruction, &d.Before, show(d.A), show(d.B))
}

// FirstDifference runs n instructions on both, from the beginning, comparing
// after each block; where a block differs, both run again up to it and are
// traced through it. It returns nil when nothing differs.
func FirstDifference(a, b Runner, n, block uint64) (*Difference, error) {
	var hashes [2][]uint64
	for i, r := range []Runner{a, b} {
		if err := r.Restart(); err != nil {
			return nil, err
		}
		h, err := r.Hashes(n, block)
		if err != nil {
			return nil, err
		}
		hashes[i] = h
	}
	same := 0
	for same < min(len(hashes[0]), len(hashes[1])) && hashes[0][same] == hashes[1][same] {
		same++
	}
	if same == len(hashes[0]) && same == len(hashes[1]) {
		return nil, nil
	}
	var traces [2][]State
	skip := uint64(same) * block
	for i, r := range []Runner{a, b} {
		if err := r.Restart(); err != nil {
			return nil, err
		}
		if skip > 0 {
			if _, err := r.Hashes(skip, skip); err != nil {
				return nil, err
			}
		}
		t, err := r.Trace(min(block, n-skip))
		if err != nil {
			return nil, err
		}
		traces[i] = t
	}
	return locate(traces[0], traces[1], skip)
}

func locate(a, b []State, skip uint64) (*Difference, error) {
	at := func(s []State, i int) *State {
		if i < len(s) {
			return &s[i]
		}
		return nil
	}
	for i := 0; i < max(len(a), len(b)); i++ {
		x, y := at(a, i), at(b, i)
		if x != nil && y != nil && *x == *y {
			continue
		}
		d := &Difference{Instruction: skip + uint64(i), A: x, B: y}
		if i > 0 {
			d.Before = a[i-1]
		}
		return d, nil
	}
	return nil, fmt.Errorf("simavr: hashes differ after instruction %d, but the traces agree: one of the machines is not deterministic, or mixes otherwise than Mix", skip)
}
