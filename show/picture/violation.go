package picture

import (
	"fmt"
	"slices"
	"strings"

	"motehound/study/behavior"
)

// Violation is what a run did that was not approved.
type Violation struct {
	ID, Kind string
	Again    string // the recipe that leads to it; "" if there is none
	Title    string
	Brief    string   // of what happened, in a few words
	Says     []string // a sentence each

	Model, Nearest string
	Rows           []row // of a procedure: the nearest approved model, and the instance
	First          int   // the row in which they part
	hidden         int   // how many rows are left out
	leaving        []*Node
	tree           []*Node // of Model

	Flow     Flow     // that was left, or is interleaved
	Sequence []string // of a jobflow: the stretch
	Odd      int
	Expected string
	More     int
}

// addViolation adds a violation, with the interrupt's name and how to see it again.
func (p *Picture) addViolation(v *behavior.Violation, vector, again string) {
	x := Violation{ID: clean(v.ID), Kind: v.Kind, Again: again, Model: clean(v.Model), Nearest: clean(v.Nearest), Flow: Flow{Names: names(v.Flow), Main: true},
		Sequence: names(v.Sequence), Expected: clean(v.Expected), More: v.More}
	x.Odd = max(0, min(v.Odd, len(x.Sequence)-1))
	vector = clean(vector)
	p.meet(x.Model, v)
	x.tree = folded(p.nodes(v.Functions))
	switch v.Kind {
	case behavior.ProcedureViolation:
		x.Title = fmt.Sprintf("%s: a new event procedure, %s", vector, x.Model)
		p.compare(&x, v)
	case behavior.JobflowViolation:
		x.Title = vector + ": not an approved job flow"
		x.Says = append(x.Says, p.departs(&x))
		x.Brief = "does not follow a flow"
		if x.Expected != "" {
			x.Brief = "instead of " + x.Expected
		}
	case behavior.InterleavingViolation:
		p.interleave(&x, v)
		x.Title = fmt.Sprintf("%s: %s interleaves the job flow", vector, x.Model)
	case behavior.UnansweredViolation:
		x.Title = vector + ": a call that is never answered"
		x.Brief = clean(v.Request.Call) + " is not answered"
		x.Says = append(x.Says, fmt.Sprintf("%s is called, and %s never comes again. In the approved runs it always came.", clean(v.Request.Call), clean(v.Request.Answer)))
	}
	x.Says = append(x.Says, fmt.Sprintf("First on mote %d: instance %d of %s, from cycle %s. It came %s, on %s.", v.Mote, v.Instance, vector,
		grouped(v.Start), times(v.Count), motes(v.Motes)))
	if again != "" {
		x.Says = append(x.Says, "To replay: motehound replay "+clean(again))
	}
	p.Violations = append(p.Violations, x)
}

// meet takes in the model of a violation, if nobody approved it.
func (p *Picture) meet(name string, v *behavior.Violation) {
	if p.models[name] != nil || len(v.Functions) == 0 {
		return
	}
	var tasks, calls []string
	for _, f := range v.Functions {
		switch f.Kind {
		case "task":
			if !slices.Contains(tasks, f.Function) {
				tasks = append(tasks, f.Function)
			}
		case "call":
			calls = append(calls, f.Function)
		}
	}
	summary := strings.Join(calls[max(0, len(calls)-lines):], ", ")
	if len(tasks) > 0 {
		summary = "runs " + strings.Join(tasks, ", ") + "; " + summary
	}
	p.models[name] = &Model{Name: name, Summary: clean(summary), New: true, Tree: folded(p.nodes(v.Functions))}
}

// compare puts an instance beside the approved model that it follows furthest.
func (p *Picture) compare(x *Violation, v *behavior.Violation) {
	near := p.models[x.Nearest]
	if near == nil {
		x.Brief = "a new interrupt"
		x.Says = append(x.Says, "The file has no model of this interrupt to compare it with.")
		return
	}
	rows, first := beside(unfolded(near.Tree), p.nodes(v.Functions))
	x.Rows, x.hidden, x.First = around(rows, first)
	if v.Leaves == nil {
		x.Says = append(x.Says, fmt.Sprintf("It begins as %s, and differs below what is drawn.", x.Nearest))
		return
	}
	in := v.Leaves.In
	x.Brief = fmt.Sprintf("leaves %s in %s", x.Nearest, clean(in.Function))
	for i := min(x.First, len(x.Rows)) - 1; i >= 0; i-- {
		if r := x.Rows[i].right; r != nil && r.Function == clean(in.Function) && r.Layer == in.Layer {
			x.leaving = []*Node{x.Rows[i].left, r}
			break
		}
	}
	x.Says = append(x.Says, leaves(x, v.Leaves))
}

