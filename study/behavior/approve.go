package behavior

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Approve adds violations to a file: those with the ids, or all if there are none. It tells what it added.
func (f *File) Approve(violations []*Violation, ids []string) (added []string, err error) {
	for _, id := range ids {
		if !slices.ContainsFunc(violations, func(v *Violation) bool { return v.ID == id }) {
			return nil, fmt.Errorf("there is no violation %s in the report", id)
		}
	}
	var wanted []*Violation
	for _, v := range violations {
		if len(ids) == 0 || slices.Contains(ids, v.ID) {
			wanted = append(append(wanted, v), v.Also...)
		}
	}
	// Models first: orders of data name them.
	slices.SortStableFunc(wanted, func(a, b *Violation) int { return -cmp.Compare(a.Kind, b.Kind) })
	for _, v := range wanted {
		var what string
		switch v.Kind {
		case ProcedureViolation:
			what, err = f.approveProcedure(v)
		case JobflowViolation:
			what, err = f.approveFlow(v)
		case InterleavingViolation:
			what, err = f.approveInterleaving(v)
		case UnansweredViolation:
			what = f.approveUnanswered(v)
		default:
			err = fmt.Errorf("kind %q is not known: use the report of this version's 'model verify'", v.Kind)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", v.ID, err)
		}
		if what != "" {
			added = append(added, what)
		}
	}
	f.sort()
	return added, f.check()
}

// vector is an interrupt of the file, a new one if need be.
func (f *File) vector(n uint16) *FileVector {
	for i := range f.Vectors {
		if f.Vectors[i].Vector == n {
			return &f.Vectors[i]
		}
	}
	f.Vectors = append(f.Vectors, FileVector{Vector: n, Depth: f.Depth, Watched: f.Every, Loose: true})
	return &f.Vectors[len(f.Vectors)-1]
}

func (f *File) approveProcedure(v *Violation) (string, error) {
	name, isNew, err := f.vector(v.Vector).learn(v)
	if err != nil || !isNew {
		return "", err
	}
	return "model " + name, nil
}

// learn finds the model of a violation's functions, or adds it.
func (v *FileVector) learn(x *Violation) (name string, isNew bool, err error) {
	lines := make([]string, len(x.Functions))
	for i, f := range x.Functions {
		if f.Layer < 1 || f.Layer > maxTreeLayers {
			return "", false, fmt.Errorf("%s is in layer %d: there are 1 to %d", f.Function, f.Layer, maxTreeLayers)
		}
		lines[i] = f.line()
	}
	if _, err := parseTree(NewBook(), lines); err != nil {
		return "", false, err
	}
	for _, m := range v.Models {
		if sameLines(m.Functions, lines) {
			return m.Name, false, nil
		}
	}
	name = x.Model
	for i := 0; slices.ContainsFunc(v.Models, func(m FileModel) bool { return m.Name == name }); i++ {
		name = letters(i) + fmt.Sprint(v.Vector)
	}
	m := FileModel{Name: name, Functions: lines}
	if x.Variant != nil {
		m.Variants = [][]string{x.Variant}
	}
	v.Models = append(v.Models, m)
	return name, true, nil
}

// line is a function as a model file has it.
func (p *PathFunction) line() string {
	text := strings.Repeat("  ", max(p.Layer-1, 0))
	switch p.Kind {
	case "interrupt":
		text += "int: "
	case "task", "post":
		text += p.Kind + ": "
	}
	text += p.Function
	if p.File != "" {
		text += fmt.Sprintf(" @ %s:%d", p.File, p.Line)
	}
	return text
}

// sameLines compares functions without their lines, which move when the source above them changes.
func sameLines(a, b []string) bool {
	return slices.EqualFunc(a, b, func(x, y string) bool {
		p, err1 := parseLine(x)
		q, err2 := parseLine(y)
		p.line, q.line = 0, 0
		return err1 == nil && err2 == nil && p == q
	})
}

func (f *File) approveFlow(v *Violation) (string, error) {
	if v.More > 0 {
		return "", fmt.Errorf("only a part of the stretch was kept: set \"loose\" for interrupt %d in the file if its order does not matter", v.Vector)
	}
	at := f.vector(v.Vector)
	if slices.ContainsFunc(at.Flows, func(x FileFlow) bool { return x.Models == v.Sequence }) {
		return "", nil
	}
	at.Flows = append(at.Flows, FileFlow{Models: v.Sequence})
	return "flow " + v.Sequence, nil
}

func (f *File) approveInterleaving(v *Violation) (string, error) {
	if v.Variable != "" {
		return f.approveOrders(v)
	}
	plain, _, _ := strings.Cut(v.Model, "@")
	n, err := VectorOf(plain)
	if err != nil {
		return "", err
	}
	name := v.Model
	if !slices.ContainsFunc(f.vector(n).Models, func(m FileModel) bool { return m.Name == name && m.Depth != "" }) {
		if name, _, err = f.vector(n).learn(v); err != nil {
			return "", err
		}
	}
	flows := f.vector(v.Vector).Flows
	i := slices.IndexFunc(flows, func(x FileFlow) bool { return x.Models == v.Flow })
	if i < 0 {
		return "", fmt.Errorf("the file has no flow %q: the report was made with another file", v.Flow)
	}
	if slices.ContainsFunc(flows[i].Interleaved, func(x FileInterleaving) bool { return x.Model == name }) {
		return "", nil
	}
	flows[i].Interleaved = append(flows[i].Interleaved, FileInterleaving{Model: name, Inside: v.Inside, Between: !v.Inside})
	return fmt.Sprintf("%s interleaving %s", name, v.Flow), nil
}

// approveOrders adds the orders in which a variable was used. Those of models that are not approved wait until they are.
func (f *File) approveOrders(v *Violation) (string, error) {
	has := func(a Access) bool {
		if a.Model == "" {
			return true
		}
		plain, _, _ := strings.Cut(a.Model, "@")
		n, err := VectorOf(plain)
		return err == nil && slices.ContainsFunc(f.vector(n).Models, func(m FileModel) bool { return m.Name == a.Model })
	}
	added := ""
	for _, o := range v.Orders {
		if has(o.After) && has(o.Access) && !slices.Contains(f.Orders, o) {
			f.Orders = append(f.Orders, o)
			added = "new orders of using " + v.Variable
		}
	}
	return added, nil
}

// approveUnanswered no longer asks for the answer.
func (f *File) approveUnanswered(v *Violation) string {
	if v.Request == nil {
		return ""
	}
	before := len(f.Requests)
	f.Requests = slices.DeleteFunc(f.Requests, func(r Request) bool { return compareRequests(r, *v.Request) == 0 })
	if len(f.Requests) == before {
		return ""
	}
	return fmt.Sprintf("%s without the answer %s", v.Request.Call, v.Request.Answer)
}
