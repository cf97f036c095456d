// Package examples holds the example firmware, built, so that Motehound has
// something to run on a machine without an AVR compiler, and so that every test
// runs the same bytes. The sources are beside this file; make firmware builds
// them again, to the same bytes with the same compiler.
package examples

import (
	"embed"
	"fmt"
)

//go:embed elf/*.elf
var files embed.FS

// Demo has the scenarios of motehound demo, and the firmware that they name.
//
//go:embed serialbuf/reversed.star elf/serialbuf_reversed-micaz.elf
//go:embed tinytcp/port.star elf/tinytcp_port-micaz.elf
var Demo embed.FS

// Firmware is one example, built for one board.
type Firmware struct {
	Name  string
	Board string // or empty, for a program that needs only the chip
	Chip  string // set where Board is empty
	About string // one line, for people
}

const (
	aboutBlink  = "three timers toggle three LEDs every 250, 500 and 1000 ms"
	aboutSense  = "reads the light every 100 ms, shows it on the LEDs and reports it in serial frames"
	aboutSerial = "counts in serial frames, shows and echoes the frames it gets"

	aboutCounter     = "broadcasts a counter every 250 ms and shows the counters it hears on the LEDs"
	aboutRelay       = "a line of motes hands messages down to mote 0, each sent until it is acknowledged"
	aboutCollect     = "readings of all motes gather at mote 0 along a tree, which reports them in serial frames"
	aboutLimits      = "readings gather at mote 0 along a tree; a mote heats or cools for what it reads, and reports a fire at once"
	aboutDisseminate = "values with versions, made at mote 0, spread to all motes by Trickle"
	aboutTimesync    = "all motes know the time of mote 0, and show its seconds on the LEDs"

	aboutPollute         = "sends readings in packets of three; a bug overwrites a packet that waits while the mote is busy"
	aboutPolluteFixed    = "sends readings in packets of three, and takes none while one is on its way"
	aboutPolluteBuffered = "sends readings in packets of three, filling one while another waits"
	aboutDrop            = "a source, a relay and a sink; a bug drops packets that reach the relay while it is sending"
	aboutDropFixed       = "a source that waits until the relay has passed on its last packet, a relay and a sink"
	aboutDropBuffered    = "a source, a relay with a queue, and a sink"
	aboutHang            = "reports over a tree, and heartbeats; a bug stops a mote's reports when the radio is busy with a heartbeat"
	aboutHangFixed       = "reports over a tree, and heartbeats; what the busy radio refuses is tried again"
	aboutRouter          = "four motes report to mote 4 over routes found on demand; a bug makes mote 0 take its own packets for delivered"
	aboutRouterFixed     = "four motes report to mote 4 over routes found on demand"

	aboutSerialbuf         = "messages from the host through two buffers"
	aboutSerialbufReversed = aboutSerialbuf + "; a bug looks at the lock of the wrong one"
	aboutSerialbufLocked   = aboutSerialbuf + "; a bug leaves one locked after a bad frame"
	aboutDissem            = "values with versions; where motes differ is found by hashes of ranges"
	aboutDissemNull        = aboutDissem + "; a bug writes through a null pointer when the radio is slow"
	aboutDissemStep        = aboutDissem + "; a bug takes one step too many through an array"
	aboutDissemEnd         = aboutDissem + "; a bug has ranges end behind the last key"
	aboutDissemRest        = aboutDissem + "; a bug has ranges begin where too few keys are left"
	aboutVersions          = "values with versions, for keys that motes subscribe to; a bug uses a foreign key as an index"
	aboutVersionsFixed     = "values with versions, for keys that motes subscribe to"
	aboutOrphan            = "reports along a tree; a bug leaves the children of a dead mote without a parent"
	aboutOrphanFixed       = "reports along a tree that mends itself"
	aboutReadings          = "sends readings by fives; a bug writes past the array when the timer beats a reading"
	aboutReadingsFixed     = "sends readings by fives"
	aboutBitvector         = "200 values with versions, compared by their bits; a bug puts more bits into a message than there is room for"
	aboutBitvectorFixed    = "200 values with versions, compared by their bits"

	aboutTinytcp       = "TCP over the radio or a wire: a client gets pages from a server"
	aboutTinytcpPort   = aboutTinytcp + "; a bug has it accept connections to port 0"
	aboutTinytcpReset  = aboutTinytcp + "; a bug makes it take a repeated SYN for something else"
	aboutTinytcpStuck  = aboutTinytcp + "; a bug leaves it in SYN_RCVD for ever"
	aboutTinytcpSecond = aboutTinytcp + "; a bug makes two connections of a SYN that comes twice"
	aboutTinytcpStale  = aboutTinytcp + "; it never notices that a client is gone"

	aboutOscilloscope = "reads the light eight times a second and reports ten readings at a time in serial frames"
	aboutSurge        = "every two seconds a reading of each mote goes over many hops to mote 0"
	aboutBase         = "a bridge between the host's serial port and the radio"
	aboutStarve       = "sends numbers and has other work; a bug in a radio handler starves all tasks when the task queue is full"
	aboutStarveFixed  = "sends numbers and has other work, both through one task queue"
	traced            = ", traced"

	// For comparison: whoever tells what a program does by its functions must tell the same of both.
	noinline = ", with every function out of line"
)

