package record

// pageReader makes elements of a page.
type pageReader struct {
	reader
	model
	at    At
	chunk int // payload bytes of a chunk
	yield func(At, Element) bool
}

// elements gives the page's elements to yield, and is false if that does not want more. The last page of a boot may end
// anywhere: what comes behind its last chunk was never written.
func (p *Page) elements(at At, l Layout, isLast bool, yield func(At, Element) bool) bool {
	r := pageReader{at: at, chunk: l.Chunk - checksumSize, yield: yield}
	r.bytes, r.pos, r.expect = p.payload, headerSize, -1
	if p.Chunks == l.Chunks {
		r.bytes = r.bytes[:len(r.bytes)-setSize]
	}
	for r.pos < len(r.bytes) {
		more := r.token()
		switch {
		case !more:
			return false
		case r.short:
			return yield(r.at, Element{Kind: Torn, Count: 1})
		case r.wrong:
			return yield(r.at, Element{Kind: Broken, Count: 1})
		}
	}
	if p.Chunks < l.Chunks && (p.Written || !isLast) {
		return yield(r.at, Element{Kind: Torn, Count: 1})
	}
	return true
}

// token reads one token and tells whether its elements were wanted. If short or wrong is set, it gave none.
func (r *pageReader) token() bool {
	first := r.byte()
	run, what := uint32(first>>5), int(first&0x1F)
	if what == control {
		return r.control(run)
	}
	if run == 7 {
		run = r.number()
	}
	if run > 0 && r.expect < 0 {
		r.wrong = true
	}
	switch {
	case what == fresh || what == counted:
		return r.fresh(run, what == counted)
	case what == otherCount:
		return r.otherCount(run)
	}
	r.wrong = r.wrong || what >= r.numKnown
	if r.short || r.wrong {
		return true
	}
	if !r.predict(run) {
		return false
	}
	return r.yield(r.at, r.again(what))
}

// otherCount is a token with the element that is predicted, except for its count.
func (r *pageReader) otherCount(run uint32) bool {
	count := r.byte()
	r.wrong = r.wrong || count == 0 || r.expect < 0
	if r.short || r.wrong {
		return true
	}
	if !r.predict(run) {
		return false
	}
	e := r.predicted()
	e.Count = uint32(count)
	return r.yield(r.at, e)
}

// fresh is a token with an element that is spelled out.
func (r *pageReader) fresh(run uint32, counted bool) bool {
	label := r.number()
	e := Element{Kind: Kind(label & 3), Proc: uint16(label >> 2), Count: 1}
	if e.Kind != Enter {
		e.Path = uint16(r.number())
	}
	if counted {
		e.Count = uint32(r.byte())
		r.wrong = r.wrong || e.Count == 0
	}
	if r.short || r.wrong {
		return true
	}
	if !r.predict(run) {
		return false
	}
	r.learn(e)
	return r.yield(r.at, e)
}

// predict gives elements as predicted.
func (r *pageReader) predict(run uint32) bool {
	for range run {
		if !r.yield(r.at, r.predicted()) {
			return false
		}
	}
	return true
}

// control reads a token that is no element's.
func (r *pageReader) control(which uint32) bool {
	e := Element{Count: 1}
	switch which {
	case controlRun:
		run := r.number()
		r.wrong = r.wrong || r.expect < 0
		if r.short || r.wrong {
			return true
		}
		return r.predict(run)
	case controlLost:
		e.Kind, e.Count = Lost, r.number()
		r.expect = -1
	case controlReset:
		e.Kind, e.Arg, e.Uncertain = Reset, r.byte(), r.byte() != 0
	case controlFault:
		e.Kind, e.Arg = Fault, r.byte()
	case controlTime:
		low := uint32(r.byte()) | uint32(r.byte())<<8 | uint32(r.byte())<<16
		// A reset may come before what is in memory is written: then the clock has begun again.
		if passed := (low - r.at.Ticks) & 0xFFFFFF; passed < 1<<23 {
			r.at.Ticks += passed
		}
		e.Kind = Time
	case controlPad:
		r.pos += (r.chunk - r.pos%r.chunk) % r.chunk
		return true
	default:
		r.wrong = true
	}
	if r.short || r.wrong {
		return true
	}
	return r.yield(r.at, e)
}
