package document

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"motehound/firmware/pathtrace/instrument"
	"motehound/study/fieldtrace/record"
	"motehound/study/verdict"
)

// Pulled is what trace pull prints as JSON.
type Pulled struct {
	Verdict verdict.Verdict `json:"verdict"` // holds: all that was asked for has come
	LeftOut []string        `json:"left_out"`
	File    string          `json:"file"`
	Pages   int             `json:"pages"`
	Unread  int             `json:"unread"`
}

// ReplayedTrace is what trace replay prints.
type ReplayedTrace struct {
	Verdict string        `json:"verdict"` // found, several or unknown
	LeftOut []string      `json:"left_out"`
	Events  int           `json:"events"` // of the trace
	Shown   int           `json:"shown"`  // of them, by the best run
	Reset   bool          `json:"reset"`  // the trace ends with a reset
	Boot    uint16        `json:"boot"`
	Tries   int           `json:"tries"`
	TimeS   float64       `json:"time_s"` // when all was shown
	Chosen  []TracedThing `json:"chosen"`
	Others  int           `json:"others_tried"`
	Fit     int           `json:"others_fit"`
	Wanted  string        `json:"wanted,omitempty"` // where the best run went wrong: what the trace says
	Got     string        `json:"got,omitempty"`    // and what came instead
	Recipe  string        `json:"recipe,omitempty"`
}

// TracedThing is something that was chosen to fit.
type TracedThing struct {
	Kind   string  `json:"kind"` // of a choice, as in recipes; or serial
	Mote   uint16  `json:"mote"`
	Number uint32  `json:"number"`
	Answer uint32  `json:"answer"`
	TimeS  float64 `json:"time_s,omitempty"` // of serial
	Hex    string  `json:"hex,omitempty"`
}

// TraceStats is what trace stats prints.
type TraceStats struct {
	Pages      int               `json:"pages"`
	Bytes      int               `json:"bytes"`
	Boots      int               `json:"boots"`
	Seconds    float64           `json:"time_s"`
	Events     uint64            `json:"events"`
	Lost       uint64            `json:"lost"`
	Gaps       int               `json:"gaps"`
	Faults     int               `json:"faults"`
	Raw        uint64            `json:"uncompressed_bytes"`
	Savings    float64           `json:"savings_percent"`
	Procedures []TracedProcedure `json:"procedures"`
}

// TracedProcedure is how often a procedure ran, and how.
type TracedProcedure struct {
	Proc   uint16 `json:"proc"`
	Name   string `json:"name"`
	Calls  uint64 `json:"calls"`
	Rounds uint64 `json:"rounds"`
	Paths  int    `json:"paths"`
	// Most is the path that it took most often.
	Most  uint16 `json:"most"`
	Lines string `json:"lines,omitempty"`
}

// Traced is the document of trace decode, without its lines.
type Traced struct {
	Pages   int
	Unread  int
	Clock   int
	Gaps    int
	LeftOut []string
}

// TraceLine is one line of a log.
type TraceLine struct {
	Time  float64 `json:"time_s"`
	Boot  uint16  `json:"boot"`
	Kind  string  `json:"kind"`
	Proc  *uint16 `json:"proc,omitempty"`
	Name  string  `json:"name,omitempty"`
	Path  *uint16 `json:"path,omitempty"`
	Lines string  `json:"lines,omitempty"`
	Count uint32  `json:"count"`
	Depth int     `json:"depth"`
	Arg   *uint8  `json:"arg,omitempty"`

	At      record.At      `json:"-"`
	Element record.Element `json:"-"`
}

// Write writes the document piece by piece: a log can stand for more than fits into memory. Each gives the lines.
func (d *Traced) Write(w io.Writer, each func(give func(TraceLine) error) error) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, `{%s, "pages": %d, "unread": %d, "clock_hz": %d, "trace": [`, SchemaField, d.Pages, d.Unread, d.Clock)
	separator := "\n  "
	err := each(func(line TraceLine) error {
		text, err := json.Marshal(line)
		if err != nil {
			return err
		}
		out.WriteString(separator)
		separator = ",\n  "
		_, err = out.Write(text)
		return err
	})
	if err != nil {
		return err
	}
	text, err := json.Marshal(d.LeftOut)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "\n], \"gaps\": %d, \"left_out\": %s}\n", d.Gaps, text)
	return out.Flush()
}

// Instrumented is the report as JSON.
type Instrumented struct {
	File   string                  `json:"file"`
	Output string                  `json:"output"`
	Map    string                  `json:"map"`
	Procs  []InstrumentedProcedure `json:"procs"`
	Left   []instrument.Left       `json:"left"`
}

type InstrumentedProcedure struct {
	ID    int    `json:"id"`
	Name  string `json:"name"`
	Kind  string `json:"kind"`
	File  string `json:"file"`
	Line  int    `json:"line"`
	Paths int    `json:"paths"`
	Cuts  int    `json:"cuts"`
}
