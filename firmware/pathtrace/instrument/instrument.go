// Package instrument rewrites C so that procedures record the paths they take, and writes the map that reads the records back.
//
// It inserts calls of the runtime's macros (MH_TRACE_ENTER, MH_TRACE_PATH8 and 16, MH_TRACE_LEAVE8 and 16) and what they need into
// preprocessed source, at byte offsets. Nothing is printed again, so directives, attributes, assembly and everything else that it does
// not understand stay unchanged, and every line stays where it is.
//
// Invariants: what a procedure does, and in which order it evaluates, does not change; a path that the rewritten code records is the
// path that was taken, and Proc.Decode gives its blocks; a function that cannot be rewritten is left unchanged and listed with the
// reason; the same source, selection and ids give the same text and the same map; a map that Read accepts decodes every path of its
// procedures without further checks.
package instrument

import (
	"fmt"
	"slices"
	"strings"

	"motehound/firmware/pathtrace/cflow"
	"motehound/firmware/pathtrace/number"
)

// Calls is how code calls the runtime: text with the procedure for %p and the number of the path for %v.
type Calls struct {
	Enter, Path8, Path16, Leave8, Leave16 string
	// Round8 and Round16 are for paths of loops in which rounds may be counted, and More for when what was counted is to be
	// recorded. If More is empty, all are recorded one by one.
	Round8, Round16, More string
	// LetIn and KeepOut turn interrupts on and off in handlers. If they are empty, handlers stay as they are.
	LetIn, KeepOut string
	// Kernel is what kernels call.
	Kernel
	// Edge is a statement for every edge that can carry code, with the edge's index in the map for %e; usually there is none.
	Edge string
}

// Macros is the calls by the names of the runtime's header.
var Macros = Calls{
	Enter:   "MH_TRACE_ENTER(%p)",
	Path8:   "MH_TRACE_PATH8(%p, %v)",
	Path16:  "MH_TRACE_PATH16(%p, %v)",
	Leave8:  "MH_TRACE_LEAVE8(%p, %v)",
	Leave16: "MH_TRACE_LEAVE16(%p, %v)",
	Round8:  "MH_TRACE_ROUND8(%p, %v, " + lastRound + ", " + moreRounds + ")",
	Round16: "MH_TRACE_ROUND16(%p, %v, " + lastRound + ", " + moreRounds + ")",
	More:    "MH_TRACE_SETTLE(" + moreRounds + ")",
	LetIn:   "MH_TRACE_LET_IN()",
	KeepOut: "MH_TRACE_KEEP_OUT()",
	Kernel:  Kernel{Rest: "MH_TRACE_REST()", Nap: "MH_TRACE_NAP()", Tick: "MH_TRACE_TICK()", Stop: "MH_TRACE_STOP()"},
}

// Labels is for Calls.Edge: a symbol and an instruction of its own on each edge, by which whoever watches from outside sees,
// without any path numbers, which edges are taken.
const Labels = `__asm__ __volatile__ ("mh_edge_%p_%e_%=: nop" ::);`

func (c Calls) edge(id, edge int) string {
	return strings.NewReplacer("%p", fmt.Sprint(id), "%e", fmt.Sprint(edge)).Replace(c.Edge)
}

func (c Calls) enter(id int) string { return strings.ReplaceAll(c.Enter, "%p", fmt.Sprint(id)) }

func (c Calls) path(bits, id int, value string) string {
	return fill(c.Path8, c.Path16, bits, id, value)
}

func (c Calls) round(bits, id int, value string) string {
	return fill(c.Round8, c.Round16, bits, id, value)
}

func (c Calls) leave(bits, id int, value string) string {
	return fill(c.Leave8, c.Leave16, bits, id, value)
}

func fill(narrow, wide string, bits, id int, value string) string {
	text := narrow
	if bits == 16 {
		text = wide
	}
	return strings.NewReplacer("%p", fmt.Sprint(id), "%v", value).Replace(text)
}

// A Left is a function that was left as it is.
type Left struct {
	Name string `json:"name"`
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
	Why  string `json:"why"`
}

// A Plan says which procedures of a unit are instrumented, and how.
type Plan struct {
	Procs      []Proc // without ids
	Left       []Left
	unit       *cflow.Unit
	funcs      []*cflow.Func
	numberings []*number.Numbering
	// quiet are the blocks of each procedure in loops whose rounds may be counted; nil if there are none.
	quiet [][]bool
}

