package job

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	life "motehound/firmware/kernel"
	"motehound/job/document"
	"motehound/job/phrase"
	"motehound/mote/mcu"
	"motehound/study/property"
	"motehound/study/property/builtin"
	"motehound/study/property/kernel"
	"motehound/study/property/memory"
	"motehound/world"
	"motehound/world/recipe"
	"motehound/world/scenario"
)

// Guard says what the built-in checks report of a timed run.
type Guard struct {
	NoChecks   bool `json:"no_checks,omitempty"`   // nothing: it is faster
	FullChecks bool `json:"full_checks,omitempty"` // memory to the end, however long that takes
	Watchdog   bool `json:"watchdog,omitempty"`    // also resets by the watchdog
}

// guarded is the instructions of a run, of all motes together, that the memory checks look at: it takes them some seconds. The number does
// not depend on the host, so that a run has the same findings everywhere.
const guarded = 400_000_000

// guard is the built-in checks of a timed run; nil for none.
type guard struct {
	w     *world.World
	watch *builtin.Watch
	note  func(format string, args ...any)
	limit uint64 // of instructions
	ended uint64 // when the memory checks were ended; 0 for never
	opt   *property.Options
	// Resets by the watchdog are only counted: a program may want to be reset.
	counts bool
	resets []string
}

// attach puts the checks into a world that has not run yet. The scenario may be nil.
func (g *Guard) attach(rec *recipe.Recipe, w *world.World, sc *scenario.Scenario, h Host) (*guard, error) {
	if g.NoChecks {
		return nil, nil
	}
	opt, err := ChecksOf(rec, w.Config())
	if err != nil {
		return nil, err
	}
	plan, err := property.Prepare(w.Config(), sc, opt)
	if err != nil {
		return nil, err
	}
	x := &guard{w: w, watch: plan.Guard(w), note: h.note, limit: guarded, opt: &opt, counts: !g.Watchdog && !sc.Reports(scenario.Optional.Watchdog)}
	if g.FullChecks {
		x.limit = math.MaxUint64
	}
	return x, nil
}

// look ends the memory checks of a run that is long, while the world runs; also is what else is called then.
func (g *guard) look(also func(now uint64)) func(now uint64) {
	if g == nil {
		return also
	}
	return func(now uint64) {
		if g.ended == 0 && g.instructions() > g.limit {
			memory.End(g.w)
			g.ended = now
			g.note("memory checks are off from %s on, after %s instructions: they take time; --full-checks keeps them on", phrase.Seconds(now), phrase.Grouped(g.limit))
		}
		if also != nil {
			also(now)
		}
	}
}

func (g *guard) instructions() (sum uint64) {
	for _, m := range g.w.Motes() {
		sum += m.Core().Instructions
	}
	return sum
}

// answer puts what was found into the document, in the order of time.
func (g *guard) answer(doc *document.Run) {
	if g == nil {
		return
	}
	all := g.watch.Findings()
	slices.SortStableFunc(all, func(a, b builtin.Finding) int { return cmp.Compare(a.At, b.At) })
	for _, x := range all {
		if x.Kind == kernel.Halted && g.w.Motes()[x.Mote].Stopped() == mcu.StopDeadSleep {
			continue // how the run ended is told anyway, and programs may end so on purpose
		}
		if x.Kind == kernel.DeadSleep && g.hasKernel(x.Mote) {
			g.note("mote %d sleeps for ever from %s on: no interrupt that could wake it is enabled", g.w.Motes()[x.Mote].ID(), phrase.Seconds(x.At))
			continue // the same
		}
		v := x.Violation()
		if g.counts && v.Property == scenario.Optional.Watchdog {
			g.reset(&x)
			continue
		}
		y := document.RunFinding{Property: v.Property, Mote: g.w.Motes()[x.Mote].ID(), Detail: v.Detail, TimeS: float64(x.At) / world.Second, TimePS: x.At,
			Cycle: x.Cycle, Count: x.Count, Place: document.Place{Function: v.Function, File: v.File, Line: v.Line, PC: x.PC}}
		for _, c := range x.Chain {
			y.Calls = append(y.Calls, c.String())
		}
		doc.Findings = append(doc.Findings, y)
	}
}

// hasKernel reports whether the firmware of a mote has a kernel that is known: where nothing is left to do, it is the kernel that goes to sleep.
func (g *guard) hasKernel(mote int) bool {
	k := g.w.Motes()[mote].Kind
	p, err := g.opt.Kernels.Profile(k.Image, k.Program())
	return err == nil && p.Kernel != life.None
}

// reset notes that the watchdog has reset a mote.
func (g *guard) reset(x *builtin.Finding) {
	text := fmt.Sprintf("mote %d was reset by its watchdog %s", g.w.Motes()[x.Mote].ID(), phrase.Counted(x.Count, "time"))
	g.note("%s: --watchdog says where", text)
	g.resets = append(g.resets, text+" (--watchdog reports it)")
}

// leftOut is what was not looked at.
func (g *guard) leftOut() []string {
	if g == nil {
		return []string{"the built-in checks: they were switched off"}
	}
	list := g.resets
	if g.ended != 0 {
		list = append(list, fmt.Sprintf("memory checks from %s on: they are off after %s instructions; --full-checks keeps them on", phrase.Seconds(g.ended),
			phrase.Grouped(g.limit)))
	}
	return list
}
