package scenario

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"motehound/mote/board"
	"motehound/mote/chip"
	"motehound/world"
)

// moteValue is a mote as scripts hold it. It gets its node id, if it was given none, from its place in the network.
type moteValue struct {
	opaque
	m     Mote
	hasID bool
}

func (v *moteValue) String() string {
	if v.hasID {
		return fmt.Sprintf("mote(id = %d)", v.m.ID)
	}
	return "mote()"
}
func (v *moteValue) Type() string { return "mote" }

// mote handles mote(id, board, firmware, chip, hertz, boot, drift, id_symbols, vars).
func (r *request) mote() (starlark.Value, error) {
	v := &moteValue{}
	v.m.Pos = r.pos
	var (
		id, hertz, drift, symbols starlark.Value
		on                        span
		vars                      *starlark.Dict
	)
	err := r.unpack("id?", &id, "board?", &v.m.Board, "firmware?", &v.m.Firmware, "chip?", &v.m.Chip, "hertz?", &hertz,
		"boot?", &on, "drift?", &drift, "id_symbols?", &symbols, "vars?", &vars)
	if err != nil {
		return nil, err
	}
	if id != nil && id != starlark.None {
		n, err := intIn(id, 0, math.MaxUint16)
		if err != nil {
			return nil, r.errorf("id %v", err)
		}
		v.m.ID, v.hasID = uint16(n), true
	}
	if v.m.Firmware == "" {
		return nil, r.errorf("firmware is missing: give the path of the ELF or HEX file, from the scenario's folder")
	}
	v.m.Firmware = r.firmwarePath(v.m.Firmware)
	if err := r.hardware(&v.m, hertz); err != nil {
		return nil, err
	}
	v.m.BootFrom, v.m.BootUntil = on.from, on.until
	if drift != nil {
		n, err := intIn(drift, -100_000, 100_000)
		if err != nil {
			return nil, r.errorf("drift %v", err)
		}
		v.m.Drift = int32(n)
	}
	for _, s := range values(symbols) {
		name, ok := starlark.AsString(s)
		if !ok || name == "" {
			return nil, r.errorf("id_symbols: got %s, want names of variables", shown(s))
		}
		v.m.IDSymbols = append(v.m.IDSymbols, name)
	}
	v.m.Vars, err = r.variables(vars)
	return v, err
}

// hardware checks the board, or the chip and its clock.
func (r *request) hardware(m *Mote, hertz starlark.Value) error {
	switch {
	case m.Board != "" && m.Chip != "":
		return r.errorf("give board or chip, not both: a board has its chip")
	case m.Board != "":
		var names []string
		for _, b := range board.All() {
			if strings.EqualFold(b.Name, m.Board) {
				m.Board = b.Name
				if hertz != nil {
					return r.errorf("hertz goes with chip: the %s has its own clock of %d Hz", b.Name, b.Hertz)
				}
				return nil
			}
			names = append(names, b.Name)
		}
		return r.errorf("board %q unknown: choose one of %s, or give chip and hertz", m.Board, strings.Join(names, ", "))
	case m.Chip != "":
		return r.bareChip(m, hertz)
	}
	return r.errorf("no board: give board = \"micaz\", or chip and hertz")
}

func (r *request) bareChip(m *Mote, hertz starlark.Value) error {
	var names []string
	for _, c := range chip.All() {
		if !strings.EqualFold(c.Name, m.Chip) {
			names = append(names, c.Name)
			continue
		}
		m.Chip = c.Name
		if hertz == nil {
			return r.errorf("a bare chip needs a clock: give one, such as hertz = 8000000")
		}
		n, err := intIn(hertz, 1000, 100_000_000)
		if err != nil {
			return r.errorf("hertz %v", err)
		}
		m.Hertz = uint64(n)
		return nil
	}
	return r.errorf("chip %q unknown: choose one of %s", m.Chip, strings.Join(names, ", "))
}

func (r *request) variables(vars *starlark.Dict) ([]world.Variable, error) {
	if vars == nil {
		return nil, nil
	}
	var out []world.Variable
	for k, v := range vars.Entries() {
		path, ok := starlark.AsString(k)
		if !ok || path == "" {
			return nil, r.errorf("vars: got %s as a name, want the path of a variable", shown(k))
		}
		n, err := cNumber(v)
		if err != nil {
			return nil, r.errorf("vars: %s: %v", path, err)
		}
		out = append(out, world.Variable{Path: path, Value: n})
	}
	slices.SortFunc(out, func(a, b world.Variable) int { return cmp.Compare(a.Path, b.Path) })
	return out, nil
}

