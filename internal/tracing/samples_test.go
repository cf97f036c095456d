package tracing

import (
	"slices"
	"strings"
	"testing"

	"motehound/examples"
	"motehound/firmware/pathtrace/instrument"
	"motehound/mote/board"
	"motehound/world/medium"
)

// sample is an example to be traced, how much of it, and what its motes do with each other.
type sample struct {
	app     string
	also    []string // other builds of it, with bugs
	boards  []*board.Board
	motes   int
	full    bool // everybody hears everybody; or else they are in a line
	starves bool // only handlers run in the end: most of what they trace is lost then
	races   bool // what it does depends on microseconds, whenever it starts: its bug is a race, or its motes always have something to tell
	choice  instrument.Choice
	// masks is what of its messages is a time.
	masks []mask
	// slower is by how many percent it may get less far in the same time, doing the same.
	slower int
	// shared is what its builds have in common with those of others.
	shared objects
}

// mask is bytes in the active messages of a type, which begin with their length: those from the one up to the other are not
// compared, nor is the checksum behind them.
type mask struct {
	kind     byte
	from, to int
}

// apart is milliseconds between the motes' boots. A mote takes random numbers from one place, for its timers as for the radio's
// backoff, and its clock has ticks of a millisecond. So where two motes, or two timers of one, want something within the microseconds
// that tracing takes, all that follows is another run.
var apart = []uint64{137, 503, 211, 251, 401, 181}

// data is where the contents of an active message begin.
const data = 12

// own is what trace cc traces of an example by default, but for its kernel; every is functions with one path, too; and all is
// its kernel as well, but for what the tracer itself calls.
var (
	own   = instrument.Choice{Except: []string{"kernel/*.c", "kernel/*/*.c"}}
	every = instrument.Choice{All: true, Except: own.Except}
	all   = instrument.Choice{All: true, Except: []string{"ClockC__now"}}
	// handlers is what runs at the radio's bytes, and tasks.
	handlers = instrument.Choice{All: true, Components: []string{"link", "starve"}, Functions: []string{"__vector_17", "QueueP__run__runTask"}}
)

var (
	wired   = []*board.Board{&board.MicaZ, &board.Mica2, &board.Uno}
	onMicas = []*board.Board{&board.MicaZ, &board.Mica2}
)

// samples is every example that makes firmware for a mote, on each board that it is for.
var samples = []sample{
	{app: "blink", boards: onMicas, motes: 1, choice: all},
	{app: "blink", boards: wired[2:], motes: 1, choice: every},
	{app: "sense", boards: wired, motes: 1, choice: own},
	{app: "serial", boards: wired, motes: 1, choice: own},
	{app: "counter", boards: onMicas, motes: 2, choice: own},
	{app: "relay", boards: onMicas, motes: 3, choice: own},
	{app: "collect", boards: onMicas, motes: 3, choice: own},
	{app: "limits", boards: onMicas, motes: 2, choice: own},
	{app: "disseminate", boards: onMicas, motes: 3, choice: own},
	// The time of the beacon before, in microseconds.
	{app: "timesync", boards: onMicas, motes: 3, choice: own, masks: []mask{{62, data + 4, data + 8}}},
	// It takes no reading while a packet waits, and packets wait for a long computation, which is a traced loop. The Mica2's radio
	// wants each byte within 384 cycles, and the ADC's handler takes 315 of them: that is not traced there. Which readings are lost
	// is a matter of when the handler comes.
	{app: "pollute_fixed", boards: onMicas[:1], motes: 2, slower: 5, choice: own},
	{app: "pollute_buffered", boards: onMicas[:1], motes: 2, slower: 5, choice: own},
	{app: "pollute", boards: onMicas, motes: 2, races: true, choice: own},
	{app: "pollute_buffered", boards: onMicas[1:], motes: 2, races: true, choice: own},
	{app: "pollute_fixed", boards: onMicas[1:], motes: 2, slower: 10, choice: instrument.Choice{
		Except: append(slices.Clone(own.Except), "SpectrumP__put", "AdcNowP__*", "PolluteC__note", "__vector_*")}},
	{app: "drop_fixed", also: []string{"drop"}, boards: onMicas, motes: 3, choice: own},
	{app: "drop_buffered", boards: onMicas, motes: 3, choice: own},
	// A report says how many milliseconds are left for reports.
	{app: "hang_fixed", also: []string{"hang"}, boards: onMicas, motes: 3, choice: own, masks: []mask{{17, data + 7, data + 9}}},
	{app: "router_fixed", also: []string{"router"}, boards: onMicas, motes: 5, full: true, choice: own},
	{app: "versions_fixed", also: []string{"versions"}, boards: onMicas, motes: 2, choice: own},
	{app: "orphan_fixed", also: []string{"orphan"}, boards: onMicas, motes: 3, choice: own},
	{app: "readings_fixed", also: []string{"readings"}, boards: onMicas, motes: 2, choice: own},
	{app: "bitvector_fixed", also: []string{"bitvector"}, boards: onMicas, motes: 2, choice: own},
	{app: "serialbuf_fixed", also: []string{"serialbuf_locked", "serialbuf_reversed"}, boards: onMicas, motes: 1, choice: own},
	{app: "dissem_fixed", also: []string{"dissem_end", "dissem_null", "dissem_rest", "dissem_step"}, boards: onMicas, motes: 3, choice: own},
	{app: "tinytcp_fixed", also: []string{"tinytcp_port", "tinytcp_reset", "tinytcp_second", "tinytcp_stale", "tinytcp_stuck"}, boards: onMicas, motes: 2, choice: own},
	// Several of them tell each other something all the time, and who is first is a matter of microseconds.
	{app: "dhv_fixed", also: []string{"dhv"}, boards: onMicas, motes: 3, races: true, choice: own},
	{app: "dhv_fixed", boards: onMicas, motes: 1, choice: own},
	{app: "remote_fixed", also: []string{"remote"}, boards: onMicas, motes: 2, choice: own},
	{app: "fragments_fixed", also: []string{"fragments"}, boards: onMicas, motes: 2, choice: own},
	{app: "neighbours_fixed", also: []string{"neighbours"}, boards: onMicas, motes: 3, choice: own},
	{app: "oscilloscope", boards: onMicas, motes: 1, choice: own},
	{app: "surge", boards: onMicas, motes: 3, choice: own},
	{app: "base", boards: onMicas, motes: 2, choice: every},
	{app: "starve_fixed", boards: onMicas[1:], motes: 1, choice: handlers},
	// It hangs: there are only handlers then, and most of what they trace is lost.
	{app: "starve", boards: onMicas[1:], motes: 1, starves: true, choice: handlers},
}

// net is who hears whom.
func (s *sample) net() (*medium.Net, error) {
	links := medium.Line
	if s.full {
		links = medium.Full
	}
	return medium.New(s.motes, links(s.motes, medium.DefaultGain, 0))
}

// Every example is tried, on every board that it is for: but for those that trace themselves already, and the same sources compiled
// otherwise.
func TestAllExamplesAreSamples(t *testing.T) {
	for _, f := range examples.All {
		if f.Board == "" || f.Plain || strings.HasSuffix(f.Name, "_traced") || strings.HasSuffix(f.Name, "_noinline") {
			continue
		}
		if !slices.ContainsFunc(samples, func(s sample) bool {
			return (s.app == f.Name || slices.Contains(s.also, f.Name)) && slices.ContainsFunc(s.boards, func(b *board.Board) bool { return b.Name == f.Board })
		}) {
			t.Errorf("%s for the %s is not traced here", f.Name, f.Board)
		}
	}
}
