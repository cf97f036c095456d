package hunt

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"

	"motehound/job"
	"motehound/job/document"
	"motehound/job/findings"
	"motehound/study/behavior"
)

// odd is a mote that does what no other one with its firmware does.
type odd struct {
	first *document.VerifiedViolation
	paths int // that only it takes
	motes int // that are compared
}

// Of the motes with one firmware, so many at least and at most are compared, and so many must be alike: among others, nobody is odd.
const (
	fewestMotes = 3
	mostMotes   = 8
	alikeMotes  = 2
)

// model holds each mote to the models of all others with the same firmware. A mote that takes a path through the code that no other one takes, in runs with
// two different seeds, is a difference: it may have another part in the network, or a bug that only its place in the network shows.
//
// A network that the hunt has made up tells less: nobody has given its motes their parts.
func (x *hunt) model(w job.World, groups []document.Built) func(context.Context, job.Host, slice) (*outcome, error) {
	return func(ctx context.Context, h job.Host, s slice) (*outcome, error) {
		o := &outcome{done: true}
		for _, g := range groups {
			var found []odd
			alike := 0
			ids := g.Motes[:min(len(g.Motes), mostMotes)]
			for _, id := range ids {
				y, err := x.apart(ctx, h, s, w, ids, id, o)
				if err != nil {
					return nil, err
				}
				if y == nil {
					alike++
				} else {
					found = append(found, *y)
				}
			}
			if alike < alikeMotes {
				continue
			}
			slices.SortStableFunc(found, func(a, b odd) int { return a.paths - b.paths })
			for i := range found {
				y := found[i].sight()
				y.world, y.from = w, &job.Moment{Mote: found[i].first.Mote, Cycle: found[i].first.Start}
				if !x.about.Scenario {
					y.Severity = findings.Low
				}
				o.sights = append(o.sights, y)
			}
		}
		return o, nil
	}
}

// apart is what one mote does that the others do not; nil for nothing.
func (x *hunt) apart(ctx context.Context, h job.Host, s slice, w job.World, ids []int, id int, o *outcome) (*odd, error) {
	learn := job.NewModelMine(x.File)
	learn.World, learn.Force, learn.Models, learn.Node = w, true, filepath.Join(s.out, "models.json"), nil
	for _, other := range ids {
		if other != id {
			learn.Node = append(learn.Node, strconv.Itoa(other))
		}
	}
	mined, err := learn.Do(ctx, h)
	if err != nil {
		return nil, err
	}
	o.events += 1 + uint64(mined.Builds[0].Document.TimeS*perSecond)
	var y *odd
	for again := range 2 {
		hold := job.NewModelVerify(learn.Models, x.File)
		hold.World, hold.Node = w, []string{strconv.Itoa(id)}
		if again > 0 {
			seed := s.seed + 1
			hold.Seed = &seed
		}
		got, err := hold.Do(ctx, h)
		if err != nil {
			return nil, err
		}
		d := got.Builds[0].Document
		o.events += 1 + uint64(d.TimeS*perSecond)
		paths := slices.DeleteFunc(d.Violations, func(v *document.VerifiedViolation) bool {
			return v.Kind != behavior.ProcedureViolation || v.Leaves == nil
		})
		switch {
		case len(paths) == 0:
			return nil, nil
		case again == 0:
			y = &odd{paths[0], len(paths), len(ids)}
		case !slices.ContainsFunc(paths, func(v *document.VerifiedViolation) bool { return v.ID == y.first.ID }):
			return nil, nil // chance
		}
	}
	if ctx.Err() != nil {
		return nil, job.ErrInterrupted
	}
	return y, nil
}

// sight is an odd mote as a finding. The runs are the proof: they are the same every time.
func (y *odd) sight() sight {
	v := y.first
	at := decides(v)
	s := sight{unproven: true, weak: true}
	s.Modelled = v
	s.Property, s.Kind, s.Mote = "another path", v.Kind, v.Mote
	s.Function, s.File, s.Line = at.Function, at.File, at.Line
	s.Grade, s.Severity, s.Confidence = findings.Difference, findings.Medium, findings.Possible
	if y.paths > 1 {
		s.Severity = findings.Low // it rather has another part in the network
	}
	s.Detail = left(v.Leaves)
	s.Title = fmt.Sprintf("Mote %d takes a path at interrupt %s that none of %d other motes with the same firmware takes, in %s: %s", v.Mote, v.VectorName, y.motes-1,
		document.PlaceText(at.Function, at.File, at.Line), s.Detail)
	s.Why = "it shows in runs with two seeds; whether this mote is meant to be different is not known"
	return s
}

// left says where a path leaves those that are known.
func left(l *behavior.Leave) string {
	does, usual := "nothing follows", "nothing follows"
	if l.Got != nil {
		does = l.Got.Function + " follows"
	}
	if l.Expected != nil {
		usual = l.Expected.Function + " does"
	}
	after := "first"
	if l.After != nil {
		after = "after " + l.After.Function
	}
	return fmt.Sprintf("%s in %s, %s; elsewhere %s", after, l.In.Function, does, usual)
}

// decides is the function that calls what is unexpected; or the one in which something is missing.
func decides(v *document.VerifiedViolation) behavior.PathFunction {
	l := v.Leaves
	if l.Got == nil {
		return l.In
	}
	caller := l.In
	for _, f := range v.Functions {
		if f == *l.Got {
			break
		}
		if f.Layer == l.Got.Layer-1 {
			caller = f
		}
	}
	return caller
}

// groups are the builds that enough motes run to compare these with each other.
func groups(builds []document.Built) (list []document.Built) {
	for _, b := range builds {
		if len(b.Motes) >= fewestMotes {
			list = append(list, b)
		}
	}
	return list
}
