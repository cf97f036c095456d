package job

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"motehound/job/document"
	"motehound/job/phrase"
	"motehound/study/explore"
	"motehound/study/symbolic/plan"
	"motehound/world"
	"motehound/world/recipe"
)

// deed is something of a timed recipe that can be left out.
type deed struct {
	at   uint64
	text string
	do   func(*recipe.Recipe) // puts it into a recipe that has those before it
}

// deeds are what a recipe says besides the network, in the order in which it is done. Choices and changed values have no time of their own: they come first.
func deeds(rec *recipe.Recipe) (list []deed) {
	id := func(mote int) uint16 { return rec.Motes[mote].ID }
	for _, p := range rec.Pokes {
		list = append(list, deed{0, fmt.Sprintf("the value 0x%s of an input of mote %d", p.Hex, id(p.Mote)), func(r *recipe.Recipe) { r.Pokes = append(r.Pokes, p) }})
	}
	for _, e := range rec.Edits {
		list = append(list, deed{0, fmt.Sprintf("the value 0x%02x in byte %d of frame %d of mote %d", e.Value, e.Offset, e.Nth+1, id(e.Mote)), func(r *recipe.Recipe) { r.Edits = append(r.Edits, e) }})
	}
	for _, a := range rec.Answers {
		list = append(list, deed{0, fmt.Sprintf("choice %d of mote %d (%s)", a.Number, id(a.Mote), a.Kind), func(r *recipe.Recipe) { r.Answers = append(r.Answers, a) }})
	}
	for _, s := range rec.Serial {
		for i := 0; i+1 < len(s.Hex); i += 2 {
			text := fmt.Sprintf("byte %d of %d (0x%s) for serial line %d of mote %d", i/2+1, len(s.Hex)/2, s.Hex[i:i+2], s.USART, id(s.Mote))
			list = append(list, deed{s.At, text, func(r *recipe.Recipe) {
				if i == 0 {
					r.Serial = append(r.Serial, s)
				}
				r.Serial[len(r.Serial)-1].Hex = s.Hex[:i+2]
			}})
		}
	}
	for _, e := range rec.Events {
		text := fmt.Sprintf("%s at mote %d at %s", strings.ReplaceAll(e.Kind, "_", " "), id(e.Mote), phrase.Seconds(e.At))
		list = append(list, deed{e.At, text, func(r *recipe.Recipe) { r.Events = append(r.Events, e) }})
	}
	slices.SortStableFunc(list, func(a, b deed) int { return cmp.Compare(a.at, b.at) })
	return list
}

// first is the recipe with the first of its deeds.
func first(rec *recipe.Recipe, list []deed) *recipe.Recipe {
	r := *rec
	r.Pokes, r.Edits, r.Answers, r.Serial, r.Events = nil, nil, nil, nil, nil
	for _, d := range list {
		d.do(&r)
	}
	return &r
}

// nearestTimed leaves out what a timed recipe does last, until the run is a good one, and says what makes the difference. Bad tells whether a run is not good.
func nearestTimed(rec *recipe.Recipe, at uint64, mote int, bad func(*recipe.Recipe) (bool, error)) (string, error) {
	list := deeds(rec)
	if len(list) == 0 {
		return "", nil
	}
	if is, err := bad(first(rec, nil)); is || err != nil {
		return "", err
	}
	good, last := 0, len(list)
	for last-good > 1 {
		middle := (good + last) / 2
		is, err := bad(first(rec, list[:middle]))
		if err != nil {
			return "", err
		}
		if is {
			last = middle
		} else {
			good = middle
		}
	}
	text := fmt.Sprintf("it is the same without %s, and without what comes later", list[good].text)
	if mote >= 0 {
		var worlds [2]*world.World
		for i, n := range [...]int{last, good} {
			w, err := first(rec, list[:n]).World(OpenFirmware)
			if err != nil {
				return "", err
			}
			w.RunUntil(at)
			worlds[i] = w
		}
		text += inGood(explore.Changes(worlds[1].Motes()[mote], worlds[0].Motes()[mote].Core().RAM), "")
	}
	return text + "; it was run to its end, and nothing is broken", nil
}

// nearestRan is the nearest good run of a finding of a run, or of a violated property.
func (f *Replay) nearestRan(ctx context.Context, rec *recipe.Recipe, run *document.Run) (string, error) {
	at, mote, known := uint64(0), -1, false
	for _, x := range run.Findings {
		if x.Property == f.Nearest && !known {
			at, known = x.TimePS, true
			mote = slices.IndexFunc(rec.Motes, func(m recipe.Mote) bool { return m.ID == x.Mote })
		}
	}
	for _, v := range run.Violations {
		known = known || v.Property == f.Nearest
	}
	if !known {
		return "", nil
	}
	return nearestTimed(rec, at, mote, func(r *recipe.Recipe) (bool, error) {
		_, doc, err := (&Replay{Guard: f.Guard}).run(ctx, f.Recipe, r, Host{})
		if err != nil {
			return false, err
		}
		return len(doc.Findings) > 0 || len(doc.Violations) > 0, nil
	})
}

// nearestSolved is the nearest good run of a finding of symbolic.
func nearestSolved(ctx context.Context, rec *recipe.Recipe) (string, error) {
	return nearestTimed(rec, rec.Symbolic.At, rec.Symbolic.Mote, func(r *recipe.Recipe) (bool, error) {
		w, err := r.World(OpenFirmware)
		if err != nil {
			return false, err
		}
		sc, err := scenarioOf(r)
		if err != nil {
			return false, err
		}
		return plan.Fails(w, r, sc, func() bool { return ctx.Err() != nil })
	})
}
