package main

import (
	"encoding/hex"
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"motehound/job"
	"motehound/job/document"
	"motehound/job/phrase"
	"motehound/show/report"
)

// summary prints a run for people.
type summary struct {
	to    io.Writer
	doc   *document.Run
	ran   *job.Ran
	quiet bool // only what is wrong
}

func (s *summary) printf(format string, args ...any) { fmt.Fprintf(s.to, format, args...) }

func (s *summary) print() {
	s.findings()
	if !s.quiet {
		s.printf("%s: %.3f s of virtual time in %.3g s, %s\n\n", s.title(), s.doc.TimeS, s.ran.Took.Seconds(),
			phrase.Times(s.doc.Speed))
		s.motes()
		s.lights()
		s.uarts()
		s.energy()
		s.memory()
		s.blocks()
	}
	s.stops()
	s.notices()
	for _, v := range s.doc.Violations {
		s.printf("%s: %q (%s) did not hold at %.3f s; it failed %d times in all%s\n", v.Where, v.Property, v.Kind, v.TimeS, v.Count, onMotes(v.Motes))
	}
	for _, d := range s.doc.Dropped {
		s.printf("%s: %q could not be evaluated, and was dropped: %s\n", d.Where, d.Property, d.Error)
	}
	for _, u := range s.doc.Unmet {
		s.printf("%s: %q (eventually) does not hold at the end; it may hold in a longer run\n", u.Where, u.Property)
	}
}

// title is what ran: the firmware, or where there are several, the scenario that has them.
func (s *summary) title() string {
	if rec := s.doc.Recipe; s.ran.Mixed && len(rec.Scenario) > 0 {
		return rec.Scenario[0].Name
	}
	return s.doc.Recipe.Motes[0].Firmware
}

func onMotes(motes []int) string {
	if len(motes) == 0 {
		return ""
	}
	return fmt.Sprintf(", on motes %v", motes)
}

// verdict says what is known of the scenario's properties.
func (s *summary) verdict() {
	if !s.ran.Judged {
		return
	}
	switch s.doc.Verdict {
	case document.Violated:
		s.printf("violated: %s\n", phrase.Counted(len(s.doc.Findings)+len(s.doc.Violations), "violation"))
	default:
		s.printf("unknown: nothing went wrong in this run\n")
	}
	for _, text := range s.doc.LeftOut {
		s.printf("  left out: %s\n", text)
	}
}

// columns is the width of a chart of lights.
const columns = 64

// table begins a table without lines.
func (s *summary) table() table.Writer {
	t := table.NewWriter()
	t.SetOutputMirror(s.to)
	style := table.StyleLight
	style.Options = table.OptionsNoBordersAndSeparators
	style.Format.Header = text.FormatDefault
	t.SetStyle(style)
	return t
}

// right aligns a column of numbers.
func right(n int) table.ColumnConfig {
	return table.ColumnConfig{Number: n, Align: text.AlignRight, AlignHeader: text.AlignRight}
}

func (s *summary) motes() {
	t := s.table()
	header := table.Row{"mote", "board", "cycles", "instructions", "asleep", "LEDs on", "UART bytes", "frames sent", "heard", "state"}
	if s.ran.Mixed {
		header = append(header, "firmware")
	}
	t.AppendHeader(header)
	t.SetColumnConfigs([]table.ColumnConfig{right(3), right(4), right(5), right(7), right(8), right(9)})
	for i, m := range s.ran.Motes {
		d := s.doc.Motes[i]
		sent := 0
		for _, u := range m.UART {
			sent += len(u.First) + u.Beyond
		}
		row := table.Row{d.ID, d.Board, phrase.Grouped(d.Cycles), phrase.Grouped(d.Instructions),
			fmt.Sprintf("%.2f %%", 100*float64(d.SleepCycles)/float64(max(d.Cycles, 1))), strings.Join(m.On, " "), phrase.Grouped(uint64(sent)),
			phrase.Grouped(uint64(d.FramesSent)), phrase.Grouped(uint64(d.FramesReceived)), m.State}
		if s.ran.Mixed {
			row = append(row, d.Firmware)
		}
		t.AppendRow(row)
	}
	t.Render()
}

func (s *summary) lights() {
	for i, m := range s.ran.Motes {
		if len(m.Changes) == 0 {
			continue
		}
		s.printf("\nLEDs of mote %d: %d changes, a column is %.3g s\n", s.doc.Motes[i].ID, len(m.Changes)+m.Unchanged,
			s.doc.TimeS/columns)
		printChart(s.to, &m, s.ran.Until)
		if m.Unchanged > 0 {
			s.printf("  (the chart has the first %d changes)\n", len(m.Changes))
		}
	}
}