// All lists the firmware, each file of elf/ once.
var All = []Firmware{
	{Name: "blink", Board: "micaz", About: aboutBlink},
	{Name: "blink", Board: "mica2", About: aboutBlink},
	{Name: "blink", Board: "uno", About: aboutBlink},
	{Name: "sense", Board: "micaz", About: aboutSense},
	{Name: "sense", Board: "mica2", About: aboutSense},
	{Name: "sense", Board: "uno", About: aboutSense},
	{Name: "serial", Board: "micaz", About: aboutSerial},
	{Name: "serial", Board: "mica2", About: aboutSerial},
	{Name: "serial", Board: "uno", About: aboutSerial},
	{Name: "counter", Board: "micaz", About: aboutCounter},
	{Name: "counter", Board: "mica2", About: aboutCounter},
	{Name: "relay", Board: "micaz", About: aboutRelay},
	{Name: "relay", Board: "mica2", About: aboutRelay},
	{Name: "collect", Board: "micaz", About: aboutCollect},
	{Name: "collect", Board: "mica2", About: aboutCollect},
	{Name: "limits", Board: "micaz", About: aboutLimits},
	{Name: "limits", Board: "mica2", About: aboutLimits},
	{Name: "disseminate", Board: "micaz", About: aboutDisseminate},
	{Name: "disseminate", Board: "mica2", About: aboutDisseminate},
	{Name: "timesync", Board: "micaz", About: aboutTimesync},
	{Name: "timesync", Board: "mica2", About: aboutTimesync},
	{Name: "pollute", Board: "micaz", About: aboutPollute},
	{Name: "pollute", Board: "mica2", About: aboutPollute},
	{Name: "pollute_fixed", Board: "micaz", About: aboutPolluteFixed},
	{Name: "pollute_fixed", Board: "mica2", About: aboutPolluteFixed},
	{Name: "pollute_buffered", Board: "micaz", About: aboutPolluteBuffered},
	{Name: "pollute_buffered", Board: "mica2", About: aboutPolluteBuffered},
	{Name: "drop", Board: "micaz", About: aboutDrop},
	{Name: "drop", Board: "mica2", About: aboutDrop},
	{Name: "drop_fixed", Board: "micaz", About: aboutDropFixed},
	{Name: "drop_fixed", Board: "mica2", About: aboutDropFixed},
	{Name: "drop_buffered", Board: "micaz", About: aboutDropBuffered},
	{Name: "drop_buffered", Board: "mica2", About: aboutDropBuffered},
	{Name: "hang", Board: "micaz", About: aboutHang},
	{Name: "hang", Board: "mica2", About: aboutHang},
	{Name: "hang_fixed", Board: "micaz", About: aboutHangFixed},
	{Name: "hang_fixed", Board: "mica2", About: aboutHangFixed},
	{Name: "router", Board: "micaz", About: aboutRouter},
	{Name: "router", Board: "mica2", About: aboutRouter},
	{Name: "router_fixed", Board: "micaz", About: aboutRouterFixed},
	{Name: "router_fixed", Board: "mica2", About: aboutRouterFixed},
	{Name: "pollute_noinline", Board: "mica2", About: aboutPollute + noinline},
	{Name: "pollute_fixed_noinline", Board: "mica2", About: aboutPolluteFixed + noinline},
	{Name: "drop_noinline", Board: "mica2", About: aboutDrop + noinline},
	{Name: "drop_fixed_noinline", Board: "mica2", About: aboutDropFixed + noinline},
	{Name: "router_noinline", Board: "mica2", About: aboutRouter + noinline},
	{Name: "router_fixed_noinline", Board: "mica2", About: aboutRouterFixed + noinline},
	{Name: "serialbuf_reversed", Board: "micaz", About: aboutSerialbufReversed},
	{Name: "serialbuf_reversed", Board: "mica2", About: aboutSerialbufReversed},
	{Name: "serialbuf_locked", Board: "micaz", About: aboutSerialbufLocked},
	{Name: "serialbuf_locked", Board: "mica2", About: aboutSerialbufLocked},
	{Name: "serialbuf_fixed", Board: "micaz", About: aboutSerialbuf},
	{Name: "serialbuf_fixed", Board: "mica2", About: aboutSerialbuf},
	{Name: "dissem_null", Board: "micaz", About: aboutDissemNull},
	{Name: "dissem_null", Board: "mica2", About: aboutDissemNull},
	{Name: "dissem_step", Board: "micaz", About: aboutDissemStep},
	{Name: "dissem_step", Board: "mica2", About: aboutDissemStep},
	{Name: "dissem_end", Board: "micaz", About: aboutDissemEnd},
	{Name: "dissem_end", Board: "mica2", About: aboutDissemEnd},
	{Name: "dissem_rest", Board: "micaz", About: aboutDissemRest},
	{Name: "dissem_rest", Board: "mica2", About: aboutDissemRest},
	{Name: "dissem_fixed", Board: "micaz", About: aboutDissem},
	{Name: "dissem_fixed", Board: "mica2", About: aboutDissem},
	{Name: "versions", Board: "micaz", About: aboutVersions},
	{Name: "versions", Board: "mica2", About: aboutVersions},
	{Name: "versions_fixed", Board: "micaz", About: aboutVersionsFixed},
	{Name: "versions_fixed", Board: "mica2", About: aboutVersionsFixed},
	{Name: "orphan", Board: "micaz", About: aboutOrphan},
	{Name: "orphan", Board: "mica2", About: aboutOrphan},
	{Name: "orphan_fixed", Board: "micaz", About: aboutOrphanFixed},
	{Name: "orphan_fixed", Board: "mica2", About: aboutOrphanFixed},
	{Name: "readings", Board: "micaz", About: aboutReadings},
	{Name: "readings", Board: "mica2", About: aboutReadings},
	{Name: "readings_fixed", Board: "micaz", About: aboutReadingsFixed},
	{Name: "readings_fixed", Board: "mica2", About: aboutReadingsFixed},
	{Name: "bitvector", Board: "micaz", About: aboutBitvector},
	{Name: "bitvector", Board: "mica2", About: aboutBitvector},
	{Name: "bitvector_fixed", Board: "micaz", About: aboutBitvectorFixed},
	{Name: "bitvector_fixed", Board: "mica2", About: aboutBitvectorFixed},
	{Name: "tinytcp_port", Board: "micaz", About: aboutTinytcpPort},
	{Name: "tinytcp_port", Board: "mica2", About: aboutTinytcpPort},
	{Name: "tinytcp_reset", Board: "micaz", About: aboutTinytcpReset},
	{Name: "tinytcp_reset", Board: "mica2", About: aboutTinytcpReset},
	{Name: "tinytcp_stuck", Board: "micaz", About: aboutTinytcpStuck},
	{Name: "tinytcp_stuck", Board: "mica2", About: aboutTinytcpStuck},
	{Name: "tinytcp_second", Board: "micaz", About: aboutTinytcpSecond},
	{Name: "tinytcp_second", Board: "mica2", About: aboutTinytcpSecond},
	{Name: "tinytcp_stale", Board: "micaz", About: aboutTinytcpStale},
	{Name: "tinytcp_stale", Board: "mica2", About: aboutTinytcpStale},
	{Name: "tinytcp_fixed", Board: "micaz", About: aboutTinytcp},
	{Name: "tinytcp_fixed", Board: "mica2", About: aboutTinytcp},
	{Name: "base", Board: "micaz", About: aboutBase},
	{Name: "base", Board: "mica2", About: aboutBase},
	{Name: "oscilloscope", Board: "micaz", About: aboutOscilloscope},
	{Name: "oscilloscope", Board: "mica2", About: aboutOscilloscope},
	{Name: "surge", Board: "micaz", About: aboutSurge},
	{Name: "surge", Board: "mica2", About: aboutSurge},
	{Name: "starve", Board: "mica2", About: aboutStarve},
	{Name: "starve_fixed", Board: "mica2", About: aboutStarveFixed},
	{Name: "starve_traced", Board: "mica2", About: aboutStarve + traced},
	{Name: "starve_fixed_traced", Board: "mica2", About: aboutStarveFixed + traced},
	{Name: "blink_traced", Board: "micaz", About: aboutBlink + traced},
	{Name: "blink_traced", Board: "mica2", About: aboutBlink + traced},
	{Name: "oscilloscope_traced", Board: "micaz", About: aboutOscilloscope + traced},
	{Name: "oscilloscope_traced", Board: "mica2", About: aboutOscilloscope + traced},
	{Name: "surge_traced", Board: "micaz", About: aboutSurge + traced},
	{Name: "surge_traced", Board: "mica2", About: aboutSurge + traced},
	{Name: "surge_routed_traced", Board: "micaz", About: aboutSurge + traced + " with its routing"},
	{Name: "surge_routed_traced", Board: "mica2", About: aboutSurge + traced + " with its routing"},
	{Name: "cpu-sort", Chip: "atmega128", About: "heap sort and quicksort, 110 million instructions"},
	{Name: "cpu-crypt", Chip: "atmega128", About: "AES-128, SHA-256 and CRC-32, 114 million instructions"},
	{Name: "cpu-arith", Chip: "atmega128", About: "floating point, division and multiplication, 127 million instructions"},
}

// Find returns the example of that name for that board (or chip).
func Find(name, target string) (Firmware, bool) {
	for _, f := range All {
		if f.Name == name && (f.Board == target || f.Board == "" && f.Chip == target) {
			return f, true
		}
	}
	return Firmware{}, false
}

// File is the name of the ELF file, without its folder.
func (f Firmware) File() string {
	if f.Board == "" {
		return f.Name + ".elf"
	}
	return f.Name + "-" + f.Board + ".elf"
}

// ELF returns the file's bytes.
func (f Firmware) ELF() []byte {
	b, err := files.ReadFile("elf/" + f.File())
	if err != nil {
		panic(fmt.Sprintf("BUG: examples.All names a file that is not embedded: %v", err))
	}
	return b
}
