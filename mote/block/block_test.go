package block

import (
	"slices"
	"testing"
)

type pair struct{ A, B uint32 }

func TestPlaces(t *testing.T) {
	var p Layout
	first, bytes, second := p.Room(Size[pair]()), p.Room(13), p.Room(Size[[3]uint64]())
	b := p.New()
	At[pair](b, first).B = 0xAABBCCDD
	raw := Bytes(b, bytes, 13)
	for i := range raw {
		raw[i] = 0xFF
	}
	At[[3]uint64](b, second)[2] = 7

	c := p.New()
	saved := b.Save(nil)
	c.Load(saved)
	if !slices.Equal(b, c) {
		t.Fatalf("what was saved is %x, not %x", c, b)
	}
	clear(raw)
	if got := *At[pair](c, first); got != (pair{0, 0xAABBCCDD}) {
		t.Errorf("first place holds %x", got)
	}
	if got := Bytes(c, bytes, 13); slices.Contains(got, 0) {
		t.Errorf("a clone's bytes changed with the original's: %x", got)
	}
	if got := *At[[3]uint64](b, second); got != [3]uint64{0, 0, 7} {
		t.Errorf("clearing a neighbour changed %v", got)
	}
}

func TestPointersAreRefused(t *testing.T) {
	for name, f := range map[string]func(){
		"pointer": func() { Size[struct{ P *int }]() },
		"padding": func() {
			Size[struct {
				A uint8
				B uint64
			}]()
		},
		"beyond end": func() { At[[4]uint64](make(Block, 4), 1) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: accepted", name)
				}
			}()
			f()
		}()
	}
}
