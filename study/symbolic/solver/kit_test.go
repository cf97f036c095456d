package solver

import (
	"math/rand/v2"
	"testing"

	"motehound/internal/need"
	"motehound/study/symbolic/expr"
)

// needZ3 is z3 without a limit.
func needZ3(t testing.TB, p *expr.Pool) *Z3 {
	t.Helper()
	need.Tools(t, "z3")
	z, err := NewZ3(p, "", -1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := z.Close(); err != nil {
			t.Error(err)
		}
	})
	return z
}

// maker makes random conditions over a few variables.
type maker struct {
	*expr.Pool
	r     *rand.Rand
	terms map[int][]expr.ID
}

var makerWidths = []int{1, 8, 8, 8, 16, 12}

func newMaker(seed uint64, variables int) *maker {
	m := &maker{Pool: expr.NewPool(), r: rand.New(rand.NewPCG(3, seed)), terms: map[int][]expr.ID{}}
	for i := range variables {
		w := makerWidths[(i+1)%len(makerWidths)]
		m.terms[w] = append(m.terms[w], m.NewVar("v", w, ""))
	}
	return m
}

func (m *maker) pick(w int) expr.ID {
	have := m.terms[w]
	if len(have) == 0 || m.r.IntN(6) == 0 {
		return m.Const(w, m.r.Uint64()>>m.r.IntN(64))
	}
	return have[m.r.IntN(len(have))]
}

func (m *maker) grow() {
	w := makerWidths[m.r.IntN(len(makerWidths))]
	a, b := m.pick(w), m.pick(w)
	ops := []func(a, b expr.ID) expr.ID{m.Add, m.Sub, m.Mul, m.And, m.Or, m.Xor, m.Shl, m.Lshr, m.Ashr}
	var x expr.ID
	switch m.r.IntN(8) {
	case 0:
		x = m.Ite(m.pick(1), a, b)
	case 1:
		x = m.Extract(m.pick(16), 15-m.r.IntN(4), m.r.IntN(8))
	case 2:
		x = m.Concat(m.pick(8), m.pick(8))
	case 3:
		x = m.SExt(m.pick(8), 16)
	case 4:
		x = m.condition()
	default:
		x = ops[m.r.IntN(len(ops))](a, b)
	}
	m.terms[m.Width(x)] = append(m.terms[m.Width(x)], x)
}

func (m *maker) condition() expr.ID {
	w := []int{8, 16, 12}[m.r.IntN(3)]
	a, b := m.pick(w), m.pick(w)
	if m.r.IntN(3) == 0 {
		b = m.Const(w, m.r.Uint64())
	}
	rel := []func(a, b expr.ID) expr.ID{m.Eq, m.Ne, m.Ult, m.Ule, m.Slt, m.Sle}
	return rel[m.r.IntN(len(rel))](a, b)
}

// holds evaluates conditions under a model.
func holds(p *expr.Pool, m expr.Model, conds []expr.ID) bool {
	e := p.NewEvaluator()
	e.Use(m)
	for _, c := range conds {
		if !e.Holds(c) {
			return false
		}
	}
	return true
}

// crc16 is the reflected CRC with polynomial 0xA001, as byte code computes it: no table, a choice for each bit.
func crc16(p *expr.Pool, message []expr.ID) expr.ID {
	crc := p.Const(16, 0xffff)
	for _, b := range message {
		crc = p.Xor(crc, p.ZExt(b, 16))
		for range 8 {
			half := p.Lshr(crc, p.Const(16, 1))
			crc = p.Ite(p.Bit(crc, 0), p.Xor(half, p.Const(16, 0xa001)), half)
		}
	}
	return crc
}

// crcCCITT is TinyOS's, which swaps bytes and shifts instead of looping over bits.
func crcCCITT(p *expr.Pool, message []expr.ID) expr.ID {
	k := func(v uint64) expr.ID { return p.Const(16, v) }
	crc := k(0)
	for _, b := range message {
		crc = p.Or(p.Lshr(crc, k(8)), p.Shl(crc, k(8)))
		crc = p.Xor(crc, p.ZExt(b, 16))
		crc = p.Xor(crc, p.Lshr(p.And(crc, k(0xff)), k(4)))
		crc = p.Xor(crc, p.Shl(p.Shl(crc, k(8)), k(4)))
		crc = p.Xor(crc, p.Shl(p.Shl(p.And(crc, k(0xff)), k(4)), k(1)))
	}
	return crc
}

// internetChecksum is the one's complement sum of µIP, with the carry wrapped around as its byte code does.
func internetChecksum(p *expr.Pool, message []expr.ID) expr.ID {
	sum := p.Const(16, 0)
	for i := 0; i+1 < len(message); i += 2 {
		word := p.Concat(message[i], message[i+1])
		next := p.Add(sum, word)
		sum = p.Ite(p.Ult(next, word), p.Add(next, p.Const(16, 1)), next)
	}
	return sum
}

func newBytes(p *expr.Pool, n int) []expr.ID {
	out := make([]expr.ID, n)
	for i := range out {
		out[i] = p.NewVar("m", 8, "")
	}
	return out
}
