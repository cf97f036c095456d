package job

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"motehound/job/document"
	"motehound/mote/board"
	"motehound/study/fieldtrace/narrative"
	"motehound/study/fieldtrace/record"
)

// TraceDecode asks for what a log says, line by line.
type TraceDecode struct {
	Log
	Trace     string `json:"trace"`              // the file of the log
	Firmware  string `json:"firmware,omitempty"` // that it must be of
	Proc      string `json:"proc,omitempty"`
	Boot      int    `json:"boot"` // -1 for all
	Last      int    `json:"last,omitempty"`
	Lifecycle string `json:"lifecycle,omitempty"` // the file for interrupts, posts and tasks
	Board     string `json:"board"`               // for that
}

// NewTraceDecode is the usual request for a log.
func NewTraceDecode(trace string) TraceDecode {
	return TraceDecode{Log: Log{Layout: UsualLayout}, Trace: trace, Boot: -1, Board: "micaz"}
}

// mostLast is how many lines Last may ask for: they are kept in memory.
const mostLast = 1_000_000

// Do opens the log. Its lines come one after the other, since a log can stand for more than fits into memory.
func (f TraceDecode) Do(h Host) (*Decoding, error) {
	if f.Last < 0 || f.Last > mostLast {
		return nil, fmt.Errorf("--last %d: give 1 to %d, or 0 for all", f.Last, mostLast)
	}
	log, teller, err := f.Open(f.Trace, h)
	if err != nil {
		return nil, err
	}
	if f.Firmware != "" {
		if err := f.Matches(f.Firmware, ""); err != nil {
			return nil, err
		}
	}
	want, err := f.wanted(teller)
	if err != nil {
		return nil, err
	}
	if f.Lifecycle != "" {
		if err := f.writeLifecycle(log, teller, h); err != nil {
			return nil, err
		}
	}
	return &Decoding{Document: document.Traced{Pages: len(log.Pages), Unread: log.Unread, Clock: log.Clock, LeftOut: []string{}},
		log: log, teller: teller, want: want, boots: f.boots(log), last: f.Last}, nil
}

// wanted tells which procedures are to be shown.
func (f *TraceDecode) wanted(t *narrative.Teller) (func(uint16) bool, error) {
	if f.Proc == "" {
		return func(uint16) bool { return true }, nil
	}
	var id uint16
	if _, err := fmt.Sscanf(f.Proc, "%d", &id); err != nil {
		if id, err = t.Find(f.Proc); err != nil {
			return nil, fmt.Errorf("--proc: %w", err)
		}
	}
	return func(p uint16) bool { return p == id }, nil
}

// boots tells which boots are to be shown.
func (f *TraceDecode) boots(l *record.Log) func(uint16) bool {
	if f.Boot == -1 {
		return func(uint16) bool { return true }
	}
	boot := bootNumber(l, f.Boot)
	return func(b uint16) bool { return int(b) == boot }
}

// bootNumber is what the log calls a boot; -1 is the last one in it.
func bootNumber(l *record.Log, boot int) int {
	if boot < 0 {
		boot += int(l.Pages[len(l.Pages)-1].Boot) + 1
	}
	return boot
}

func (f *TraceDecode) writeLifecycle(l *record.Log, t *narrative.Teller, h Host) error {
	b, err := board.Find(f.Board)
	if err != nil {
		return fmt.Errorf("--board: %w", err)
	}
	asJSON := strings.HasSuffix(f.Lifecycle, ".jsonl")
	posts, items := false, 0
	err = WriteFile("--lifecycle", f.Lifecycle, func(w io.Writer) error {
		out := bufio.NewWriter(w)
		posts = t.Lifecycle(l, b.Hertz, func(it narrative.Item) {
			items++
			name := it.Name
			if name == "" {
				name = b.Chip.VectorName(uint8(it.Arg))
			}
			ps := uint64(float64(it.Ticks) / float64(max(l.Clock, 1)) * 1e12)
			if !asJSON {
				fmt.Fprintln(out, LifecycleText(ps, 0, it.Item, name))
				return
			}
			line, err := json.Marshal(document.LifecycleLine{Time: float64(ps) / 1e12, Kind: it.Kind.String(), Arg: it.Arg, Name: name, Cycle: it.Cycle})
			if err != nil {
				panic("BUG: " + err.Error())
			}
			out.Write(append(line, '\n'))
		})
		return out.Flush()
	})
	if err == nil && items == 0 {
		h.note("no lifecycle items: neither interrupt handlers nor tasks are traced in this firmware")
	} else if err == nil && !posts {
		h.note("no posts: to trace them, build with --function '*postTask' or similar")
	}
	return err
}
