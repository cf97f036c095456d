package expr

import "testing"

// inputs is a pool with byte variables a, b, c, d, words x, y and conditions p, q.
type inputs struct {
	*Pool
	a, b, c, d, x, y, p, q ID
}

func newInputs() *inputs {
	in := &inputs{Pool: NewPool()}
	for _, v := range []struct {
		name  string
		width int
		to    *ID
	}{{"a", 8, &in.a}, {"b", 8, &in.b}, {"c", 8, &in.c}, {"d", 8, &in.d}, {"x", 16, &in.x}, {"y", 16, &in.y},
		{"p", 1, &in.p}, {"q", 1, &in.q}} {
		*v.to = in.NewVar(v.name, v.width, "")
	}
	return in
}

func (in *inputs) k8(v uint64) ID { return in.Const(8, v) }

// chain does the bytes of a and b, from the lowest, as a compiler does: the first without carry.
func (in *inputs) chain(subtract bool, a, b []ID) (values []ID, last Step) {
	for i := range a {
		st := Step{A: a[i], B: b[i], Subtract: subtract}
		if i > 0 {
			st.In = in.StepCarry(last)
		}
		values = append(values, in.StepValue(st))
		last = st
	}
	return values, last
}

func (in *inputs) bytes(x ID) []ID {
	var out []ID
	for i := range in.Width(x) / 8 {
		out = append(out, in.Byte(x, i))
	}
	return out
}

