package tracing

import (
	"slices"
	"strings"
	"testing"

	"motehound/examples"
	"motehound/mote/board"
	"motehound/study/pathtrace/instrument"
	"motehound/world/medium"
)

// sample is an example to be traced, how much of it, and what its motes do with each other.
type sample struct {
	app    string // with what its name has for the build without a bug
	boards []*board.Board
	motes  int
	full   bool // everybody hears everybody; or else they are in a line
	races  bool // what it does may depend on which of two things comes first
	choice instrument.Choice
	// masks is what of its messages is a time.
	masks []mask
	// slower is by how many percent it may get less far in the same time, doing the same.
	slower int
}

// mask is bytes in the active messages of a type, which begin with their length: those from the one up to the other are not
// compared, nor is the checksum behind them.
type mask struct {
	kind     byte
	from, to int
}

// apart is milliseconds between the motes' boots.
//
// Motes of a network take random numbers from one place, for their timers as for the radio's backoff, and their clocks have ticks of a
// millisecond. So where two motes, or two timers of one, want something within the microseconds that tracing takes, all that
// follows is another run, as it would be with another drift of a crystal. For those that have many timers, boots are tried in turn
// until there is no such moment in 20 s.
var apart = []uint64{137, 503, 211, 251, 401, 181}

// data is where the contents of an active message begin.
const data = 12

// own is what trace cc traces of an example by default, but for its kernel; every is functions with one path, too; and all is
// its kernel as well, but for what the tracer itself calls.
var (
	own   = instrument.Choice{Except: []string{"kernel/*.c", "kernel/*/*.c"}}
	every = instrument.Choice{All: true, Except: own.Except}
	all   = instrument.Choice{All: true, Except: []string{"ClockC__now"}}
)

var (
	wired   = []*board.Board{&board.MicaZ, &board.Mica2, &board.Uno}
	onMicas = []*board.Board{&board.MicaZ, &board.Mica2}
)

// samples is every folder of examples that makes firmware for a mote, on each board that it is for. Of those with bugs it is the
// builds without: when a bug shows depends on time, and time is what tracing takes.
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
	// It takes no reading while a packet waits, and packets wait for a long computation, which is a traced loop. And it copies
	// readings in an atomic section: with a record for each of 28 rounds in it, the Mica2's radio would not get its next byte in time.
	{app: "pollute_fixed", boards: onMicas, motes: 2, slower: 10,
		choice: instrument.Choice{Except: append(slices.Clone(own.Except), "SpectrumP__copy")}},
	{app: "drop_fixed", boards: onMicas, motes: 3, choice: own},
	{app: "drop_buffered", boards: onMicas, motes: 3, choice: own},
	// A report says how many milliseconds are left for reports.
	{app: "hang_fixed", boards: onMicas, motes: 3, races: true, choice: own, masks: []mask{{17, data + 7, data + 9}}},
	{app: "router_fixed", boards: onMicas, motes: 5, full: true, races: true, choice: own},
	{app: "versions_fixed", boards: onMicas, motes: 2, choice: own},
	{app: "orphan_fixed", boards: onMicas, motes: 3, choice: own},
	{app: "readings_fixed", boards: onMicas, motes: 2, choice: own},
	{app: "bitvector_fixed", boards: onMicas, motes: 2, races: true, choice: own},
	{app: "serialbuf_fixed", boards: onMicas, motes: 1, choice: own},
	{app: "dissem_fixed", boards: onMicas, motes: 3, choice: own},
	{app: "tinytcp_fixed", boards: onMicas, motes: 2, choice: own},
	{app: "oscilloscope", boards: onMicas, motes: 1, choice: own},
	{app: "surge", boards: onMicas, motes: 3, choice: own},
	{app: "base", boards: onMicas, motes: 2, choice: every},
	{app: "starve_fixed", boards: onMicas[1:], motes: 1, choice: instrument.Choice{All: true, Components: []string{"link", "starve"},
		Functions: []string{"__vector_17", "QueueP__run__runTask"}}},
}

// net is who hears whom.
func (s *sample) net() (*medium.Net, error) {
	links := medium.Line
	if s.full {
		links = medium.Full
	}
	return medium.New(s.motes, links(s.motes, medium.DefaultGain, 0))
}

// Every folder of examples with firmware of its own is tried, on every board that it is for.
func TestAllExamplesAreSamples(t *testing.T) {
	for _, f := range examples.All {
		app, _, _ := strings.Cut(f.Name, "_")
		if f.Board != "" && !slices.ContainsFunc(samples, func(s sample) bool {
			n, _, _ := strings.Cut(s.app, "_")
			return n == app && slices.ContainsFunc(s.boards, func(b *board.Board) bool { return b.Name == f.Board })
		}) {
			t.Errorf("%s for the %s is not traced here", f.Name, f.Board)
		}
	}
}
