package calltree

// reach follows control to a point.
func (t *tracker) reach(c *context, p *point, at *step) {
	if c.deep {
		if at.sp <= c.deepSP {
			return
		}
		c.deep = false
	}
	if p.what&atEntry != 0 {
		if t.enter(c, p, at); c.deep {
			return
		}
	}
	if p.what&(atStep|atHeader|atTail) != 0 {
		if f := t.frameAt(c, p, at.sp); f != nil {
			if p.what&(atStep|atHeader) != 0 {
				t.step(f, p)
			}
			if p.what&atTail != 0 {
				f.tail = p.pc + 1
			}
		}
	}
	if p.what&atZ != 0 {
		t.settle(c, at.sp)
		if n := len(c.frames); n > 0 && c.frames[n-1].fn == p.fn {
			c.frames[n-1].tail = p.pc + 1
		}
	}
	if p.what&atReturn != 0 {
		t.returns(c, at.sp)
	}
}

// frameAt is the frame of the function around a point, if control is in it.
func (t *tracker) frameAt(c *context, p *point, sp uint16) *frame {
	n := len(c.frames)
	if n > 0 && c.frames[n-1].fn == p.fn {
		return &c.frames[n-1]
	}
	if p.fn < 0 || c.deep {
		return nil
	}
	t.settle(c, sp) // a jump out of several functions
	n = len(c.frames)
	switch {
	case n == 0:
		f := t.newFrame(c, p.fn, noEnd)
		f.path = append(f.path, activation{t.l.funcs[p.fn].body, c.root})
		return f
	case c.frames[n-1].fn != p.fn:
		t.stats.Stray++
		return nil
	}
	return &c.frames[n-1]
}

// settle ends functions that the stack pointer has left behind.
func (t *tracker) settle(c *context, sp uint16) {
	for n := len(c.frames); n > 0 && c.frames[n-1].sp < sp; n = len(c.frames) {
		t.pop(c)
	}
}

// returns is what happens at a RET or RETI: the function ends that was entered with this stack pointer, and those that
// jumped to it.
func (t *tracker) returns(c *context, sp uint16) {
	for n := len(c.frames); n > 0 && c.frames[n-1].sp <= sp; n = len(c.frames) {
		t.pop(c)
	}
}

// enter is what happens at a function's entry. It was called if the stack has grown since the innermost function's entry:
// with the same stack pointer it was jumped to, and will return to that one's caller.
func (t *tracker) enter(c *context, p *point, at *step) {
	sp := at.sp
	t.settle(c, sp)
	n := len(c.frames)
	if n == maxDepth {
		c.deep, c.deepSP = true, sp
		t.stats.Deep++
		return
	}
	fn := t.l.entry[p.pc] - 1
	f := &t.l.funcs[fn]
	kind, up, site := Call, c.root, Site{}
	if n > 0 {
		top := &c.frames[n-1]
		up = top.top()
		if top.sp == sp {
			if top.fn == fn {
				return // a loop that begins with the function
			}
			kind = Tail
			if top.tail != 0 {
				site = t.l.line(top.tail - 1)
			}
		}
	}
	if kind == Call {
		site = t.callSite(at.ret)
	}
	b := t.begin(up, t.l.bodies[f.body].source, kind, site)
	if f.part && up.source == b.source {
		b.hidden, b.folded, b.passes = true, true, false
	}
	x := t.newFrame(c, fn, sp)
	x.path = append(x.path, activation{f.body, b})
}

// callSite is the place of the call that a return address on the stack belongs to.
func (t *tracker) callSite(ret uint32) Site {
	if ret == 0 || ret > t.l.program.Words() {
		return Site{}
	}
	return t.l.line(ret - 1)
}

// post notes a post.
func (t *tracker) post(c *context, pc uint32, id uint16) {
	up := c.root
	if n := len(c.frames); n > 0 {
		up = c.frames[n-1].top()
	}
	site := t.l.line(pc)
	if up.passes {
		site = up.site
	}
	t.leaf(up, t.l.book.Node(Post, t.heads.post(t.profile, id), site, nil))
}
