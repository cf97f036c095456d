package behavior

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"motehound/observe/calltree"
	"motehound/observe/intervals"
)

// Kinds of violations.
const (
	ProcedureViolation    = "procedure"    // an instance that is like no approved model
	JobflowViolation      = "jobflow"      // a model sequence that is not made of approved flows
	InterleavingViolation = "interleaving" // a model interleaves a flow that it did not interleave before
	UnansweredViolation   = "unanswered"   // a function of the system was called, and is never answered again
)

// Violation is a cause for which a run is not as approved, with its first instance.
type Violation struct {
	ID        string         `json:"id"` // the same for the same cause in every run
	Kind      string         `json:"kind"`
	Vector    uint16         `json:"vector"`
	Model     string         `json:"model"`    // of the instance; of an interleaving, that of what interleaves
	Mote      int            `json:"mote"`     // index in the world; in reports the node id
	Instance  uint32         `json:"instance"` // of Vector, from 1
	Start     uint64         `json:"start_cycle"`
	Count     uint64         `json:"count"`
	Motes     []int          `json:"motes"` // on which it occurred
	Functions []PathFunction `json:"functions"`
	Variant   []string       `json:"variant,omitempty"` // with a half depth, see FileModel.Variants

	Nearest string `json:"nearest,omitempty"` // of a procedure: the approved model that it follows furthest
	Leaves  *Leave `json:"leaves,omitempty"`  // and where it leaves it

	Flow     string `json:"flow,omitempty"`     // that was left, or is interleaved
	Sequence string `json:"sequence,omitempty"` // of a jobflow: the stretch that is not made of approved flows
	Odd      int    `json:"odd,omitempty"`      // position in Sequence of the instance that did not fit, from 0
	Expected string `json:"expected,omitempty"` // the model that the flow goes on with
	More     int    `json:"more,omitempty"`     // how much longer the sequence is
	Window   *Span  `json:"window,omitempty"`   // of a jobflow: from its first instance to its last
	Inside   bool   `json:"inside,omitempty"`   // of an interleaving: while a member of the flow was open, else between two
	Member   string `json:"member,omitempty"`   // of an interleaving: the model of that member, or of the one that came after

	// Of an interleaving, if the file knows of data: a variable that is used in an order that was not approved, and all such orders.
	Variable string      `json:"variable,omitempty"`
	Orders   []DataOrder `json:"orders,omitempty"`

	Request *Request     `json:"request,omitempty"` // of an unanswered call
	Broken  *RuleResult  `json:"broken,omitempty"`  // a rule about its functions that this run does not keep
	Also    []*Violation `json:"also,omitempty"`    // others with the same cause; Count and Motes are of all
}

// Span is a stretch of a model sequence.
type Span struct {
	From      uint32 `json:"from_instance"`
	FromCycle uint64 `json:"from_cycle"`
	To        uint32 `json:"to_instance"` // where the last model begins
	ToCycle   uint64 `json:"to_cycle"`
}

// PathFunction is a function of a layered function sequence.
type PathFunction struct {
	Function string `json:"function"`
	File     string `json:"file"`
	Line     int    `json:"line"`
	Layer    int    `json:"layer"`
	Kind     string `json:"kind"` // interrupt, task, post or call
}

// Verifier checks the instances of a run against an approved file. Instances of a mote come in order of their serials.
// Memory is bounded by the different behaviours and what is open at once.
type Verifier struct {
	cast       *Cast
	file       *File
	vectors    map[uint16]*approved
	weaves     map[int]*weave
	acceptors  map[[2]int]*acceptor
	violations []*Violation
	byID       map[string]*Violation
	procedures map[*Model]*Violation // of new models
	checked    uint64
	more       int
	found      func(*Violation)
	access     *accesses // nil if the file knows nothing of data
	orders     map[orderKey]bool
	parts      *parts
	trees      []*calltree.Node // by model: of its first instance, nil if there was none
	rules      *ruleChecker
	asked      *requestChecker
	entriesOf  [][]string              // by model: of its first instance, nil if there was none
	involved   map[*Violation][]string // functions of the application that take part
	members    map[*Violation][]int32  // models that take part
	handed     map[*Violation]bool     // orders of data that may be found by somebody for whom it is not meant
	certain    map[*Violation]bool     // orders of data that are not up to a new procedure
	own        map[string]bool         // functions of the application
}

