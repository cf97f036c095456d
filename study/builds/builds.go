// Package builds says which firmware each mote of a network runs.
//
// A build is a firmware on a board. Motes of one build have the same code, symbols, kernel and interrupts, so what they do can be
// compared and counted together. Motes of two builds cannot be compared: an address, an interrupt number or a task number means
// different things. Code that looks at a mote's code, variables or sources uses the build of that mote.
//
// Builds and their motes are in the order of the network's list of motes.
package builds

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"motehound/firmware/image"
	"motehound/mote"
	"motehound/world"
)

// Build is a firmware on a board, and the motes that run it.
type Build struct {
	Kind  *mote.Kind
	Motes []int // indices in the world, ascending
	ids   []uint16
}

// Name is the firmware file.
func (b *Build) Name() string { return b.Kind.Image.Path }

// String names the build for people, as "relay.elf on mica2 (motes 1 and 2)".
func (b *Build) String() string {
	const shown = 4
	text := make([]string, 0, shown)
	for _, id := range b.ids[:min(len(b.ids), shown)] {
		text = append(text, strconv.Itoa(int(id)))
	}
	switch n := len(b.ids); {
	case n == 1:
		return fmt.Sprintf("%s on %s (mote %s)", b.Name(), b.Kind.Board.Name, text[0])
	case n > shown:
		return fmt.Sprintf("%s on %s (motes %s and %d more)", b.Name(), b.Kind.Board.Name, strings.Join(text, ", "), n-shown)
	}
	last := len(text) - 1
	return fmt.Sprintf("%s on %s (motes %s and %s)", b.Name(), b.Kind.Board.Name, strings.Join(text[:last], ", "), text[last])
}

// Network is the builds of a world.
type Network struct {
	w    *world.World
	list []*Build
	of   []*Build // by mote
}

// Of finds the builds of a world.
func Of(w *world.World) *Network {
	n := &Network{w: w}
	for i, m := range w.Motes() {
		at := slices.IndexFunc(n.list, func(b *Build) bool { return b.Kind.SameBuild(m.Kind) })
		if at < 0 {
			at = len(n.list)
			n.list = append(n.list, &Build{Kind: m.Kind})
		}
		b := n.list[at]
		b.Motes, b.ids = append(b.Motes, i), append(b.ids, m.ID())
		n.of = append(n.of, b)
	}
	return n
}

// All lists the builds.
func (n *Network) All() []*Build { return n.list }

// At is the build of a mote.
func (n *Network) At(mote int) *Build { return n.of[mote] }

// Among lists the builds of some motes, each once, with those of their motes; nil means all motes.
func (n *Network) Among(motes []int) []*Build {
	if motes == nil {
		return n.list
	}
	var some []*Build
	for _, b := range n.list {
		x := &Build{Kind: b.Kind}
		for k, i := range b.Motes {
			if slices.Contains(motes, i) {
				x.Motes, x.ids = append(x.Motes, i), append(x.ids, b.ids[k])
			}
		}
		if x.Motes != nil {
			some = append(some, x)
		}
	}
	return some
}

// Mote is the index of the mote with a node id.
func (n *Network) Mote(id int) (int, error) {
	var ids []string
	for i, m := range n.w.Motes() {
		if int(m.ID()) == id {
			return i, nil
		}
		ids = append(ids, strconv.Itoa(int(m.ID())))
	}
	return 0, fmt.Errorf("there is no mote %d: the node ids are %s", id, strings.Join(ids, ", "))
}

// List names several builds for people.
func List(list []*Build) string {
	var text []string
	for _, b := range list {
		text = append(text, b.String())
	}
	return strings.Join(text, ", ")
}

// Variable finds out whose variable a user means by a text: "1.name" is that of the mote with node id 1, and "name" that of every mote
// whose firmware has one. Path is the text without the mote.
func (n *Network) Variable(text string) (motes []int, path string, err error) {
	return n.Named(text, func(m *mote.Mote, path string) error {
		_, err := m.Kind.Image.Lookup(path)
		return err
	})
}

// Named is Variable for texts that can also name something else. Missing says what is wrong if a mote does not have it: with an
// image.NoVariableError, other motes may.
func (n *Network) Named(text string, missing func(m *mote.Mote, path string) error) (motes []int, path string, err error) {
	if id, path, ok := splitMote(text); ok {
		i, err := n.Mote(id)
		if err == nil {
			err = n.elsewhere(missing(n.w.Motes()[i], path), path, missing)
		}
		return []int{i}, path, err
	}
	var unknown []*image.NoVariableError
	for _, b := range n.list {
		err := missing(n.w.Motes()[b.Motes[0]], text)
		if no, ok := err.(*image.NoVariableError); ok {
			unknown = append(unknown, no)
			continue
		}
		if err != nil {
			return nil, text, err
		}
		motes = append(motes, b.Motes...)
	}
	if motes == nil {
		return nil, text, n.nobody(unknown)
	}
	slices.Sort(motes)
	return motes, text, nil
}

// elsewhere adds to the error that one mote has no such variable whether another has.
func (n *Network) elsewhere(err error, path string, missing func(m *mote.Mote, path string) error) error {
	if _, ok := err.(*image.NoVariableError); !ok {
		return err
	}
	for _, b := range n.list {
		if missing(n.w.Motes()[b.Motes[0]], path) == nil {
			return fmt.Errorf("%w; there is %d.%s", err, b.ids[0], path)
		}
	}
	return err
}

// nobody says that no mote has a variable, and which ones with a name like it there are.
func (n *Network) nobody(unknown []*image.NoVariableError) error {
	if len(unknown) == 1 {
		return unknown[0]
	}
	var near []string
	for k, e := range unknown {
		for _, name := range e.Near {
			near = append(near, fmt.Sprintf("%d.%s", n.list[k].ids[0], name))
		}
	}
	hint := ""
	if near != nil {
		hint = "; did you mean " + strings.Join(near, " or ") + "?"
	}
	return fmt.Errorf("no mote has a variable %s: their firmware is %s%s", unknown[0].Name, List(n.list), hint)
}

// splitMote takes a node id off the front of a text. No name in C begins with a digit.
func splitMote(text string) (id int, rest string, ok bool) {
	digits, rest, ok := strings.Cut(text, ".")
	if !ok || digits == "" || strings.Trim(digits, "0123456789") != "" {
		return 0, text, false
	}
	id, err := strconv.Atoi(digits)
	return id, rest, err == nil
}
