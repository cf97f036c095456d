package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/pflag"

	"motehound/show/report"
	"motehound/study/fieldtrace/field"
	"motehound/study/mining"
	"motehound/study/outlier"
	"motehound/world"
	"motehound/world/recipe"
)

// fieldFlags are those of commands that can take what a mote in the field has recorded instead of running its firmware.
type fieldFlags struct {
	logFlags
	trace string
}

func (f *fieldFlags) register(fl *pflag.FlagSet) {
	fl.StringVar(&f.trace, "trace", "", "use this `log` of a mote instead of a run (docs/tracing.md)")
	f.logFlags.register(fl)
}

// source opens the log of one of some motes, whose firmware it must be of; nil means all motes.
func (f *fieldFlags) source(rec *recipe.Recipe, w *world.World, motes []int, term *terminal) (*field.Source, error) {
	log, teller, err := f.open(f.trace, term)
	if err != nil {
		return nil, err
	}
	if f.read == nil {
		return nil, errors.New("--trace needs the map of the firmware: give --trace-map")
	}
	of, err := tracedMote(w, motes)
	if err != nil {
		return nil, err
	}
	if err := f.matches(foundBeside(rec, rec.Motes[of].Firmware), ""); err != nil {
		return nil, err
	}
	m := w.Motes()[of]
	return &field.Source{Log: log, Teller: teller, Mote: of, Hertz: m.Hertz(), Vector: vectorName(m.Chip())}, nil
}

// tracedMote is the one mote that a log is of.
func tracedMote(w *world.World, motes []int) (int, error) {
	switch {
	case len(motes) == 1:
		return motes[0], nil
	case len(motes) == 0 && len(w.Motes()) == 1:
		return 0, nil
	}
	return 0, errors.New("--trace is the log of one mote: choose it with --node, or give its firmware")
}

// instances gives the trace's instances to those who make and verify models.
func (f *fieldFlags) instances(rec *recipe.Recipe, w *world.World, motes []int, book *callBook, term *terminal, take func(callInstance)) error {
	s, err := f.source(rec, w, motes, term)
	if err != nil {
		return err
	}
	term.note("from a trace: trees have only the traced procedures and their paths, and cycles give only the order")
	return s.Instances(book, take)
}

// mineTrace is mine for a trace.
func (f *mineFlags) mineTrace(names []string, detector outlier.Detector, term *terminal) error {
	if f.html != "" || f.runs != 1 || f.sweeps != nil || f.tasks != nil || f.pool != poolAll || len(names) != 1 {
		return errors.New("--html, --runs, --sweep, --task, --pool and several files are for runs, not for --trace")
	}
	rec, w, _, err := f.world(names[0], term)
	if err != nil {
		return err
	}
	motes, err := chosenMotes(w, f.node)
	if err != nil {
		return err
	}
	s, err := f.field.source(rec, w, motes, term)
	if err != nil {
		return err
	}
	of, err := tracedMote(w, motes)
	if err != nil {
		return err
	}
	m := minedBuild{name: rec.Motes[of].Firmware, chip: w.Motes()[of].Chip()}
	skip := f.skip
	switch timed := s.Log.Clock > 1; {
	case !timed && skip > 0:
		return errors.New("--skip: the log has no times, because the firmware has no MH_TRACE_CLOCK (docs/tracing.md)")
	case !timed:
		skip = 0
	case skip < 0:
		skip = 2 * time.Second
	}
	if err := s.Harvest(&m.crop, w.Motes()[of].ID(), uint64(skip.Seconds()*float64(s.Hertz))); err != nil {
		return err
	}
	term.note("from a trace: counters count paths of procedures, not instructions; cycles give only the order")
	vectors, err := f.wantedVectors(&m)
	if err != nil {
		return err
	}
	docs, err := f.rankTrace(&m, s, vectors, detector)
	if err != nil {
		return err
	}
	return f.print(term, docs)
}

// wantedVectors is the interrupts to rank, of those that the trace has.
func (f *mineFlags) wantedVectors(m *minedBuild) (wanted []uint16, err error) {
	if f.vectors == nil {
		if wanted = f.chosen(m); len(wanted) == 0 {
			return nil, errors.New("the trace has no complete event-handling interval")
		}
		return wanted, nil
	}
	has := m.crop.Vectors()
	for _, text := range f.vectors {
		v, err := vectorNumber(m.chip, "vector", text)
		if err != nil {
			return nil, err
		}
		for _, x := range has {
			if x == uint16(v) {
				wanted = append(wanted, x)
			}
		}
	}
	if len(wanted) == 0 {
		return nil, fmt.Errorf("--vector: not in the trace, which has %s", list(has, vectorName(m.chip)))
	}
	return wanted, nil
}

// rankTrace ranks intervals. A trace has no data: whether some was lost is not known, and nothing stands out for that.
func (f *mineFlags) rankTrace(m *minedBuild, s *field.Source, vectors []uint16, detector outlier.Detector) (docs []*report.Mine, err error) {
	for _, v := range vectors {
		ranking, err := m.crop.RankFirst(v, detector, max(f.top, 1), f.listed())
		if err != nil {
			return nil, err
		}
		doc := report.MineOf(ranking, m.chip, []report.MinedRun{}, f.top, s.Teller.Task)
		doc.Firmware = m.name
		if ranking.Verdict == mining.Unknown {
			doc.Says = fmt.Sprintf("%d of them are unusual. A trace has no data, so it is not known whether data was lost.", ranking.Unusual)
		}
		doc.Judge()
		docs = append(docs, doc)
	}
	return docs, nil
}
