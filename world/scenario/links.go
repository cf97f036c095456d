package scenario

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"motehound/world"
	"motehound/world/medium"
)

// topology is links as scripts hold them. Those of a shape are between places in the network's list of motes; those of
// link() and gain files are between node ids.
type topology struct {
	opaque
	about string
	size  int           // how many places; 0 when by node ids
	links []medium.Link // between places
	named []namedLink
	file  *gainFile
	pos   Pos
}

type namedLink struct {
	from, to nodeRef
	medium.Link
}

func (t *topology) String() string { return t.about }
func (t *topology) Type() string   { return "links" }

// quality is what all links of a shape have in common.
type quality struct {
	loss, gain starlark.Value
	delay      instant
	medium.Link
}

func (q *quality) args() []any {
	q.loss, q.gain = starlark.Float(0), starlark.Float(medium.DefaultGain)
	return []any{"loss?", &q.loss, "gain?", &q.gain, "delay?", &q.delay}
}

func (q *quality) check(r *request) (err error) {
	if q.Loss, err = chance(q.loss); err != nil {
		return r.errorf("loss %v", err)
	}
	if q.GainDB, err = realIn(q.gain, minGain, 0); err != nil {
		return r.errorf("gain %v", err)
	}
	q.Delay = q.delay.ps
	return nil
}

// minGain is the least gain that a link can have, in dB; the most is 0.
const minGain = -300

// unpackShape reads the sizes of a shape, then what its links have in common, and checks both.
func (r *request) unpackShape(q *quality, sizes ...string) ([]int, error) {
	given := make([]starlark.Value, len(sizes))
	var args []any
	for i, name := range sizes {
		args = append(args, name, &given[i])
	}
	if err := r.unpack(append(args, q.args()...)...); err != nil {
		return nil, err
	}
	out, product := make([]int, len(sizes)), 1
	for i, v := range given {
		n, err := intIn(v, 1, world.MaxMotes)
		if err != nil {
			return nil, r.errorf("%s %v", sizes[i], err)
		}
		out[i], product = int(n), product*int(n)
	}
	if product > world.MaxMotes {
		return nil, r.errorf("%d places are more than %d", product, world.MaxMotes)
	}
	return out, q.check(r)
}

// shape is a topology between places.
func (r *request) shape(about string, size int, q *quality, links []medium.Link) (starlark.Value, error) {
	if q.delay.set {
		for i := range links {
			links[i].Delay = q.Delay
		}
	}
	return &topology{about: about, size: size, links: links, pos: r.pos}, charge(r.thread, len(links))
}

// line handles line(n, loss, gain, delay).
func (r *request) line() (starlark.Value, error) {
	var q quality
	n, err := r.unpackShape(&q, "n")
	if err != nil {
		return nil, err
	}
	return r.shape(fmt.Sprintf("line of %d", n[0]), n[0], &q, medium.Line(n[0], q.GainDB, q.Loss))
}

// grid handles grid(w, h, loss, gain, delay).
func (r *request) grid() (starlark.Value, error) {
	var q quality
	n, err := r.unpackShape(&q, "w", "h")
	if err != nil {
		return nil, err
	}
	return r.shape(fmt.Sprintf("grid %dx%d", n[0], n[1]), n[0]*n[1], &q, medium.Grid(n[0], n[1], q.GainDB, q.Loss))
}

// full handles full(n, loss, gain, delay).
func (r *request) full() (starlark.Value, error) {
	var q quality
	n, err := r.unpackShape(&q, "n")
	if err != nil {
		return nil, err
	}
	if links := n[0] * (n[0] - 1); links > medium.MaxLinks {
		return nil, r.errorf("%d links are more than %d", links, medium.MaxLinks)
	}
	return r.shape(fmt.Sprintf("full, %d motes", n[0]), n[0], &q, medium.Full(n[0], q.GainDB, q.Loss))
}

// maxScattered bounds disk(): it compares all motes with all others, up to a thousand times.
const maxScattered = 1000

// disk handles disk(n, side, range, seed, loss): motes at random places in a square, linked when no farther apart than
// range, with gains by distance.
func (r *request) disk() (starlark.Value, error) {
	var (
		size, side, reach starlark.Value
		seed              = starlark.Value(starlark.MakeInt(1))
		loss              = starlark.Value(starlark.Float(0))
	)
	if err := r.unpack("n", &size, "side", &side, "range", &reach, "seed?", &seed, "loss?", &loss); err != nil {
		return nil, err
	}
	n, err := intIn(size, 1, maxScattered)
	if err != nil {
		return nil, r.errorf("n %v", err)
	}
	length, err := realIn(side, 0.001, 1e6)
	if err != nil {
		return nil, r.errorf("side %v", err)
	}
	radius, err := realIn(reach, 0, 2e6)
	if err != nil {
		return nil, r.errorf("range %v", err)
	}
	lost, err := chance(loss)
	if err != nil {
		return nil, r.errorf("loss %v", err)
	}
	number, err := intIn(seed, 0, maxSeed)
	if err != nil {
		return nil, r.errorf("seed %v", err)
	}
	if err := charge(r.thread, int(n*n)); err != nil {
		return nil, err
	}
	links, err := medium.Disk(int(n), length, radius, lost, uint64(number))
	if err != nil {
		return nil, err
	}
	return r.shape(fmt.Sprintf("disk, %d motes", n), int(n), &quality{}, links)
}

