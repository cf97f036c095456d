package job

import (
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"strings"

	"motehound/firmware/image"
	"motehound/job/document"
	"motehound/mote"
	"motehound/study/builds"
	"motehound/world"
)

// dataOffset is where avr-gcc's tools put the data space.
const dataOffset = 0x800000

// area is what a --dump asks for.
type area struct {
	name string
	ref  *image.Ref // a variable, or nil for a plain address
	addr uint32
	size uint32
}

// parseArea reads "ADDR:LEN", "NAME:LEN" or "NAME".
func parseArea(im *image.Image, m *mote.Mote, text string) (area, error) {
	a := area{name: text}
	// A path may contain colons ("file.c:name"): the length is behind the last one, if that is a number.
	if i := strings.LastIndexByte(text, ':'); i >= 0 {
		if n, err := strconv.ParseUint(text[i+1:], 0, 17); err == nil && n > 0 {
			a.name, a.size = text[:i], uint32(n)
		} else if _, err := strconv.ParseUint(text[:i], 0, 32); err == nil {
			return a, fmt.Errorf("%q: %q is not a length in bytes", text, text[i+1:])
		}
	}
	if n, err := strconv.ParseUint(a.name, 0, 32); err == nil {
		a.addr = uint32(n)
		if a.addr >= dataOffset {
			a.addr -= dataOffset
		}
		if a.size == 0 {
			return a, fmt.Errorf("%q: a length is missing: write ADDR:LEN", text)
		}
	} else {
		ref, err := im.Lookup(a.name)
		if err != nil {
			return a, err
		}
		if ref.Space != image.Data {
			return a, fmt.Errorf("%s lies in %s, not in the data space", a.name, ref.Space)
		}
		a.ref, a.addr = &ref, ref.Addr
		if a.size == 0 && ref.Type != nil {
			a.size = ref.Type.Size
		}
		if a.size == 0 {
			return a, fmt.Errorf("the size of %s is not known: write %s:LEN", a.name, a.name)
		}
		if ref.Indirect() {
			return a, nil
		}
	}
	end := uint32(m.Chip().RAMBase) + m.Chip().RAMSize
	if a.addr+a.size > end {
		return a, fmt.Errorf("%q: the %s's data space ends at 0x%04x", text, m.Chip().Name, end)
	}
	return a, nil
}

func (a area) read(m *mote.Mote) (document.Dump, error) {
	d := document.Dump{Mote: m.ID(), Name: a.name, Addr: a.addr}
	if a.ref != nil {
		addr, err := a.ref.Resolve(m.Memory())
		if err != nil {
			return d, err
		}
		d.Addr = addr
	}
	bytes := make([]byte, a.size)
	for i := range bytes {
		bytes[i] = m.Peek(uint16(d.Addr + uint32(i)))
	}
	d.Hex = hex.EncodeToString(bytes)
	return d, nil
}

// Questions are what a user wants to see of the motes' memories at the end.
type Questions struct {
	dumps [][]string // by mote
	vars  [][]string
}

// Ask checks what is asked for against the firmware of each mote, before the run. Dumps are "ADDR:LEN", "NAME:LEN" or "NAME", vars are
// paths of variables. With a node id in front, as "1.NAME", they are of one mote; otherwise of every mote whose firmware has the name.
func Ask(w *world.World, dumps, vars []string) (Questions, error) {
	network := builds.Of(w)
	q := Questions{make([][]string, len(w.Motes())), make([][]string, len(w.Motes()))}
	for _, d := range dumps {
		motes, rest, err := network.Named(d, func(m *mote.Mote, text string) error {
			_, err := parseArea(m.Kind.Image, m, text)
			return err
		})
		if err != nil {
			return q, fmt.Errorf("--dump %s: %w", d, err)
		}
		for _, i := range motes {
			q.dumps[i] = append(q.dumps[i], rest)
		}
	}
	for _, v := range vars {
		motes, path, err := network.Variable(v)
		if err != nil {
			return q, fmt.Errorf("--var %s: %w", v, err)
		}
		for _, i := range motes {
			q.vars[i] = append(q.vars[i], path)
		}
	}
	return q, nil
}

// Answer adds the motes' memories to the document of a run.
func (q Questions) Answer(w *world.World, doc *document.Run) error {
	for i, m := range w.Motes() {
		for _, text := range q.dumps[i] {
			a, err := parseArea(m.Kind.Image, m, text)
			if err != nil {
				return err
			}
			d, err := a.read(m)
			if err != nil {
				return err
			}
			doc.Dump = append(doc.Dump, d)
		}
		for _, path := range q.vars[i] {
			ref, err := m.Kind.Image.Lookup(path)
			if err != nil {
				return err
			}
			v := document.Var{Mote: m.ID(), Name: path, Type: ref.Type.String()}
			if value, err := ref.Read(m.Memory()); err != nil {
				v.Error = err.Error()
			} else {
				v.Text, v.Value = value.String(), plain(value)
			}
			doc.Vars = append(doc.Vars, v)
		}
	}
	return nil
}

// plain is a value as JSON has it: numbers, booleans, arrays and objects. Enumerators are their names.
func plain(v image.Value) any {
	switch v.Kind {
	case image.KindInt:
		return v.Int()
	case image.KindUint, image.KindPointer:
		return v.Uint()
	case image.KindBool:
		return v.Bool()
	case image.KindFloat:
		if f := v.Float(); !math.IsNaN(f) && !math.IsInf(f, 0) {
			return f
		}
		return v.String() // JSON has no such numbers
	case image.KindEnum:
		if v.Name != "" {
			return v.Name
		}
		return v.Int()
	case image.KindArray:
		list := []any{}
		for _, e := range v.Elems {
			list = append(list, plain(e))
		}
		return list
	case image.KindStruct, image.KindUnion:
		object := map[string]any{}
		for _, f := range v.Fields {
			object[f.Name] = plain(f.Value)
		}
		return object
	}
	return nil
}
