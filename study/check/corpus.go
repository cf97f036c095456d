package check

import (
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A corpus is lists of made-up inputs that are worth trying again, with other firmware: those that led to promising places, and those that broke something.

// Bounds of a corpus: what takes long to bring is not kept.
const (
	mostListed  = 64   // inputs of a list
	mostLeading = 4000 // events of a way
)

// corpus lists the messages that led to the places of the archives, each list once, in the order in which the places were found.
func (r *runner) corpus() (all [][]MadeInput) {
	f, ok := r.base.(Feeder)
	if !ok || r.guides == nil || r.o.Walk.Inputs == nil {
		return nil
	}
	seen := make(map[string]bool)
	for _, archive := range r.guides.of {
		for _, e := range archive.View().Entries {
			if e.State.length > mostLeading {
				continue
			}
			list := messages(f, e.State.trace())
			if name := NameOfList(list); len(list) > 0 && len(list) <= mostListed && !seen[name] {
				seen[name] = true
				all = append(all, list)
			}
		}
	}
	return all
}

// NameOfList is different for different lists of inputs.
func NameOfList(list []MadeInput) string {
	var b strings.Builder
	for _, in := range list {
		fmt.Fprintf(&b, "%d %d %d %s;", in.Mote, in.Kind, in.Number, hex.EncodeToString(in.Data))
	}
	return b.String()
}

// Refeed brings lists of inputs to a system, one list after the other, each from the state of the system and in the natural order of events, at once and after a
// while. It reports what breaks, and for each list the causes, as texts. Nothing is made short.
func Refeed(base System, lists [][]MadeInput, o Options) (*Report, [][]string, error) {
	if err := o.spread(); err != nil {
		return nil, nil, err
	}
	r := &Report{options: o}
	sys := base.Clone()
	defer sys.Release()
	if c, ok := sys.(Scout); ok {
		c.Scout(true)
	}
	var found catalog
	broken := make([][]string, len(lists))
	for n, list := range lists {
		for _, often := range [...]int{1, 8} {
			w, err := feedAll(sys, list, often, o.Meter, o.Stop)
			if errors.Is(err, errStopped) {
				r.Stopped = true
				break
			}
			if err != nil {
				return nil, nil, err
			}
			o.Meter.walks.Add(1)
			for _, h := range w.hits {
				f := &Finding{Violation: h.Violation, Trace: slices.Clone(w.trace[:h.length]), Before: h.length, Rank: h.rank, Since: h.length, Walk: n + 1, Strain: h.strain}
				f.Inputs = inputsOf(base, f.Trace)
				if err := confirmed(base, f, o.Interrupted); err != nil {
					return nil, nil, err
				}
				if text := f.Tell(base); !f.Harmless && f.Counts() && !slices.Contains(broken[n], text) {
					broken[n] = append(broken[n], text)
				}
				if best, news := found.add(f); news == fresh && o.Found != nil {
					o.Found(best)
				}
			}
		}
	}
	r.Findings, r.Stats = found.list(), o.Meter.Stats()
	return r, broken, nil
}
