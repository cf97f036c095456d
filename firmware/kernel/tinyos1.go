package kernel

import (
	"errors"
	"fmt"
	"slices"

	"motehound/firmware/image"
	"motehound/isa/avr"
)

// TinyOS 1's scheduler (tos/system/sched.c) keeps a ring of function pointers. TOS_post puts one in and moves
// TOSH_sched_free on; TOSH_run_next_task, always inlined, moves TOSH_sched_full on and calls what it has taken out. A
// task's Arg is its function's word address.
const (
	t1Queue = "TOSH_queue"
	t1Full  = "TOSH_sched_full"
	t1Free  = "TOSH_sched_free"
	t1Post  = "TOS_post"
)

func tinyos1(c *code) (*Profile, error) {
	queue, ok1 := c.variable(t1Queue)
	full, ok2 := c.variable(t1Full)
	free, ok3 := c.variable(t1Free)
	if !ok1 || !ok2 || !ok3 {
		return nil, nil
	}
	post, ok := c.function(t1Post)
	if !ok {
		return nil, errors.New("the function " + t1Post + " is missing")
	}
	p := newProfile(c, "it has the variables of TinyOS 1's scheduler")
	p.Queue = whole(queue)
	p.name = functionName(c.im)
	p.on(post.Lo, func(w *Watch) { w.enter(0, w.reg16(24)) })
	p.onAll(c.ops(avr.OpRet, post), leaves)
	for _, x := range c.stores(free.Addr) {
		p.on(x.pc, func(w *Watch) {
			if call := w.call(0); call != nil && !call.done {
				call.done = true
				w.emit(Post, call.arg)
			}
		})
	}
	runs := 0
	for _, x := range c.stores(full.Addr) {
		calls := c.ops(avr.OpIcall, image.Range{Lo: x.pc, Hi: c.around(x.pc).Hi})
		if len(calls) > 0 {
			p.onCall(calls[0], func(w *Watch) uint16 { return w.reg16(30) })
			runs++
		}
	}
	if runs == 0 {
		return nil, errors.New("no call of a task follows a store to " + t1Full)
	}
	return p, nil
}

// onCall makes a call instruction the run of a task.
func (p *Profile) onCall(pc uint32, task func(*Watch) uint16) {
	p.on(pc, func(w *Watch) { w.run(task(w), w.cpu.SP()-p.returnSize) })
	p.on(pc+1, look)
}

// functionName names tasks that are told by their functions' word addresses.
func functionName(im *image.Image) func(uint16) string {
	return func(arg uint16) string {
		at := 2 * uint32(arg)
		names := im.InlineStack(at)
		if i := slices.IndexFunc(names, func(f image.Frame) bool { return f.Inline == nil }); i >= 0 {
			return image.Readable(names[i].Name)
		}
		return fmt.Sprintf("function at 0x%x", at)
	}
}