// Prepare decides what to instrument in a unit. name is what the map calls the unit.
func Prepare(u *cflow.Unit, name string, c Choice) *Plan {
	p := &Plan{unit: u}
	why := make([]string, len(u.Funcs)) // not to instrument it
	numberings := make([]*number.Numbering, len(u.Funcs))
	for i, f := range u.Funcs {
		var chosen bool
		if chosen, why[i] = c.chooses(u, f); !chosen {
			continue
		}
		if why[i] = f.Refused; why[i] != "" {
			continue
		}
		numbering, err := number.Number(graph(f), number.MaxPaths)
		if err != nil {
			why[i] = err.Error()
			continue
		}
		numberings[i] = numbering
	}
	if !c.All {
		leaveImplied(u, c.restricts(), numberings, why)
	}
	mayBeClosed := closed(u)
	silent := silences(u, c.Silent, func(i int) bool { return why[i] == "" })
	for i, f := range u.Funcs {
		if why[i] != "" {
			p.Left = append(p.Left, Left{f.Name, f.Pos.File, f.Pos.Line, why[i]})
			continue
		}
		p.funcs, p.numberings = append(p.funcs, f), append(p.numberings, numberings[i])
		var quiet []bool
		if mayBeClosed[i] {
			quiet = quietBlocks(f, numberings[i], silent)
		}
		p.quiet = append(p.quiet, quiet)
		p.Procs = append(p.Procs, procOf(f, name, numberings[i]))
	}
	return p
}

// leaveImplied leaves out functions with one path that run only when functions whose paths are known call them. With a restricted
// choice, files that we do not see may well call what is not static.
func leaveImplied(u *cflow.Unit, restricted bool, numberings []*number.Numbering, why []string) {
	indirect := u.Indirect()
	byName := map[string]int{}
	for i, f := range u.Funcs {
		byName[f.Name] = i
	}
	for i, f := range u.Funcs {
		if numberings[i] != nil && numberings[i].Paths == 1 && f.Kind == cflow.Plain && f.Name != "main" && !indirect[f.Name] && (f.Static || !restricted) {
			why[i] = onePath
		}
	}
	for i, f := range u.Funcs {
		if why[i] == "" || why[i] == onePath || u.System(f.Body.From) && !restricted {
			continue // its paths are known, or nobody's
		}
		for _, name := range f.Mentions {
			if j, ok := byName[name]; ok && why[j] == onePath {
				why[j] = ""
			}
		}
	}
}

// onePath is why a function was left out of which its callers' paths tell.
const onePath = "it has a single path and is called directly: its callers' paths imply it"

func graph(f *cflow.Func) number.Graph {
	g := number.Graph{Blocks: len(f.Blocks), Entry: cflow.Entry, Exit: cflow.Exit}
	for _, e := range f.Edges {
		g.Edges = append(g.Edges, number.Edge{From: e.From, To: e.To, Weight: e.Weight, Fixed: e.Site.Kind == cflow.Nowhere})
	}
	return g
}

// Drop leaves some procedures as they are after all, or, with no names, every one. It reports whether there were any.
func (p *Plan) Drop(why string, names ...string) bool {
	var procs []Proc
	var funcs []*cflow.Func
	var numberings []*number.Numbering
	var quiet [][]bool
	for i, q := range p.Procs {
		if len(names) == 0 || slices.Contains(names, q.Name) {
			p.Left = append(p.Left, Left{q.Name, q.File, q.Line, why})
			continue
		}
		procs, funcs, numberings, quiet = append(procs, q), append(funcs, p.funcs[i]), append(numberings, p.numberings[i]), append(quiet, p.quiet[i])
	}
	dropped := len(procs) < len(p.Procs)
	p.Procs, p.funcs, p.numberings, p.quiet = procs, funcs, numberings, quiet
	return dropped
}

// Rewrite gives the unit's text with code in it, once its procedures have ids.
func (p *Plan) Rewrite(calls Calls) []byte {
	var all edits
	labels := 0
	nests := map[cflow.Span]bool{} // a declaration may name several handlers
	for i, f := range p.funcs {
		w := &writer{edits: &all, fn: f, numbering: p.numberings[i], calls: calls, id: p.Procs[i].ID, over: &labels}
		if calls.More != "" {
			w.quiet = p.quiet[i]
		}
		w.write()
		if calls.LetIn != "" {
			for _, s := range f.Nests {
				nests[s] = true
			}
		}
	}
	for s := range nests {
		all.replace(s.From, s.To, signal)
	}
	p.hook(&all, calls)
	return all.apply(p.unit.Text)
}
