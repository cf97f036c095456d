package expr

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
)

// A VarIndex is the number of a variable in its pool, from 0, in the order in which they were made.
type VarIndex uint32

type variable struct {
	name, origin string
	id           ID
}

// NewVar makes a new variable. The name is for people and for SMT-LIB: what does not fit there is replaced, and a name
// that is taken gets a number (#2). The origin says in words where the input comes from ("byte 4 of the first frame that
// mote 2 receives").
func (p *Pool) NewVar(name string, width int, origin string) ID {
	name = p.freshName(name)
	n := node{op: Var, width: checkWidth(width), a: ID(len(p.vars))}
	before := p.Len()
	id := p.intern(n, known{}, p.varSets.of([]VarIndex{VarIndex(len(p.vars))}))
	if p.Len() > before {
		p.vars = append(p.vars, variable{name, origin, id})
	}
	return id
}

func (p *Pool) freshName(name string) string {
	name = strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || r == '|' || r == '\\' {
			return '_'
		}
		return r
	}, name)
	if name == "" {
		name = "input"
	}
	for {
		p.names[name]++
		n := p.names[name]
		if n == 1 {
			return name
		}
		name = fmt.Sprintf("%s#%d", name, n)
	}
}

// VarCount is how many variables there are.
func (p *Pool) VarCount() int { return len(p.vars) }

// VarID is the expression that is the variable.
func (p *Pool) VarID(v VarIndex) ID { return p.vars[v].id }

// VarName is the variable's name, unique in the pool.
func (p *Pool) VarName(v VarIndex) string { return p.vars[v].name }

// VarOf is which variable an expression is; ok is false when it is another kind of expression.
func (p *Pool) VarOf(x ID) (v VarIndex, ok bool) {
	n := &p.nodes[x]
	return VarIndex(n.a), n.op == Var
}

// Vars is the variables that the expression depends on, in order. The slice is the pool's: it is not to be written to.
func (p *Pool) Vars(x ID) []VarIndex { return p.varSets.sets[p.sets[x]] }

// varSets keeps each set of variables once. Set 0 is the empty set.
type varSets struct {
	sets   [][]VarIndex
	byKey  map[string]uint32
	unions map[[2]uint32]uint32
	bytes  int
}

func newVarSets() varSets {
	return varSets{sets: [][]VarIndex{nil}, byKey: map[string]uint32{"": 0}, unions: map[[2]uint32]uint32{}}
}

// of interns a sorted set; it takes the slice over.
func (s *varSets) of(set []VarIndex) uint32 {
	key := make([]byte, 0, 4*len(set))
	for _, v := range set {
		key = binary.LittleEndian.AppendUint32(key, uint32(v))
	}
	if i, ok := s.byKey[string(key)]; ok {
		return i
	}
	i := uint32(len(s.sets))
	s.sets = append(s.sets, set)
	s.byKey[string(key)] = i
	s.bytes += 8*len(set) + 64
	return i
}

func (s *varSets) union3(a, b, c uint32) uint32 { return s.union(s.union(a, b), c) }

func (s *varSets) union(a, b uint32) uint32 {
	if a > b {
		a, b = b, a
	}
	if a == 0 || a == b {
		return b
	}
	if u, ok := s.unions[[2]uint32{a, b}]; ok {
		return u
	}
	merged := slices.Concat(s.sets[a], s.sets[b])
	slices.Sort(merged)
	u := s.of(slices.Clip(slices.Compact(merged)))
	s.unions[[2]uint32{a, b}] = u
	s.bytes += 24
	return u
}