// link handles link(a, b, loss, gain, delay, both).
func (r *request) link() (starlark.Value, error) {
	var (
		a, b nodeRef
		q    quality
		both = true
	)
	args := append([]any{"a", &a, "b", &b}, q.args()...)
	if err := r.unpack(append(args, "both?", &both)...); err != nil {
		return nil, err
	}
	if err := q.check(r); err != nil {
		return nil, err
	}
	t := &topology{about: singleLink, pos: r.pos, named: []namedLink{{a, b, q.Link}}}
	if both {
		t.named = append(t.named, namedLink{b, a, q.Link})
	}
	return t, nil
}

const singleLink = "link"

// mesh is the links of a network as they come together.
type mesh map[[2]int]medium.Link

// connect puts the topologies of a network together. Where two have the same link, the later one counts.
func (r *request) connect(list []starlark.Value) error {
	flat, err := flatten(r.thread, nil, list, 0)
	if err != nil {
		return err
	}
	all := mesh{}
	var about []string
	single := 0
	for _, v := range flat {
		t, ok := v.(*topology)
		if !ok {
			return r.errorf("links: got %s, want line(...), grid(...), link(...) or another topology", shown(v))
		}
		if err := r.lay(t, all); err != nil {
			return errorAt(t.pos, "%v", err)
		}
		if len(all) > medium.MaxLinks {
			return r.errorf("more than %d links", medium.MaxLinks)
		}
		if t.about == singleLink {
			single++
		} else {
			about = append(about, t.about)
		}
	}
	switch {
	case single == 1:
		about = append(about, "1 link")
	case single > 1:
		about = append(about, fmt.Sprintf("%d links", single))
	}
	r.sc.Topology = strings.Join(about, " + ")
	for _, l := range all {
		r.sc.Links = append(r.sc.Links, l)
	}
	slices.SortFunc(r.sc.Links, func(a, b medium.Link) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
	})
	return nil
}

// flatten takes lists in lists apart.
func flatten(thread *starlark.Thread, out, list []starlark.Value, depth int) ([]starlark.Value, error) {
	if err := charge(thread, len(list)); err != nil {
		return nil, err
	}
	for _, v := range list {
		switch v.(type) {
		case *starlark.List, starlark.Tuple:
			if depth < 3 {
				var err error
				if out, err = flatten(thread, out, values(v), depth+1); err != nil {
					return nil, err
				}
				continue
			}
		}
		out = append(out, v)
	}
	return out, nil
}

// lay adds one topology.
func (r *request) lay(t *topology, all mesh) error {
	if t.size > 0 && t.size != len(r.sc.Motes) {
		return fmt.Errorf("%s, but the network has %d motes: make the two the same", t.about, len(r.sc.Motes))
	}
	if err := charge(r.thread, 4*len(t.links)+4*len(t.named)); err != nil {
		return err
	}
	for _, l := range t.links {
		all[[2]int{l.From, l.To}] = l
	}
	for _, l := range t.named {
		from, to, err := r.ends(l.from, l.to)
		if err != nil {
			return err
		}
		if from == to {
			return fmt.Errorf("a link from mote %d to itself", r.sc.Motes[from].ID)
		}
		l.Link.From, l.Link.To = from, to
		all[[2]int{from, to}] = l.Link
	}
	if t.file != nil {
		return r.layGains(t.file, all)
	}
	return nil
}

// layGains adds the links and noise of a file. What it says of motes that are not in the network is passed over.
func (r *request) layGains(f *gainFile, all mesh) error {
	index := func(id int) (int, bool) {
		i, ok := r.byID[uint16(id)]
		return i, ok && id >= 0 && id <= 0xFFFF
	}
	links, err := medium.ReadGains(f.name, bytes.NewReader(f.data), index)
	if err != nil {
		return err
	}
	if err := charge(r.thread, 4*len(links)); err != nil {
		return err
	}
	for _, l := range links {
		if l.From == l.To {
			continue
		}
		if !(l.GainDB >= minGain && l.GainDB <= 0) {
			return fmt.Errorf("%s: the gain from %d to %d is %g dB: it must be between %d and 0", f.name,
				r.sc.Motes[l.From].ID, r.sc.Motes[l.To].ID, l.GainDB, minGain)
		}
		l.Loss, l.Delay = f.loss, f.delay
		all[[2]int{l.From, l.To}] = l
	}
	return f.eachNoise(func(id int, n Noise) {
		if i, ok := index(id); ok {
			r.sc.Noise[i] = n
		}
	})
}