// networkOf handles network(motes, links, faults, noise, drift, stagger).
func (r *request) networkOf() (starlark.Value, error) {
	if r.network != nil {
		return nil, r.errorf("there is already a network, at %s: put all motes into one", r.network.pos)
	}
	var (
		motes, links, faults starlark.Value
		floor                = starlark.Value(starlark.Float(defaultNoise))
		drift                starlark.Value
		stagger              instant
	)
	err := r.unpack("motes", &motes, "links?", &links, "faults?", &faults, "noise?", &floor, "drift?", &drift, "stagger?", &stagger)
	if err != nil {
		return nil, err
	}
	if err := r.addMotes(values(motes)); err != nil {
		return nil, err
	}
	level, err := realIn(floor, minNoise, maxNoise)
	if err != nil {
		return nil, r.errorf("noise %v", err)
	}
	s := r.sc
	for range s.Motes {
		s.Noise = append(s.Noise, Noise{FloorDBm: level})
	}
	if drift != nil {
		n, err := intIn(drift, 0, 100_000)
		if err != nil {
			return nil, r.errorf("drift %v", err)
		}
		s.Drift = uint32(n)
	}
	s.Stagger = stagger.ps
	r.builder.network = r
	if err := r.connect(values(links)); err != nil {
		return nil, err
	}
	return starlark.None, r.addFaults(values(faults), none)
}

func (r *request) addMotes(list []starlark.Value) error {
	if len(list) == 0 {
		return r.errorf("a network needs at least one mote")
	}
	if len(list) > world.MaxMotes {
		return r.errorf("%d motes are more than %d", len(list), world.MaxMotes)
	}
	r.byID = make(map[uint16]int, len(list))
	for i, v := range list {
		m, ok := v.(*moteValue)
		if !ok {
			return r.errorf("motes: got %s at place %d, want mote(...)", shown(v), i)
		}
		one := m.m
		if !m.hasID {
			one.ID = uint16(i)
		}
		if other, taken := r.byID[one.ID]; taken {
			return r.errorf("the motes at places %d and %d both have id %d: give each its own", other, i, one.ID)
		}
		r.byID[one.ID] = i
		r.nodes = append(r.nodes, m)
		r.sc.Motes = append(r.sc.Motes, one)
	}
	return nil
}

// boot handles boot(mote, at).
func (r *request) boot() (starlark.Value, error) {
	var (
		who nodeRef
		on  span
	)
	if err := r.unpack("mote", &who, "at", &on); err != nil {
		return nil, err
	}
	r.then(r, func() error {
		i, err := r.resolve(who)
		if err != nil {
			return err
		}
		r.sc.Motes[i].BootFrom, r.sc.Motes[i].BootUntil = on.from, on.until
		return nil
	})
	return starlark.None, nil
}

// runFor handles run(time, seed).
func (r *request) runFor() (starlark.Value, error) {
	var (
		length instant
		seed   starlark.Value
	)
	if err := r.unpack("time?", &length, "seed?", &seed); err != nil {
		return nil, err
	}
	if r.run != nil {
		return nil, r.errorf("run was already called, at %s", r.run.pos)
	}
	r.builder.run = r
	if r.sc.Time == 0 {
		r.sc.Time, r.horizon = length.ps, length.ps
	}
	if seed != nil {
		n, ok := seed.(starlark.Int)
		u, fits := n.Uint64()
		if !ok || !fits {
			return nil, r.errorf("seed %s is not a number from 0 to 2^64-1", shown(seed))
		}
		r.sc.Seed = u
	}
	return starlark.None, nil
}

// nodeRef names a mote: by its node id, or by the value that mote() returned.
type nodeRef struct {
	id    uint16
	value *moteValue
	set   bool
}

// Unpack implements starlark.Unpacker.
func (n *nodeRef) Unpack(v starlark.Value) error {
	switch v := v.(type) {
	case starlark.NoneType:
		return nil
	case *moteValue:
		n.value, n.set = v, true
		return nil
	case starlark.Int:
		id, err := intIn(v, 0, math.MaxUint16)
		if err != nil {
			return fmt.Errorf("node id %v", err)
		}
		n.id, n.set = uint16(id), true
		return nil
	}
	return fmt.Errorf("got %s, want a node id or a mote", v.Type())
}

// resolve finds the index of a mote.
func (b *builder) resolve(n nodeRef) (int, error) {
	if !n.set {
		return 0, fmt.Errorf("the mote is missing: give a node id")
	}
	if n.value == nil {
		if i, ok := b.byID[n.id]; ok {
			return i, nil
		}
		return 0, fmt.Errorf("no mote has id %d: the network has %s", n.id, b.ids())
	}
	found := none
	for i, v := range b.nodes {
		if v == n.value && found != none {
			return 0, fmt.Errorf("this mote is in the network several times: name one by its id")
		}
		if v == n.value {
			found = i
		}
	}
	if found == none {
		return 0, fmt.Errorf("this mote is not in the network")
	}
	return found, nil
}

// ids lists the node ids, for people.
func (b *builder) ids() string {
	ids := make([]int, 0, len(b.sc.Motes))
	for _, m := range b.sc.Motes {
		ids = append(ids, int(m.ID))
	}
	slices.Sort(ids)
	if n := len(ids); n > 8 {
		return fmt.Sprintf("%d motes, with ids from %d to %d", n, ids[0], ids[n-1])
	}
	return strings.Trim(strings.Join(strings.Fields(fmt.Sprint(ids)), ", "), "[]")
}