// leaves says where a path is left.
func leaves(x *Violation, l *behavior.Leave) string {
	text := fmt.Sprintf("It follows %s, and leaves it in %s", x.Nearest, named(&l.In))
	if l.After != nil && *l.After != l.In {
		text += ", after " + named(l.After)
	}
	expected, got := l.Sides(named)
	if l.Expected != nil && l.Got != nil && l.Got.Function == l.Expected.Function {
		return clean(fmt.Sprintf("%s: %s in layer %d, approved in layer %d.", text, got, l.Got.Layer, l.Expected.Layer))
	}
	return clean(fmt.Sprintf("%s: approved is %s; here comes %s.", text, expected, got))
}

func named(f *behavior.PathFunction) string {
	if f.File == "" {
		return f.Function
	}
	return fmt.Sprintf("%s (%s:%d)", f.Function, base(f.File), f.Line)
}

// departs says how a stretch differs from its flow.
func (p *Picture) departs(x *Violation) string {
	if len(x.Sequence) == 0 {
		return "No flow is followed."
	}
	odd := p.does(x.Sequence[x.Odd])
	if x.Expected == "" || len(x.Flow.Names) == 0 {
		return fmt.Sprintf("%s neither begins an approved flow nor goes on with one.", odd)
	}
	text := fmt.Sprintf("The flow goes on with %s. Here comes %s instead.", p.does(x.Expected), odd)
	var again []string
	for _, name := range distinct(x.Sequence) {
		if usual := count(x.Flow.Names, name); usual > 0 && count(x.Sequence, name) > usual {
			again = append(again, p.does(name))
		}
	}
	if last := x.Flow.Names[len(x.Flow.Names)-1]; len(again) > 0 && count(x.Sequence, last) == count(x.Flow.Names, last) {
		text += fmt.Sprintf(" Before %s ends the flow, there is once more: %s.", p.does(last), strings.Join(again, ", "))
	}
	return text
}

// does is a model with the tasks that it runs.
func (p *Picture) does(name string) string {
	runs, _, _ := strings.Cut(p.model(name).Summary, "; ")
	if strings.HasPrefix(runs, "runs ") {
		return name + " (" + runs + ")"
	}
	return name
}

// count is how many runs of a model there are.
func count(names []string, name string) int {
	n := 0
	for _, s := range merged(names, -1) {
		if s.name == name {
			n++
		}
	}
	return n
}

func distinct(names []string) []string {
	var list []string
	for _, n := range names {
		if !slices.Contains(list, n) {
			list = append(list, n)
		}
	}
	return list
}

// interleave puts a model among those that interleave the flow.
func (p *Picture) interleave(x *Violation, v *behavior.Violation) {
	for _, vec := range p.Vectors {
		for _, f := range vec.Flows {
			if vec.Number == v.Vector && slices.Equal(f.Names, x.Flow.Names) {
				x.Flow = f
				x.Flow.Interleaved = slices.Clone(f.Interleaved)
			}
		}
	}
	n := Interleaving{Model: x.Model, Inside: v.Inside, Between: !v.Inside, New: true, Member: clean(v.Member)}
	x.Flow.Interleaved = slices.Insert(x.Flow.Interleaved, 0, n)
	x.Brief = "interleaves " + strings.Join(x.Flow.Names, " ")
	where := "between two members of"
	if v.Inside {
		where = "while a member was open of"
	}
	text := fmt.Sprintf("%s came %s the flow %s", x.Model, where, strings.Join(x.Flow.Names, " "))
	switch {
	case v.Variable != "":
		x.Brief = "uses " + clean(v.Variable) + " in a new order"
		text = fmt.Sprintf("%s used %s after %s had written it", x.Model, clean(v.Variable), n.Member)
	case v.Member == "":
	case v.Inside:
		text += ": within " + n.Member
		x.Brief = "within " + n.Member + " of " + strings.Join(x.Flow.Names, " ")
	default:
		text += ": before " + n.Member
		x.Brief = "before " + n.Member + " in " + strings.Join(x.Flow.Names, " ")
	}
	x.Says = append(x.Says, text+". In the approved run it never did.")
}

func motes(ids []int) string {
	if len(ids) == 1 {
		return fmt.Sprintf("mote %d", ids[0])
	}
	list := make([]string, len(ids))
	for i, id := range ids {
		list[i] = fmt.Sprint(id)
	}
	return "motes " + strings.Join(list, ", ")
}

// unfolded has a node for each invocation again.
func unfolded(list []*Node) []*Node {
	var out []*Node
	for _, n := range list {
		size := (n.Last - n.First) / max(n.Times-1, 1)
		for i := range n.Times {
			c := *n
			c.First, c.Times = n.First+i*size, 1
			c.Last = c.First
			c.Calls = shifted(unfolded(n.Calls), i*size)
			out = append(out, &c)
		}
	}
	return out
}

// shifted moves positions.
func shifted(list []*Node, by int) []*Node {
	for _, n := range list {
		n.First, n.Last = n.First+by, n.Last+by
		shifted(n.Calls, by)
	}
	return list
}
