package relative

import (
	"fmt"
	"reflect"
	"strings"

	"motehound/mote/digest"
)

// Table is what the tags of a state's fields say, worked out once for each type.
type Table[T any] struct {
	words  []word // times
	byHand []word // times that the table does not hash
	left   []span // what is left out within the bytes that are hashed
	from   uintptr
	to     uintptr // the bytes that are hashed: nothing before or behind them matters
}

// word is a 64-bit field, or an element of an array of them.
type word struct {
	offset        uintptr
	clock         Clock
	ahead, orZero bool
}

// span is some bytes of a state.
type span struct{ offset, size uintptr }

// clockNames are the words of a tag that name clocks.
var clockNames = map[string]Clock{"cycles": Cycles, "clkio": IO, "clkadc": ADC, "ps": Real, "ticks": Ticks}

// Of makes the table of a type of state. It panics if a field has no tag that should have one.
func Of[T any]() *Table[T] {
	typ := reflect.TypeFor[T]()
	t, err := build(typ)
	if err != nil {
		panic("BUG: relative: " + err.Error())
	}
	return &Table[T]{t.words, t.byHand, t.left, t.from, t.to}
}

// Check says what is wrong with the tags of a type of state: nil if nothing is. It looks at any type; Of is for those that are hashed.
func Check(t reflect.Type) error {
	_, err := build(t)
	return err
}

// builder is a Table in the making.
type builder struct {
	words, byHand []word
	left          []span
	from, to      uintptr
}

func build(t reflect.Type) (*builder, error) {
	if err := digest.Plain(t); err != nil {
		return nil, err
	}
	p := &builder{to: t.Size()}
	if err := p.structure(t, 0, t.String()); err != nil {
		return nil, err
	}
	p.trim()
	return p, nil
}

// structure takes the fields of a struct that lies at an offset of the state.
func (p *builder) structure(t reflect.Type, offset uintptr, path string) error {
	for i := range t.NumField() {
		f := t.Field(i)
		tag, tagged := f.Tag.Lookup("time")
		if err := p.field(f.Type, offset+f.Offset, path+"."+f.Name, tag, tagged); err != nil {
			return err
		}
	}
	return nil
}

func (p *builder) field(t reflect.Type, offset uintptr, path, tag string, tagged bool) error {
	if tagged {
		return p.tagged(t, offset, path, strings.Split(tag, ","))
	}
	switch t.Kind() {
	case reflect.Struct:
		return p.structure(t, offset, path)
	case reflect.Array:
		if k := t.Elem().Kind(); k == reflect.Uint8 || k == reflect.Uint16 || k == reflect.Uint32 || k == reflect.Bool {
			return nil
		}
		for i := range t.Len() {
			if err := p.field(t.Elem(), offset+uintptr(i)*t.Elem().Size(), fmt.Sprintf("%s[%d]", path, i), "", false); err != nil {
				return err
			}
		}
	case reflect.Uint64, reflect.Int64:
		return fmt.Errorf(`%s has 64 bits and may be a time: give it a tag like time:"ps" or time:"number" (package relative lists them)`, path)
	}
	return nil
}

func (p *builder) tagged(t reflect.Type, offset uintptr, path string, tag []string) error {
	w := word{offset: offset}
	hand := false
	for _, how := range tag[1:] {
		switch how {
		case "ahead":
			w.ahead = true
		case "orzero":
			w.orZero = true
		case "hand":
			hand = true
		default:
			return fmt.Errorf("%s: %q in its tag is neither ahead, orzero nor hand", path, how)
		}
	}
	clock, isTime := clockNames[tag[0]]
	if !isTime {
		return p.noTime(t, offset, path, tag)
	}
	w.clock = clock
	n := uintptr(1)
	if t.Kind() == reflect.Array {
		n, t = uintptr(t.Len()), t.Elem()
	}
	if t.Kind() != reflect.Uint64 {
		return fmt.Errorf("%s is a %s: times are uint64 or arrays of it", path, t)
	}
	if hand {
		p.left = append(p.left, span{offset, n * 8})
	}
	for range n {
		if hand {
			p.byHand = append(p.byHand, w)
		} else {
			p.words = append(p.words, w)
		}
		w.offset += 8
	}
	return nil
}

// noTime is a field whose tag names no clock.
func (p *builder) noTime(t reflect.Type, offset uintptr, path string, tag []string) error {
	switch {
	case len(tag) == 1 && tag[0] == "number":
		return nil
	case len(tag) == 1 && (tag[0] == "stat" || tag[0] == "derived"):
		p.left = append(p.left, span{offset, t.Size()})
		return nil
	case len(tag) == 2 && tag[1] == "hand" && tag[0] == "number":
		p.left = append(p.left, span{offset, t.Size()})
		return nil
	}
	return fmt.Errorf("%s: its tag %q is not one that package relative lists", path, strings.Join(tag, ","))
}

// trim leaves out what is left out at either end, rather than hashing zeros.
func (p *builder) trim() {
	for len(p.left) > 0 && p.left[0].offset == p.from {
		p.from += p.left[0].size
		p.left = p.left[1:]
	}
	for n := len(p.left); n > 0 && p.left[n-1].offset+p.left[n-1].size == p.to; n-- {
		p.to = p.left[n-1].offset
		p.left = p.left[:n-1]
	}
}
