package solver

import (
	"errors"
	"fmt"
	"hash/fnv"
	"slices"

	"motehound/study/symbolic/expr"
)

// Tape keeps what the backend has answered, so that an exploration can be made again up to where it was left without solving anything
// twice. It is plain data, for JSON.
//
// A backend may learn, so that what it answers depends on what it was asked before. Builtin therefore forgets everything after each Epoch
// queries, and a tape that is played ends with a whole epoch. From there on the backend is asked again, and learns what it would have.
type Tape struct {
	Answers []TapedAnswer `json:"answers"`

	played, until int
	ended         bool // a query was broken off: what follows would not come again
	err           error
}

// TapedAnswer is the answer to one query. Key identifies the query.
type TapedAnswer struct {
	Key    uint32          `json:"key"`
	Result Result          `json:"result"`
	Vars   []expr.VarIndex `json:"vars,omitempty"`
	Values []uint64        `json:"values,omitempty"`
	Core   []expr.ID       `json:"core,omitempty"`
	Why    string          `json:"why,omitempty"`
}

// Epoch is after how many queries a backend forgets what it has learned.
const Epoch = 256

// Check reports whether the tape can be one that was kept.
func (t *Tape) Check() error {
	for i, a := range t.Answers {
		if a.Result > Unsat || len(a.Vars) != len(a.Values) {
			return fmt.Errorf("answer %d on the tape is none: it is damaged", i)
		}
	}
	return nil
}

// Rewind has the tape played from its beginning, by another solver for the same pool of expressions made again.
func (t *Tape) Rewind() {
	t.played, t.until = 0, len(t.Answers)/Epoch*Epoch
	t.Answers = t.Answers[:t.until:t.until]
}

// bytes is how much memory the tape takes, about.
func (t *Tape) bytes() int {
	const each, ofLists = 112, 64
	return len(t.Answers) * (each + ofLists)
}

func keyOf(conds []expr.ID) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(setKey(conds)))
	return h.Sum32()
}

// taped is a backend whose answers are kept, or taken from a tape.
type taped struct {
	backend Backend
	tape    *Tape
	last    *TapedAnswer // if the answer is from the tape
}

// Check is a Backend's.
func (t *taped) Check(conds []expr.ID) (Result, error) {
	n, key := t.tape.played, keyOf(conds)
	t.tape.played++
	if n < t.tape.until {
		t.last = &t.tape.Answers[n]
		foreign := func(c expr.ID) bool { return !slices.Contains(conds, c) }
		if t.last.Key != key || slices.ContainsFunc(t.last.Core, foreign) {
			t.last = &TapedAnswer{}
			t.tape.err = fmt.Errorf("query %d differs from the one on the tape, which belongs to another exploration: start again", n)
			return Unknown, t.tape.err
		}
		if t.last.Result == Unknown {
			return Unknown, fmt.Errorf("%s", t.last.Why)
		}
		return t.last.Result, nil
	}
	t.last = nil
	r, err := t.backend.Check(conds)
	if t.tape.ended = t.tape.ended || errors.Is(err, errStopped); t.tape.ended {
		return r, err
	}
	a := TapedAnswer{Key: key, Result: r}
	switch r {
	case Sat:
		m := t.backend.Model()
		for i := range m.Len() {
			v, x := m.At(i)
			a.Vars, a.Values = append(a.Vars, v), append(a.Values, x)
		}
	case Unsat:
		a.Core = slices.Clone(t.backend.Core())
	default:
		a.Why = fmt.Sprint(err)
	}
	t.tape.Answers = append(t.tape.Answers, a)
	return r, err
}

// Model is a Backend's.
func (t *taped) Model() expr.Model {
	if t.last != nil {
		return expr.NewModel(t.last.Vars, t.last.Values)
	}
	return t.backend.Model()
}

// Core is a Backend's.
func (t *taped) Core() []expr.ID {
	if t.last != nil {
		return t.last.Core
	}
	return t.backend.Core()
}
