package calltree

import (
	"fmt"

	"motehound/firmware/kernel"
	"motehound/observe/intervals"
)

// head is a node of layer 1: its name, and the function that is one with it.
type head struct {
	source int32 // of the node
	body   int32 // of the function, none if it has none of its own
	post   *Func // of posts, once it was needed
}

const none = -1

// heads are the handlers and tasks of a firmware, as far as they were met.
type heads struct {
	l       *layout
	names   []string // of vectors
	vectors []*head
	tasks   map[uint16]*head
}

func newHeads(l *layout, names []string) heads {
	return heads{l: l, names: names, tasks: map[uint16]*head{}}
}

// vector is the head of a handler. Main has its function below it.
func (h *heads) vector(v uint16) head {
	if int(v) < len(h.vectors) && h.vectors[v] != nil {
		return *h.vectors[v]
	}
	name := fmt.Sprintf("vector %d", v)
	if v == intervals.LoopVector {
		name = "main loop"
	}
	if int(v) < len(h.names) && h.names[v] != "" {
		name = h.names[v]
	}
	body := int32(none)
	if s, ok := h.l.im.Symbol(fmt.Sprintf("__vector_%d", int(v)-1)); ok {
		if e := h.l.entryAt(s.Addr / 2); e >= 0 {
			body = h.l.bodies[h.l.funcs[e].body].source
		}
	}
	x := head{source: h.l.headSource(name, body), body: body}
	for len(h.vectors) <= int(v) {
		h.vectors = append(h.vectors, nil)
	}
	h.vectors[v] = &x
	return x
}

// task is the head of a task.
func (h *heads) task(p *kernel.Profile, id uint16) head { return *h.known(p, id) }

func (h *heads) known(p *kernel.Profile, id uint16) *head {
	if x := h.tasks[id]; x != nil {
		return x
	}
	name, symbol := p.TaskName(id), ""
	for _, k := range p.Tasks() {
		if k.Arg == id {
			symbol = k.Symbol
		}
	}
	body := int32(none)
	for i, s := range h.l.sources {
		if symbol != "" && s.raw == symbol || symbol == "" && s.name == name {
			body = int32(i)
			break
		}
	}
	x := &head{source: h.l.headSource(name, body), body: body}
	h.tasks[id] = x
	return x
}

// post is the Func of a post.
func (h *heads) post(p *kernel.Profile, id uint16) *Func {
	x := h.known(p, id)
	if x.post == nil {
		s := h.l.sources[x.source]
		x.post = h.l.book.Func("post("+s.name+")", s.file, s.line)
		x.post.Library = !h.l.im.Own(s.file)
	}
	return x.post
}

// headSource makes the source of a node of layer 1: it is where its function is.
func (l *layout) headSource(name string, body int32) int32 {
	s := sourceFunc{raw: name, name: name}
	if body >= 0 {
		s.file, s.line = l.sources[body].file, l.sources[body].line
	}
	l.sources = append(l.sources, s)
	return int32(len(l.sources) - 1)
}