const maxViolations = 1000

// NewVerifier begins to check a run whose trees are of a Book. Found hears of each violation when it first occurs; it may be nil.
func NewVerifier(b *calltree.Book, f *File, found func(*Violation)) (*Verifier, error) {
	v := &Verifier{cast: newCast(b), file: f, weaves: map[int]*weave{}, acceptors: map[[2]int]*acceptor{}, byID: map[string]*Violation{},
		procedures: map[*Model]*Violation{}, found: found, rules: newRuleChecker(f.Rules), asked: newRequestChecker(f.Requests),
		involved: map[*Violation][]string{}, members: map[*Violation][]int32{}, handed: map[*Violation]bool{}, certain: map[*Violation]bool{}}
	vectors, byName, err := load(v.cast, f)
	if v.vectors = vectors; err == nil && f.Data {
		v.learnOrders(f, byName)
	}
	return v, err
}

// Take reads the next instance.
func (v *Verifier) Take(x calltree.Instance) {
	w := v.weaves[x.Mote]
	if w == nil {
		w = newWeave(v.step)
		v.weaves[x.Mote] = w
	}
	if !x.Complete {
		v.touchedBy(&x, nil)
		w.take(&x, nil)
		return
	}
	v.rules.take(&x)
	v.asked.take(&x)
	a := v.vectors[x.Vector]
	if a == nil {
		a = v.newVector(x.Vector)
	}
	if a.file.Idle {
		v.idle(a, &x)
		w.take(&x, nil)
		return
	}
	m := a.model(x.Tree)
	v.meet(m, x.Tree)
	v.touchedBy(&x, m)
	if a.file.Watched {
		v.checked++
		if m.New && !m.Dropped {
			v.procedure(a, m, &x)
		}
	}
	w.take(&x, m)
}

// meet remembers which functions of the application take part in instances of a model.
func (v *Verifier) meet(m *Model, tree *calltree.Node) {
	for len(v.entriesOf) <= int(m.Number) {
		v.entriesOf, v.trees = append(v.entriesOf, nil), append(v.trees, nil)
	}
	if v.entriesOf[m.Number] == nil {
		v.entriesOf[m.Number], v.trees[m.Number] = v.rules.book.of(tree, entries), tree
	}
}

// touchedBy tells whose the touches of an instance are.
func (v *Verifier) touchedBy(x *calltree.Instance, m *Model) {
	if v.access != nil {
		v.access.instance(x, m)
	}
}

// idle reads an instance of an interrupt that interleaves nobody: a clock, unless it gets to the application or posts a task, in which case
// it is not the one that was approved.
func (v *Verifier) idle(a *approved, x *calltree.Instance) {
	if v.access != nil && v.access.wants(x) {
		v.touchedBy(x, a.model(x.Tree))
	}
	if !a.file.Watched || !slices.ContainsFunc(x.Tree.Calls, works) {
		return
	}
	if m := a.model(x.Tree); m.New {
		v.meet(m, x.Tree)
		v.procedure(a, m, x)
	}
}

// newVector makes room for an interrupt that the file does not have.
func (v *Verifier) newVector(n uint16) *approved {
	d, _ := ParseDepth(v.file.Depth)
	a := &approved{file: &FileVector{Vector: n, Watched: v.file.Every && n != intervals.ResetVector, Loose: true}, depth: d, novel: newClassifier(v.cast, n, d)}
	a.stages = []*classifier{newClassifier(v.cast, n, d)}
	v.vectors[n] = a
	return a
}

