package main

import (
	"fmt"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"

	"motehound/job/document"
	"motehound/job/phrase"
	"motehound/study/fieldtrace/narrative"
)

// traceStatsFlags are the flags of trace stats.
type traceStatsFlags struct {
	logFlags
	top   int
	json  bool
	quiet bool
}

func traceStatsCommand() *cobra.Command {
	var f traceStatsFlags
	cmd := &cobra.Command{
		Use:   "stats [flags] LOG",
		Short: "Count what is in a mote's trace: procedures, paths, gaps, and how well it was compressed",
		Args:  exactlyOne("log", "trace.bin"),
		RunE:  func(cmd *cobra.Command, args []string) error { return f.stats(args[0]) },
	}
	fl := cmd.Flags()
	f.register(fl)
	fl.IntVar(&f.top, "top", 20, about("top"))
	fl.BoolVar(&f.json, "json", false, about("json"))
	fl.BoolVarP(&f.quiet, "quiet", "q", false, about("quiet"))
	return cmd
}

// traceStats is what trace stats prints.
type traceStats struct {
	Pages      int         `json:"pages"`
	Bytes      int         `json:"bytes"`
	Boots      int         `json:"boots"`
	Seconds    float64     `json:"time_s"`
	Events     uint64      `json:"events"`
	Lost       uint64      `json:"lost"`
	Gaps       int         `json:"gaps"`
	Faults     int         `json:"faults"`
	Raw        uint64      `json:"uncompressed_bytes"`
	Savings    float64     `json:"savings_percent"`
	Procedures []traceProc `json:"procedures"`
}

type traceProc struct {
	Proc   uint16 `json:"proc"`
	Name   string `json:"name"`
	Calls  uint64 `json:"calls"`
	Rounds uint64 `json:"rounds"`
	Paths  int    `json:"paths"`
	// Most is the path that it took most often.
	Most  uint16 `json:"most"`
	Lines string `json:"lines,omitempty"`
}

func (f *traceStatsFlags) stats(name string) error {
	term := newTerminal(f.json, f.quiet, nil)
	log, teller, err := f.Open(name, term.host())
	if err != nil {
		return err
	}
	c := teller.Count(log)
	s := traceStats{Pages: c.Pages, Bytes: c.Bytes, Boots: c.Boots, Seconds: c.Seconds, Events: c.Events, Lost: c.Lost, Gaps: c.Gaps,
		Faults: c.Faults, Raw: c.Raw}
	if c.Raw > 0 {
		s.Savings = 100 * (1 - float64(c.Bytes)/float64(c.Raw))
	}
	for i, p := range c.Procs {
		if f.top > 0 && i == f.top {
			break
		}
		s.Procedures = append(s.Procedures, procStats(teller, p))
	}
	if f.json {
		return document.Write(stdout, s)
	}
	s.print()
	return nil
}

func procStats(t *narrative.Teller, p narrative.ProcCount) traceProc {
	x := traceProc{Proc: p.Proc, Name: p.Name, Calls: p.Calls, Rounds: p.Rounds, Paths: len(p.Paths)}
	most := uint64(0)
	for path, n := range p.Paths {
		if n > most || n == most && path < x.Most {
			x.Most, most = path, n
		}
	}
	x.Lines = t.Lines(x.Proc, x.Most)
	return x
}

func (s *traceStats) print() {
	fmt.Fprintf(stdout, "%d pages, %s bytes, %d boots, %.1f s\n", s.Pages, phrase.Grouped(uint64(s.Bytes)), s.Boots, s.Seconds)
	fmt.Fprintf(stdout, "%s events, %s bytes without compression: %.1f %% saved\n", phrase.Grouped(s.Events), phrase.Grouped(s.Raw), s.Savings)
	fmt.Fprintf(stdout, "%d gaps, %s events lost by the mote, %d faults\n\n", s.Gaps, phrase.Grouped(s.Lost), s.Faults)
	t := table.NewWriter()
	t.SetOutputMirror(stdout)
	style := table.StyleLight
	style.Options = table.OptionsNoBordersAndSeparators
	style.Format.Header = text.FormatDefault
	t.SetStyle(style)
	t.AppendHeader(table.Row{"procedure", "calls", "rounds", "paths", "most often", "lines"})
	for _, p := range s.Procedures {
		t.AppendRow(table.Row{p.Name, phrase.Grouped(p.Calls), phrase.Grouped(p.Rounds), p.Paths, p.Most, p.Lines})
	}
	t.Render()
}
