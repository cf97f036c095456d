package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/pflag"

	"motehound/show/report"
	"motehound/study/behavior"
	"motehound/study/harvest"
	"motehound/study/pathtrace/field"
	"motehound/study/symptom"
	"motehound/world"
	"motehound/world/recipe"
)

// fieldFlags are those of commands that can take what a mote in the field has recorded instead of running its firmware.
type fieldFlags struct {
	logFlags
	trace string
}

func (f *fieldFlags) register(fl *pflag.FlagSet) {
	fl.StringVar(&f.trace, "trace", "", "run nothing, and take this `log` of a mote with this firmware (docs/tracing.md)")
	f.logFlags.register(fl)
}

// source opens the log, for a firmware that it must be of.
func (f *fieldFlags) source(rec *recipe.Recipe, w *world.World, term *terminal) (*field.Source, error) {
	log, teller, err := f.open(f.trace, term)
	if err != nil {
		return nil, err
	}
	if f.read == nil {
		return nil, errors.New("--trace needs the map of the firmware: give --map")
	}
	if len(rec.Motes) != 1 {
		return nil, errors.New("--trace is of one mote: give its firmware")
	}
	if err := f.matches(rec.Motes[0].Firmware, ""); err != nil {
		return nil, err
	}
	m := w.Motes()[0]
	return &field.Source{Log: log, Teller: teller, Hertz: m.Hertz(), Vector: vectorName(m.Chip())}, nil
}

// instances gives the trace's instances to those who make and verify models.
func (f *fieldFlags) instances(rec *recipe.Recipe, w *world.World, book *behavior.Book, term *terminal, take func(behavior.Instance)) error {
	s, err := f.source(rec, w, term)
	if err != nil {
		return err
	}
	term.note("from a trace: trees have the traced procedures only, with the paths that they took, and cycles say the order")
	return s.Instances(book, take)
}

// mineTrace is mine for a trace.
func (f *mineFlags) mineTrace(names []string, detector symptom.Detector, term *terminal) error {
	if f.html != "" || f.runs != 1 || f.sweeps != nil || f.tasks != nil || f.pool != poolAll || len(names) != 1 {
		return errors.New("--html, --runs, --sweep, --task, --pool and several files are for runs, not for --trace")
	}
	rec, w, _, err := f.world(names[0], term)
	if err != nil {
		return err
	}
	s, err := f.field.source(rec, w, term)
	if err != nil {
		return err
	}
	m := minedBuild{name: names[0], chip: w.Motes()[0].Chip()}
	skip := f.skip
	switch timed := s.Log.Clock > 1; {
	case !timed && skip > 0:
		return errors.New("--skip: the log has no times, since the firmware has no MH_TRACE_CLOCK (docs/tracing.md)")
	case !timed:
		skip = 0
	case skip < 0:
		skip = 2 * time.Second
	}
	if err := s.Harvest(&m.crop, uint64(skip.Seconds()*float64(s.Hertz))); err != nil {
		return err
	}
	for i := range m.crop.Intervals {
		m.crop.Intervals[i].ID = w.Motes()[0].ID()
	}
	term.note("from a trace: what is counted is how often procedures took their paths, not instructions; cycles say the order")
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
			return nil, errors.New("the trace has no event-handling interval that ended")
		}
		return wanted, nil
	}
	has := m.crop.Vectors()
	for _, text := range f.vectors {
		v, err := m.chip.Vector(text)
		if err != nil {
			return nil, fmt.Errorf("--vector: %w", err)
		}
		for _, x := range has {
			if x == uint16(v) {
				wanted = append(wanted, x)
			}
		}
	}
	if len(wanted) == 0 {
		return nil, fmt.Errorf("--vector: the trace has none of them, but %s", list(has, vectorName(m.chip)))
	}
	return wanted, nil
}

// rankTrace ranks intervals. A trace has no data: whether some was lost is not known, and nothing stands out for that.
func (f *mineFlags) rankTrace(m *minedBuild, s *field.Source, vectors []uint16, detector symptom.Detector) (docs []*report.Mine, err error) {
	for _, v := range vectors {
		ranking, err := m.crop.Rank(v, detector, max(f.top, 1))
		if err != nil {
			return nil, err
		}
		doc := report.MineOf(ranking, m.chip, []report.MinedRun{}, f.top, s.Teller.Task)
		doc.Firmware = m.name
		if ranking.Verdict == harvest.Unknown {
			doc.Says = fmt.Sprintf("%d of them are unusual. A trace has no data: whether some was lost in them is not known.", ranking.Unusual)
		}
		doc.Judge()
		docs = append(docs, doc)
	}
	return docs, nil
}