func printChart(to io.Writer, m *job.Shown, until uint64) {
	for led, line := range report.Chart(m.Changes, len(m.LEDs), until, columns) {
		fmt.Fprintf(to, "  %-7s %s\n", m.LEDs[led], line)
	}
}

func (s *summary) uarts() {
	for i, m := range s.ran.Motes {
		for n, u := range m.UART {
			if len(u.First) > 0 {
				s.printf("\nUART %d of mote %d sent %s bytes:\n", n, s.doc.Motes[i].ID, phrase.Grouped(uint64(len(u.First)+u.Beyond)))
				printBytes(s.to, u.First, u.Beyond)
			}
		}
	}
}

// printBytes shows text as text, and anything else in hexadecimal, up to a screenful. Beyond is how many bytes came behind and were not kept.
func printBytes(to io.Writer, b []byte, beyond int) {
	const mostText, mostHex = 2048, 256
	most := mostHex
	if isText(b) {
		most = mostText
	}
	left := len(b) - min(len(b), most)
	b = b[:len(b)-left]
	var shown string
	if most == mostText {
		shown = strings.ReplaceAll(strings.TrimRight(string(b), "\r\n"), "\r", "")
	} else {
		shown = strings.TrimRight(hex.Dump(b), "\n")
	}
	fmt.Fprintf(to, "  %s\n", strings.ReplaceAll(shown, "\n", "\n  "))
	switch {
	case beyond > 0:
		fmt.Fprintf(to, "  (and %s more bytes; --json has the first ones, --serial N=file:OUT has all)\n", phrase.Grouped(uint64(left+beyond)))
	case left > 0:
		fmt.Fprintf(to, "  (and %s more bytes; --json or --serial N=file:OUT has them all)\n", phrase.Grouped(uint64(left)))
	}
}

func isText(b []byte) bool {
	for _, c := range b {
		if c < ' ' && c != '\n' && c != '\r' && c != '\t' || c > '~' {
			return false
		}
	}
	return true
}

// blocks shows what --blocks asks for.
func (s *summary) blocks() {
	const most = 10
	for _, c := range s.doc.Code {
		s.printf("\n%s: %d of %d words are in basic blocks; %d words of functions are not (%.2f %%); %d jumps have unknown targets\n", c.Firmware,
			c.BlockWords, c.ImageWords, c.WithoutWords, 100*float64(c.WithoutWords)/float64(max(c.BlockWords+c.WithoutWords, 1)), c.UnknownJumps)
		s.printf("  %d instructions ran outside of every block\n", len(c.Outside))
		for _, o := range c.Outside[:min(len(c.Outside), most)] {
			s.printf("    %#06x %s, %d times\n", o.PC, o.Function, o.Times)
		}
	}
}

func (s *summary) memory() {
	for _, d := range s.doc.Dump {
		b, err := hex.DecodeString(d.Hex)
		if err != nil {
			panic("BUG: a dump that is not hexadecimal: " + d.Hex)
		}
		s.printf("\nmote %d, %s:\n", d.Mote, d.Name)
		for at := 0; at < len(b); at += 16 {
			s.printf("  %04x  % x\n", int(d.Addr)+at, b[at:min(at+16, len(b))])
		}
	}
	if len(s.doc.Vars) > 0 {
		s.printf("\n")
	}
	for _, v := range s.doc.Vars {
		if v.Error != "" {
			s.printf("mote %d, %s: %s\n", v.Mote, v.Name, v.Error)
		} else {
			s.printf("mote %d, %s = %s\n", v.Mote, v.Name, v.Text)
		}
	}
}

// why explains a reason to stop.
var why = map[string]string{
	"break":      "BREAK was executed without a debugger",
	"bad_opcode": "the chip has no such instruction",
	"off_code":   "erased flash was executed",
	"dead_sleep": "asleep with interrupts off: only a reset would wake it",
}

func (s *summary) stops() {
	if len(s.doc.Stops) > 0 && !s.quiet {
		s.printf("\n")
	}
	for _, st := range s.doc.Stops {
		s.printf("mote %d stopped (%s) at cycle %s, %s: %s\n", st.Mote, st.Reason, phrase.Grouped(st.Cycle), st.Place.Text(), why[st.Reason])
	}
}

// printKept ends the report: what identifies the run, and how to make it again.
func (s *summary) printKept(interrupted bool) {
	if s.quiet {
		return
	}
	if interrupted {
		s.printf("\ninterrupted at %s\n", phrase.Seconds(s.ran.Until))
	}
	s.printf("\nfinal state %s\n", s.doc.Hash)
	if s.ran.Kept != "" {
		s.printf("to replay: motehound replay %s\n", s.ran.Kept)
	} else {
		s.printf("to replay: --out DIR keeps a recipe for motehound replay\n")
	}
}
