package workbench

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"motehound/job"
	"motehound/job/document"
	"motehound/show/report"
)

// fieldTrace asks for what a traced mote has recorded: a log of the working folder, or that of an emulated mote.
type fieldTrace struct{ job.TracePull }

// mostLines is how many lines of a log are shown: the last ones.
const mostLines = 20_000

// decoded is a log that was read.
type decoded struct {
	stats *document.TraceStats
	page  *decodedDoc
}

// decodedDoc is what the pane of a field trace shows.
type decodedDoc struct {
	Stats   *document.TraceStats `json:"stats"`
	Lines   []document.TraceLine `json:"lines"` // the last ones
	Left    int                  `json:"left"`  // lines before those
	Files   map[string][]string  `json:"files"` // through which a procedure leads, by its name
	Sources []report.Source      `json:"sources"`
}

func newFieldTrace() fieldTrace {
	f := fieldTrace{job.NewTracePull("")}
	f.Flash = true
	return f
}

func traceCommand() command {
	return commandOf("trace", newFieldTrace, allowTrace, fieldTrace.Do, func(s *Server, f *fieldTrace, r *decoded) (doc, page any) {
		r.page.sources(s, f.File)
		return r.stats, r.page
	})
}

func allowTrace(s *Server, f *fieldTrace, out string) error {
	if err := local(map[string]string{"device": f.Device, "tcp": f.TCP}); err != nil {
		return err
	}
	f.Output = filepath.Join(out, "trace.bin")
	if f.Map != "" {
		if err := s.may(f.Map); err != nil {
			return err
		}
	}
	return s.world(&f.World, f.File)
}

// Do reads the log. Of firmware or a scenario it is made first.
func (f fieldTrace) Do(ctx context.Context, h job.Host) (*decoded, error) {
	trace := f.File
	if !isLog(f.File) {
		trace = f.Output
		if _, err := f.TracePull.Do(ctx, h); err != nil {
			return nil, err
		}
	}
	if f.Map == "" {
		f.Map = mapBeside(f.File)
	}
	stats := job.NewTraceStats(trace)
	stats.Map, stats.Layout, stats.Top = f.Map, f.Layout, 0
	counted, err := stats.Do(h)
	if err != nil {
		return nil, err
	}
	asked := job.NewTraceDecode(trace)
	asked.Map, asked.Layout = f.Map, f.Layout
	lines, err := asked.Do(job.Host{})
	if err != nil {
		return nil, err
	}
	x := &decoded{counted, &decodedDoc{Stats: counted, Lines: []document.TraceLine{}, Files: map[string][]string{}, Sources: []report.Source{}}}
	if err := lines.Each(ctx, func(l document.TraceLine) error { x.page.add(&l, lines); return nil }); err != nil {
		return nil, err
	}
	return x, nil
}

// add takes in a line. Those that are too many at the beginning go.
func (d *decodedDoc) add(l *document.TraceLine, from *job.Decoding) {
	if d.Lines = append(d.Lines, *l); len(d.Lines) == 2*mostLines {
		d.Lines = slices.Delete(d.Lines, 0, mostLines)
		d.Left += mostLines
	}
	if l.Proc != nil && d.Files[l.Name] == nil {
		d.Files[l.Name] = append([]string{}, from.Files(*l.Proc)...)
	}
}

// sources finds the source files.
func (d *decodedDoc) sources(s *Server, firmware string) {
	if name, ok := strings.CutPrefix(firmware, job.ExamplePrefix); ok {
		firmware = filepath.Join("examples", "elf", name) // where their sources are looked for
	}
	var known []string
	for _, list := range d.Files {
		known = append(known, list...)
	}
	slices.Sort(known)
	for _, file := range slices.Compact(known) {
		d.Sources = append(d.Sources, report.FindSource(file, firmware, s.readSource))
	}
}

// isLog reports whether a file is the log of a mote, rather than something that can be run.
func isLog(file string) bool {
	if strings.HasPrefix(file, job.ExamplePrefix) {
		return false
	}
	return strings.HasSuffix(file, logEnding)
}

// logEnding is how the names of logs end.
const logEnding = ".bin"

// mapBeside is the map of traced firmware, if it can be found; else "".
func mapBeside(firmware string) string {
	if strings.HasPrefix(firmware, job.ExamplePrefix) {
		return firmware
	}
	if path := strings.TrimSuffix(firmware, filepath.Ext(firmware)) + ".map.json"; exists(path) {
		return path
	}
	return ""
}
