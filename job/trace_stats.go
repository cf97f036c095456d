package job

import (
	"motehound/job/document"
	"motehound/study/fieldtrace/narrative"
)

// TraceStats asks what is in a log.
type TraceStats struct {
	Log
	Trace string `json:"trace"` // the file of the log
	Top   int    `json:"top"`   // how many procedures to list; 0 for all
}

// NewTraceStats is the usual request for a log.
func NewTraceStats(trace string) TraceStats {
	return TraceStats{Log: Log{Layout: UsualLayout}, Trace: trace, Top: 20}
}

// Do counts.
func (f TraceStats) Do(h Host) (*document.TraceStats, error) {
	log, teller, err := f.Open(f.Trace, h)
	if err != nil {
		return nil, err
	}
	c := teller.Count(log)
	s := &document.TraceStats{Pages: c.Pages, Bytes: c.Bytes, Boots: c.Boots, Seconds: c.Seconds, Events: c.Events, Lost: c.Lost, Gaps: c.Gaps,
		Faults: c.Faults, Raw: c.Raw}
	if c.Raw > 0 {
		s.Savings = 100 * (1 - float64(c.Bytes)/float64(c.Raw))
	}
	for i, p := range c.Procs {
		if f.Top > 0 && i == f.Top {
			break
		}
		s.Procedures = append(s.Procedures, procStats(teller, p))
	}
	return s, nil
}

func procStats(t *narrative.Teller, p narrative.ProcCount) document.TracedProcedure {
	x := document.TracedProcedure{Proc: p.Proc, Name: p.Name, Calls: p.Calls, Rounds: p.Rounds, Paths: len(p.Paths)}
	most := uint64(0)
	for path, n := range p.Paths {
		if n > most || n == most && path < x.Most {
			x.Most, most = path, n
		}
	}
	x.Lines = t.Lines(x.Proc, x.Most)
	return x
}