// model is that of a tree, which may be new.
func (a *approved) model(tree *calltree.Node) *Model {
	for i, s := range a.stages {
		if m := s.recall(tree); m != nil && (m.Dropped || i == len(a.stages)-1) {
			return m
		}
	}
	before := len(a.novel.models)
	m := a.novel.take(tree)
	if len(a.novel.models) > before {
		m.New = true
		m.Name = a.freeName()
	}
	return m
}

// freeName is the first name that no model of the interrupt has.
func (a *approved) freeName() string {
	for i := 0; ; i++ {
		name := letters(i) + fmt.Sprint(a.file.Vector)
		has := func(m *Model) bool { return m.Name == name }
		used := slices.ContainsFunc(a.novel.models[:len(a.novel.models)-1], has)
		for _, s := range a.stages {
			used = used || slices.ContainsFunc(s.models, has)
		}
		if !used {
			return name
		}
	}
}

// step follows the flows with a member.
func (v *Verifier) step(x sequenceMember) {
	a := v.vectors[x.Vector]
	if !a.file.Watched || len(a.flows) == 0 {
		return
	}
	k := [2]int{x.Mote, int(x.Vector)}
	acc := v.acceptors[k]
	if acc == nil {
		acc = newAcceptor(a.flows)
		acc.broke = func(b sequenceBreak) { v.jobflow(a, x.Mote, b) }
		acc.interleaved = func(flows []int, model int32, inside bool, at Step) {
			v.interleaving(a, x.Mote, flows, model, inside, at)
		}
		v.acceptors[k] = acc
	}
	acc.take(Step{x.Model.Number, x.Number, x.Start}, x.Inside, x.Before)
}

// procedure reports an instance of a new model.
func (v *Verifier) procedure(a *approved, m *Model, x *calltree.Instance) {
	if known := v.procedures[m]; known != nil {
		v.again(known, x.Mote)
		return
	}
	c := &Violation{Kind: ProcedureViolation, Vector: x.Vector, Model: m.Name, Mote: x.Mote, Instance: x.Number, Start: x.Start}
	v.involved[c], v.members[c] = v.entriesOf[m.Number], []int32{m.Number}
	c.Functions, c.Variant = pathOf(m.Common, m.Depth), variantOf(m)
	near, at := nearest(v.cast.Lens, m, a.stages[len(a.stages)-1].models)
	if near != nil {
		c.Nearest, c.Leaves = near.Name, at
	}
	v.procedures[m] = v.report(c, strings.Join(formatTree(m.Common, m.Depth.layers()), "\n"))
}

// variantOf is the half layer of a model that has one member so far.
func variantOf(m *Model) []string {
	if len(m.lines) == 0 {
		return nil
	}
	return m.lines[len(m.lines)-1]
}

// jobflow reports a stretch. If it has a new model, that is the cause, and reported already.
func (v *Verifier) jobflow(a *approved, mote int, b sequenceBreak) {
	if a.file.Loose {
		return
	}
	var p Pattern
	var functions []string
	for _, s := range b.Window {
		if v.cast.Models[s.Model].New {
			return
		}
		functions = append(functions, v.entriesOf[s.Model]...)
		p = append(p, s.Model)
	}
	odd := b.Window[min(b.Odd, len(b.Window)-1)]
	m := v.cast.Models[odd.Model]
	c := &Violation{Kind: JobflowViolation, Vector: a.file.Vector, Model: m.Name, Mote: mote, Instance: odd.Number, Start: odd.Start,
		Functions: pathOf(m.Common, m.Depth), Sequence: v.cast.Names(p), Odd: b.Odd, More: b.More}
	v.involved[c], v.members[c] = functions, p
	first, last := b.Window[0], b.Window[len(b.Window)-1]
	c.Window = &Span{first.Number, first.Start, last.Number, last.Start}
	if b.Flow >= 0 {
		c.Flow = v.cast.Names(a.flows[b.Flow])
		if b.Matched < len(a.flows[b.Flow]) {
			c.Expected = v.cast.Models[a.flows[b.Flow][b.Matched]].Name
		}
	}
	v.report(c, c.Sequence)
}