// Each row is one rule, or one habit of compilers that rules together must undo.
var ruleCases = []struct {
	name  string
	build func(in *inputs) ID
	want  string
}{
	{"bytes of a word are the word", func(in *inputs) ID { return in.ConcatBytes(in.bytes(in.x)...) }, "x"},
	{"neighbouring bits join", func(in *inputs) ID { return in.Concat(in.Extract(in.x, 11, 6), in.Extract(in.x, 5, 2)) },
		"x[11:2]"},
	{"an extraction across a seam", func(in *inputs) ID { return in.Extract(in.Concat(in.a, in.b), 11, 4) }, "{a[3:0], b[7:4]}"},
	{"shift and or assemble", func(in *inputs) ID {
		return in.Or(in.Shl(in.ZExt(in.a, 16), in.Const(16, 8)), in.ZExt(in.b, 16))
	}, "{a, b}"},
	{"shift and add assemble", func(in *inputs) ID {
		return in.Add(in.Shl(in.ZExt(in.a, 16), in.Const(16, 8)), in.ZExt(in.b, 16))
	}, "{a, b}"},
	{"a mask is pieces", func(in *inputs) ID { return in.And(in.a, in.k8(0x0f)) }, "(u8)a[3:0]"},
	{"a scattered mask stays", func(in *inputs) ID { return in.And(in.a, in.k8(0x55)) }, "a & 0x55"},
	{"masks combine", func(in *inputs) ID { return in.And(in.And(in.a, in.k8(0xd5)), in.k8(0x55)) }, "a & 0x55"},
	{"setting bits", func(in *inputs) ID { return in.Or(in.a, in.k8(0xf0)) }, "{4'0xf, a[3:0]}"},
	{"a bit test", func(in *inputs) ID { return in.Eq(in.And(in.a, in.k8(0x10)), in.k8(0)) }, "!a[4]"},
	{"complement twice", func(in *inputs) ID { return in.Not(in.Not(in.a)) }, "a"},
	{"exclusive or cancels", func(in *inputs) ID { return in.Xor(in.Xor(in.a, in.b), in.a) }, "b"},
	{"x and not x", func(in *inputs) ID { return in.And(in.a, in.Not(in.a)) }, "0"},
	{"absorption", func(in *inputs) ID { return in.And(in.p, in.Or(in.q, in.p)) }, "p"},
	{"half absorption", func(in *inputs) ID { return in.And(in.p, in.Or(in.q, in.Not(in.p))) }, "p && q"},
	{"sums keep one constant", func(in *inputs) ID {
		return in.Add(in.Add(in.a, in.k8(3)), in.Sub(in.b, in.k8(1)))
	}, "a + b + 2"},
	{"terms cancel", func(in *inputs) ID { return in.Sub(in.Add(in.a, in.b), in.a) }, "b"},
	{"minus minus", func(in *inputs) ID { return in.neg(in.neg(in.a)) }, "a"},
	{"com; neg", func(in *inputs) ID { return in.Add(in.Not(in.a), in.k8(1)) }, "0 - a"},
	{"doubling is a shift", func(in *inputs) ID { return in.Add(in.a, in.a) }, "{a[6:0], 1'0}"},
	{"times a power of two", func(in *inputs) ID { return in.Mul(in.k8(8), in.a) }, "{a[4:0], 3'0}"},
	{"times minus one", func(in *inputs) ID { return in.Mul(in.a, in.k8(0xff)) }, "0 - a"},
	{"low bits pass an addition", func(in *inputs) ID { return in.Add(in.x, in.Const(16, 0x300)) }, "{x[15:8] + 3, x[7:0]}"},
	{"asr is a sign extension", func(in *inputs) ID { return in.Ashr(in.a, in.k8(2)) }, "(s8)a[7:2]"},
	{"lsl; sbc spreads the sign", func(in *inputs) ID {
		sign := in.StepCarry(Step{A: in.a, B: in.a})
		return in.Concat(in.StepValue(Step{A: in.b, B: in.b, In: sign, Subtract: true}), in.a)
	}, "(s16)a"},
	{"a choice of constants", func(in *inputs) ID { return in.Ite(in.p, in.k8(1), in.k8(0)) }, "(u8)p"},
	{"a choice between equal heads", func(in *inputs) ID {
		return in.Ite(in.p, in.ZExt(in.a, 16), in.ZExt(in.b, 16))
	}, "(u16)(p ? a : b)"},
	{"a skipped adiw", func(in *inputs) ID {
		return in.Ite(in.p, in.Add(in.x, in.Const(16, 1)), in.x)
	}, "x + (u16)p"},
	{"bytes of a choice", func(in *inputs) ID {
		w := in.Ite(in.p, in.x, in.y)
		return in.Concat(in.Byte(w, 1), in.Byte(w, 0))
	}, "p ? x : y"},
	{"equality undoes additions", func(in *inputs) ID { return in.Eq(in.Add(in.a, in.k8(3)), in.k8(1)) }, "a == 0xfe"},
	{"a difference of zero", func(in *inputs) ID { return in.Eq(in.Sub(in.a, in.b), in.k8(0)) }, "a == b"},
	{"zero-extended equality", func(in *inputs) ID { return in.Eq(in.ZExt(in.a, 16), in.Const(16, 5)) }, "a == 5"},
	{"impossible equality", func(in *inputs) ID { return in.Eq(in.ZExt(in.a, 16), in.Const(16, 0x105)) }, "0"},
	{"equal high bytes", func(in *inputs) ID { return in.Eq(in.Concat(in.c, in.a), in.Concat(in.c, in.b)) }, "a == b"},
	{"equal low bytes", func(in *inputs) ID { return in.Eq(in.Concat(in.a, in.c), in.Concat(in.b, in.c)) }, "a == b"},
	{"two equalities contradict", func(in *inputs) ID {
		return in.And(in.Eq(in.a, in.k8(3)), in.Eq(in.a, in.k8(4)))
	}, "0"},
	{"an equality implies a bound", func(in *inputs) ID {
		return in.And(in.Eq(in.a, in.k8(3)), in.Ult(in.a, in.k8(9)))
	}, "a == 3"},
	{"not less", func(in *inputs) ID { return in.Not(in.Ult(in.a, in.k8(5))) }, "4 < a"},
	{"not less, signed", func(in *inputs) ID { return in.Not(in.Slt(in.a, in.k8(5))) }, "4 <s a"},
	{"below one", func(in *inputs) ID { return in.Ult(in.a, in.k8(1)) }, "a == 0"},
	{"below the sign", func(in *inputs) ID { return in.Ult(in.a, in.k8(0x80)) }, "!a[7]"},
	{"negative", func(in *inputs) ID { return in.Slt(in.a, in.k8(0)) }, "a[7]"},
	{"extended comparison", func(in *inputs) ID { return in.Ult(in.ZExt(in.a, 16), in.ZExt(in.b, 16)) }, "a < b"},
	{"decided by bounds", func(in *inputs) ID { return in.Ult(in.ZExt(in.a, 16), in.Const(16, 256)) }, "1"},
	{"signed of extended", func(in *inputs) ID { return in.Slt(in.SExt(in.a, 16), in.SExt(in.b, 16)) }, "a <s b"},
	{"low bytes that do not matter", func(in *inputs) ID {
		return in.Ult(in.Concat(in.a, in.k8(0)), in.Const(16, 0x1234))
	}, "a < 0x13"},

	{"cp; cpc: carry", func(in *inputs) ID {
		_, last := in.chain(true, in.bytes(in.x), in.bytes(in.y))
		return in.StepCarry(last)
	}, "x < y"},
	{"cp; cpc: sign", func(in *inputs) ID {
		_, last := in.chain(true, in.bytes(in.x), in.bytes(in.y))
		return in.StepSign(last)
	}, "x <s y"},
	{"cp; cpc: zero", func(in *inputs) ID {
		v, _ := in.chain(true, in.bytes(in.x), in.bytes(in.y))
		return in.Eq(in.ConcatBytes(v...), in.Const(16, 0))
	}, "x == y"},
	{"cpi; cpc of bytes of a frame", func(in *inputs) ID {
		_, last := in.chain(true, []ID{in.a, in.b}, []ID{in.k8(0x34), in.k8(0x12)})
		return in.StepCarry(last)
	}, "{b, a} < 0x1234"},
	{"cpi 1; cpc 0", func(in *inputs) ID {
		_, last := in.chain(true, []ID{in.a, in.b}, []ID{in.k8(1), in.k8(0)})
		return in.StepCarry(last)
	}, "{b, a} == 0"},
	{"cpi 0x80; cpc", func(in *inputs) ID {
		_, last := in.chain(true, in.bytes(in.x), []ID{in.k8(0x80), in.k8(2)})
		return in.StepCarry(last)
	}, "x < 0x280"},
	{"cp 0, x; cpc", func(in *inputs) ID {
		_, last := in.chain(true, []ID{in.k8(0), in.k8(3)}, in.bytes(in.x))
		return in.StepCarry(last)
	}, "0x300 < x"},
	{"cpi 0xff; cpc", func(in *inputs) ID {
		_, last := in.chain(true, in.bytes(in.x), []ID{in.k8(0xff), in.k8(2)})
		return in.StepCarry(last)
	}, "x < 0x2ff"},
	{"compare with a constant: zero", func(in *inputs) ID {
		v, _ := in.chain(true, []ID{in.a, in.b}, []ID{in.k8(0), in.k8(0x12)})
		return in.Eq(in.ConcatBytes(v...), in.Const(16, 0))
	}, "{b, a} == 0x1200"},
	{"or; breq", func(in *inputs) ID {
		return in.Eq(in.Or(in.Byte(in.x, 1), in.Byte(in.x, 0)), in.k8(0))
	}, "x == 0"},
	{"add; adc", func(in *inputs) ID {
		v, _ := in.chain(false, in.bytes(in.x), in.bytes(in.y))
		return in.ConcatBytes(v...)
	}, "x + y"},
	{"add; adc: carry", func(in *inputs) ID {
		_, last := in.chain(false, in.bytes(in.x), in.bytes(in.y))
		return in.StepCarry(last)
	}, "~x < y"},
	{"four bytes", func(in *inputs) ID {
		l := in.Concat(in.x, in.y)
		m := in.ConcatBytes(in.a, in.b, in.c, in.d)
		v, _ := in.chain(false, in.bytes(l), in.bytes(m))
		return in.ConcatBytes(v...)
	}, "{x, y} + {d, c, b, a}"},
	{"four bytes compared", func(in *inputs) ID {
		l := in.Concat(in.x, in.y)
		m := in.ConcatBytes(in.a, in.b, in.c, in.d)
		_, last := in.chain(true, in.bytes(l), in.bytes(m))
		return in.StepCarry(last)
	}, "{x, y} < {d, c, b, a}"},
	{"subi; sbci adds", func(in *inputs) ID {
		v, _ := in.chain(true, in.bytes(in.x), []ID{in.k8(0xcc), in.k8(0xed)})
		return in.ConcatBytes(v...)
	}, "x + 0x1234"},
	{"sub; sbc", func(in *inputs) ID {
		v, _ := in.chain(true, in.bytes(in.x), in.bytes(in.y))
		return in.ConcatBytes(v...)
	}, "x - y"},
	{"add byte to word", func(in *inputs) ID {
		v, _ := in.chain(false, in.bytes(in.x), []ID{in.a, in.k8(0)})
		return in.ConcatBytes(v...)
	}, "x + (u16)a"},
	{"lsl; rol", func(in *inputs) ID {
		v, _ := in.chain(false, in.bytes(in.x), in.bytes(in.x))
		return in.ConcatBytes(v...)
	}, "{x[14:0], 1'0}"},
	{"com; neg; sbci", func(in *inputs) ID {
		low := Step{A: in.k8(0), B: in.Byte(in.x, 0), Subtract: true}
		high := Step{A: in.Not(in.Byte(in.x, 1)), B: in.k8(0xff), In: in.StepCarry(low), Subtract: true}
		return in.Concat(in.StepValue(high), in.StepValue(low))
	}, "0 - x"},
	{"neg; neg; sbc", func(in *inputs) ID {
		low := Step{A: in.k8(0), B: in.Byte(in.x, 0), Subtract: true}
		high := Step{A: in.neg(in.Byte(in.x, 1)), B: in.k8(0), In: in.StepCarry(low), Subtract: true}
		return in.Concat(in.StepValue(high), in.StepValue(low))
	}, "0 - x"},
	{"a stray carry", func(in *inputs) ID { return in.StepValue(Step{A: in.a, B: in.k8(0), In: in.p}) }, "a + (u8)p"},
	{"a stray sign", func(in *inputs) ID {
		return in.StepValue(Step{A: in.a, B: in.k8(0), In: in.Bit(in.b, 7)})
	}, "a + (u8)b[7]"},
	{"the carry of a checksum wraps around", func(in *inputs) ID {
		sum, last := in.chain(false, in.bytes(in.x), in.bytes(in.y))
		low := Step{A: sum[0], B: in.k8(0), In: in.StepCarry(last)}
		high := Step{A: sum[1], B: in.k8(0), In: in.StepCarry(low)}
		return in.Concat(in.StepValue(high), in.StepValue(low))
	}, "x + y + (u16)(~x < y)"},
	{"chained words of a sum fuse again", func(in *inputs) ID {
		sum, _ := in.chain(false, in.bytes(in.x), in.bytes(in.y))
		_, last := in.chain(true, sum, []ID{in.k8(10), in.k8(1)})
		return in.StepCarry(last)
	}, "x + y < 0x10a"},
}

func TestRules(t *testing.T) {
	t.Parallel()
	for _, c := range ruleCases {
		t.Run(c.name, func(t *testing.T) {
			in := newInputs()
			if got := in.Format(c.build(in)); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}
