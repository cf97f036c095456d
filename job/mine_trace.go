package job

import (
	"errors"
	"fmt"
	"time"

	"motehound/job/document"
	"motehound/job/phrase"
	"motehound/study/mining"
	"motehound/study/outlier"
)

// mineTrace is mine for a trace.
func (f *Mine) mineTrace(detector outlier.Detector, h Host) (*Mined, error) {
	if f.Page || f.Runs != 1 || f.Sweeps != nil || f.Tasks != nil || f.Pool != PoolAll || len(f.Files) != 1 {
		return nil, errors.New("--html, --runs, --sweep, --task, --pool and several files are for runs, not for --trace")
	}
	rec, w, _, err := f.Make(f.Files[0], h)
	if err != nil {
		return nil, err
	}
	motes, err := ChosenMotes(w, f.Node)
	if err != nil {
		return nil, err
	}
	s, err := f.Source(rec, w, motes, h)
	if err != nil {
		return nil, err
	}
	of, err := tracedMote(w, motes)
	if err != nil {
		return nil, err
	}
	m := &MinedBuild{Name: rec.Motes[of].Firmware, Chip: w.Motes()[of].Chip(), Task: s.Teller.Task}
	skip := f.Skip
	switch timed := s.Log.Clock > 1; {
	case !timed && skip > 0:
		return nil, errors.New("--skip: the log has no times, because the firmware has no MH_TRACE_CLOCK (docs/tracing.md)")
	case !timed:
		skip = 0
	case skip < 0:
		skip = 2 * time.Second
	}
	if err := s.Collect(&m.Collection, w.Motes()[of].ID(), uint64(skip.Seconds()*float64(s.Hertz))); err != nil {
		return nil, err
	}
	h.note("from a trace: counters count paths of procedures, not instructions; cycles give only the order")
	vectors, err := f.wantedVectors(m)
	if err != nil {
		return nil, err
	}
	docs, err := f.rankTrace(m, vectors, detector)
	if err != nil {
		return nil, err
	}
	return &Mined{Document: document.Rankings{Rankings: docs}}, nil
}

// wantedVectors is the interrupts to rank, of those that the trace has.
func (f *Mine) wantedVectors(m *MinedBuild) (wanted []uint16, err error) {
	if f.Vectors == nil {
		if wanted = f.chosen(m); len(wanted) == 0 {
			return nil, errors.New("the trace has no complete event-handling interval")
		}
		return wanted, nil
	}
	has := m.Collection.Vectors()
	for _, text := range f.Vectors {
		v, err := VectorNumber(m.Chip, "vector", text)
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
		return nil, fmt.Errorf("--vector: not in the trace, which has %s", phrase.List(has, VectorName(m.Chip)))
	}
	return wanted, nil
}

// rankTrace ranks intervals. A trace has no data: whether some was lost is not known, and nothing stands out for that.
func (f *Mine) rankTrace(m *MinedBuild, vectors []uint16, detector outlier.Detector) (docs []*document.Mine, err error) {
	for _, v := range vectors {
		ranking, err := m.Collection.RankFirst(v, detector, max(f.Top, 1), f.listed(), false)
		if err != nil {
			return nil, err
		}
		doc := document.MineOf(ranking, m.Chip, []document.MinedRun{}, f.Top, m.Task)
		doc.Firmware = m.Name
		if ranking.Verdict == mining.Unknown {
			doc.Says = fmt.Sprintf("%d of them are unusual. A trace has no data, so it is not known whether data was lost.", ranking.Unusual)
		}
		doc.Judge()
		docs = append(docs, doc)
	}
	return docs, nil
}