// interleaving reports a model that interleaves flows of which none may be interleaved by it.
func (v *Verifier) interleaving(a *approved, mote int, flows []int, model int32, inside bool, at Step) {
	if v.access != nil {
		return // what they do to data is checked instead
	}
	for _, f := range flows {
		if a.others[f].has(model) {
			return
		}
	}
	m := v.cast.Models[model]
	flow := v.cast.Names(a.flows[flows[0]])
	c := &Violation{Kind: InterleavingViolation, Vector: a.file.Vector, Model: m.Name, Mote: mote, Instance: at.Number, Start: at.Start,
		Functions: pathOf(m.Common, m.Depth), Flow: flow, Inside: inside, Member: v.cast.Models[at.Model].Name}
	v.involved[c] = v.entriesOf[model]
	if m.New {
		c.Variant = variantOf(m)
	}
	v.report(c, flow+"\n"+fmt.Sprint(m.Vector)+strings.Join(formatTree(m.Common, m.Depth.layers()), "\n"))
}

// unanswered reports calls of the system that were never answered again, where they first were not.
func (v *Verifier) unanswered() {
	for _, u := range v.asked.stopped() {
		a := v.vectors[u.x.Vector]
		if !a.file.Watched {
			continue
		}
		m := a.model(u.x.Tree)
		v.meet(m, u.x.Tree)
		c := &Violation{Kind: UnansweredViolation, Vector: u.x.Vector, Model: m.Name, Mote: u.x.Mote, Instance: u.x.Number, Start: u.x.Start,
			Functions: pathOf(m.Common, m.Depth), Request: &u.request}
		v.involved[c] = v.entriesOf[m.Number]
		v.report(c, "request\n"+u.request.File+"\n"+u.request.Call+"\n"+u.request.Answer)
	}
}

// report counts a cause, and tells of a new one.
func (v *Verifier) report(c *Violation, cause string) *Violation {
	sum := sha256.Sum256([]byte(cause))
	c.ID = fmt.Sprintf("%s-%d-%s", c.Kind, c.Vector, hex.EncodeToString(sum[:4]))
	if known := v.byID[c.ID]; known != nil {
		delete(v.involved, c)
		delete(v.members, c)
		return v.again(known, c.Mote)
	}
	if len(v.violations) == maxViolations {
		delete(v.involved, c)
		delete(v.members, c)
		v.more++
		return nil
	}
	c.Count, c.Motes = 1, []int{c.Mote}
	v.byID[c.ID] = c
	v.violations = append(v.violations, c)
	if v.found != nil {
		v.found(c)
	}
	return c
}

func (v *Verifier) again(known *Violation, mote int) *Violation {
	known.Count++
	if at, has := slices.BinarySearch(known.Motes, mote); !has {
		known.Motes = slices.Insert(known.Motes, at, mote)
	}
	return known
}

// Finish ends the run and gives its violations, those to look at first before others, and what is new but keeps all rules. News
// matter to who wants to know of all that was not approved.
func (v *Verifier) Finish() (violations, news []*Violation) {
	for _, mote := range slices.Sorted(maps.Keys(v.weaves)) {
		v.weaves[mote].close()
	}
	for _, k := range slices.SortedFunc(maps.Keys(v.acceptors), func(a, b [2]int) int { return slices.Compare(a[:], b[:]) }) {
		v.acceptors[k].close()
	}
	v.unanswered()
	return v.grade()
}

// Checked is how many instances were checked, and More how many causes more there were than are kept.
func (v *Verifier) Checked() (instances uint64, more int) { return v.checked, v.more }

// pathOf is a tree as a layered function sequence.
func pathOf(tree *calltree.Node, d Depth) []PathFunction {
	list := []PathFunction{}
	for _, it := range sequence(tree, d.layers()) {
		f := it.Node.Func
		kind := "call"
		switch it.Node.Kind {
		case calltree.Interrupt:
			kind = "interrupt"
		case calltree.Task:
			kind = "task"
		case calltree.Post:
			kind = "post"
		}
		list = append(list, PathFunction{f.Name, baseName(f.File), f.Line, it.Layer, kind})
	}
	return list
}
