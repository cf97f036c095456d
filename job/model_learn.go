package job

import (
	"context"
	"errors"
	"fmt"
	"motehound/observe/calltree"

	"motehound/job/document"
	"motehound/job/phrase"
	"motehound/study/behavior"
	"motehound/study/builds"
	"motehound/study/verdict"
	"motehound/world"
	"motehound/world/recipe"
)

// mostRuns is how many runs --until-stable makes if --runs says nothing.
const mostRuns = 50

// usualDepth is the depth if the user gives none: the application's own code, where that can be told from its system's.
func (f *ModelMine) usualDepth(of *builds.Build) behavior.Depth {
	if f.Trace == "" && len(f.filter().Include) == 0 && of.Kind.Image.HasLibrary() {
		return behavior.AppDepth
	}
	return 2 * 3
}

// howMany is how many runs are made at most.
func (f *ModelMine) howMany() (int, error) {
	switch {
	case f.Runs != nil && *f.Runs < 1:
		return 0, fmt.Errorf("--runs %d: give 1 or more", *f.Runs)
	case f.UntilStable < 0:
		return 0, fmt.Errorf("--until-stable %d: give 1 or more", f.UntilStable)
	case f.Trace != "" && (f.Runs != nil && *f.Runs > 1 || f.UntilStable > 0):
		return 0, errors.New("--trace is one run from the field: --runs and --until-stable need runs in the emulator")
	case f.UntilStable > 0 && f.Runs == nil:
		return max(mostRuns, f.UntilStable+1), nil
	case f.Runs == nil:
		return 1, nil
	}
	return *f.Runs, nil
}

// both tells a miner of a run, and a verifier that knows the runs before it.
type both struct {
	*behavior.Miner
	v *behavior.Verifier // nil in the first run
}

func (b both) Take(x calltree.Instance) {
	b.Miner.Take(x)
	if b.v != nil {
		b.v.Take(x)
	}
}

func (b both) Touch(t calltree.Touch) {
	b.Miner.Touch(t)
	if b.v != nil {
		b.v.Touch(t)
	}
}

func (b both) NoData() {
	b.Miner.NoData()
	if b.v != nil {
		b.v.NoData()
	}
}

// errNoProcedure says that there is nothing to make models of.
var errNoProcedure = errors.New("no event procedure ended")

// learn makes runs until the last ones have nothing new, each held to those before it.
func (f *ModelMine) learn(ctx context.Context, rec *recipe.Recipe, w *world.World, of *builds.Build, miner *behavior.Miner, doc *document.MinedModels, h Host) error {
	most, err := f.howMany()
	if err != nil {
		return err
	}
	var mined []behavior.MinedVector
	for doc.Runs < most && (doc.Runs == 0 || ctx.Err() == nil) && (f.UntilStable == 0 || doc.Stable < f.UntilStable) {
		r := *rec
		if r.Seed += uint64(doc.Runs); doc.Runs > 0 {
			if w, err = r.World(OpenFirmware); err != nil {
				return err
			}
		}
		to := both{Miner: miner}
		if doc.File != nil && f.UntilStable > 0 {
			if to.v, err = behavior.NewVerifier(miner.Cast.Book, doc.File, nil); err != nil {
				return err
			}
		}
		if err := f.observe(ctx, &r, w, of, miner.Cast.Book, f.filter(), h, to); err != nil {
			return err
		}
		if doc.Runs++; to.v != nil {
			violations, news := to.v.Finish()
			if doc.Stable++; len(violations)+len(news) > 0 {
				doc.Stable = 0
			}
			h.note("run %d, seed %d: %s new", doc.Runs, r.Seed, phrase.Grouped(uint64(len(violations)+len(news))))
			for _, x := range violations {
				if x.Kind == behavior.UnansweredViolation {
					h.note("seed %d: on mote %d %s is called, and %s never answers; approve this run only if that is correct", r.Seed,
						w.Motes()[x.Mote].ID(), x.Request.Call, x.Request.Answer)
				}
			}
		}
		h.doing("looking for job flows")
		var ok bool
		mined, ok = Awaited(h.Patience(ctx), miner.Finish)
		h.done()
		if !ok || len(mined) == 0 && ctx.Err() != nil {
			return verdict.ErrInterrupted
		}
		if len(mined) == 0 {
			return fmt.Errorf("%w in %v: run longer (--time), or look at other motes (--node)", errNoProcedure, f.time())
		}
		f.describe(doc, miner, mined, w, of)
	}
	if f.UntilStable > 0 && doc.Stable < f.UntilStable {
		h.note("not stable: only the last %d of %d runs had nothing new; make more runs (--runs), or use a smaller --depth", doc.Stable, doc.Runs)
	}
	return nil
}

// describe puts what was mined into the document.
func (f *ModelMine) describe(doc *document.MinedModels, miner *behavior.Miner, mined []behavior.MinedVector, w *world.World, of *builds.Build) {
	im := of.Kind.Image
	if f.Trace == "" {
		doc.TimeS, doc.Hash = float64(w.Now())/world.Second, w.Hash().String()
	}
	doc.File = miner.FileOf(mined, behavior.Source{Firmware: im.Path, SHA256: fmt.Sprintf("%x", im.Hash), Filter: f.filter(),
		VectorName: VectorName(of.Kind.Board.Chip), MoteID: func(i int) int { return int(w.Motes()[i].ID()) }})
	doc.Rivals = doc.Rivals[:0]
	for _, v := range mined {
		for _, r := range v.Rivals {
			doc.Rivals = append(doc.Rivals, document.RivalFlow{Vector: v.Vector, Models: miner.Cast.Names(r.Pattern), Count: r.Count, Share: r.Share})
		}
	}
}
