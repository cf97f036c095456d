// Package examples holds the example firmware, built, so that Motehound has
// something to run on a machine without an AVR compiler, and so that every test
// runs the same bytes. The sources are beside this file; make firmware builds
// them again, to the same bytes with the same compiler.
package examples

import (
	"embed"
	"fmt"
	"strings"
)

//go:embed elf/*.elf
var files embed.FS

// Demo has what motehound demo shows: a source file, a scenario, and the firmware that it names.
//
//go:embed ring/ring.c
//go:embed tinytcp/port.star elf/tinytcp_port-micaz.elf
var Demo embed.FS

// Sources are what the firmware was compiled from.
//
//go:embed */*.c */*.h */*/*.c */*/*.h
var Sources embed.FS

// Firmware is one example, built for one board.
type Firmware struct {
	Name  string
	Board string // or empty, for a program that needs only the chip
	Chip  string // set where Board is empty
	Plain bool   // plain C for a board, without the kernel
	About string // one line, for people
}

// What several builds of an example do.
const (
	aboutBlink        = "three timers toggle three LEDs every 250, 500 and 1000 ms"
	aboutPollute      = "sends readings in packets of three; a bug overwrites a packet that waits while the mote is busy"
	aboutPolluteFixed = "sends readings in packets of three, and takes none while one is on its way"
	aboutDrop         = "a source, a relay and a sink; a bug drops packets that reach the relay while it is sending"
	aboutDropFixed    = "a source that waits until the relay has passed on its last packet, a relay and a sink"
	aboutRouter       = "four motes report to mote 4 over routes found on demand; a bug makes mote 0 take its own packets for delivered"
	aboutRouterFixed  = "four motes report to mote 4 over routes found on demand"
	aboutSerialbuf    = "messages from the host through two buffers"
	aboutDissem       = "values with versions; where motes differ is found by hashes of ranges"
	aboutTinytcp      = "TCP over the radio or a wire: a client gets pages from a server"
	aboutOscilloscope = "reads the light eight times a second and reports ten readings at a time in serial frames"
	aboutSurge        = "every two seconds a reading of each mote goes over many hops to mote 0"
	aboutStarve       = "sends numbers and has other work; a bug in a radio handler starves all tasks when the task queue is full"
	aboutStarveFixed  = "sends numbers and has other work, both through one task queue"
	aboutDhv          = "values with versions; motes that differ are found by hashes, the values by vectors of versions"
	aboutRemote       = "obeys commands in radio messages, with a length and a CRC"
	aboutFragments    = "datagrams of 60 bytes over the radio, in fragments as in 6LoWPAN"
	aboutNeighbours   = "a table of neighbours, from their beacons"
	traced            = ", traced"

	// For comparison: whoever says what a program does by its functions must tell the same of both.
	noinline = ", with every function out of line"
)

// programs are the examples, with the boards that each is built for; atmega128 is a chip.
var programs = []struct{ name, on, about string }{
	{"blink", "micaz mica2 uno", aboutBlink},
	{"sense", "micaz mica2 uno", "reads the light every 100 ms, shows it on the LEDs and reports it in serial frames"},
	{"serial", "micaz mica2 uno", "counts in serial frames, shows and echoes the frames it gets"},
	{"counter", "micaz mica2", "broadcasts a counter every 250 ms and shows the counters it hears on the LEDs"},
	{"relay", "micaz mica2", "a line of motes hands messages down to mote 0, each sent until it is acknowledged"},
	{"collect", "micaz mica2", "readings of all motes gather at mote 0 along a tree, which reports them in serial frames"},
	{"limits", "micaz mica2", "readings gather at mote 0 along a tree; a mote heats or cools for what it reads, and reports a fire at once"},
	{"disseminate", "micaz mica2", "values with versions, made at mote 0, spread to all motes by Trickle"},
	{"timesync", "micaz mica2", "all motes know the time of mote 0, and show its seconds on the LEDs"},
	{"pollute", "micaz mica2", aboutPollute},
	{"pollute_fixed", "micaz mica2", aboutPolluteFixed},
	{"pollute_buffered", "micaz mica2", "sends readings in packets of three, filling one while another waits"},
	{"drop", "micaz mica2", aboutDrop},
	{"drop_fixed", "micaz mica2", aboutDropFixed},
	{"drop_buffered", "micaz mica2", "a source, a relay with a queue, and a sink"},
	{"hang", "micaz mica2", "reports over a tree, and heartbeats; a bug stops a mote's reports when the radio is busy with a heartbeat"},
	{"hang_fixed", "micaz mica2", "reports over a tree, and heartbeats; what the busy radio refuses is tried again"},
	{"router", "micaz mica2", aboutRouter},
	{"router_fixed", "micaz mica2", aboutRouterFixed},
	{"pollute_noinline", "mica2", aboutPollute + noinline},
	{"pollute_fixed_noinline", "mica2", aboutPolluteFixed + noinline},
	{"drop_noinline", "mica2", aboutDrop + noinline},
	{"drop_fixed_noinline", "mica2", aboutDropFixed + noinline},
	{"router_noinline", "mica2", aboutRouter + noinline},
	{"router_fixed_noinline", "mica2", aboutRouterFixed + noinline},
	{"serialbuf_reversed", "micaz mica2", aboutSerialbuf + "; a bug looks at the lock of the wrong one"},
	{"serialbuf_locked", "micaz mica2", aboutSerialbuf + "; a bug leaves one locked after a bad frame"},
	{"serialbuf_fixed", "micaz mica2", aboutSerialbuf},
	{"dissem_null", "micaz mica2", aboutDissem + "; a bug writes through a null pointer when the radio is slow"},
	{"dissem_step", "micaz mica2", aboutDissem + "; a bug takes one step too many through an array"},
	{"dissem_end", "micaz mica2", aboutDissem + "; a bug has ranges end behind the last key"},
	{"dissem_rest", "micaz mica2", aboutDissem + "; a bug has ranges begin where too few keys are left"},
	{"dissem_fixed", "micaz mica2", aboutDissem},
	{"versions", "micaz mica2", "values with versions, for keys that motes subscribe to; a bug uses a foreign key as an index"},
	{"versions_fixed", "micaz mica2", "values with versions, for keys that motes subscribe to"},
	{"orphan", "micaz mica2", "reports along a tree; a bug leaves the children of a dead mote without a parent"},
	{"orphan_fixed", "micaz mica2", "reports along a tree that mends itself"},
	{"readings", "micaz mica2", "sends readings by fives; a bug writes past the array when the timer beats a reading"},
	{"readings_fixed", "micaz mica2", "sends readings by fives"},
	{"bitvector", "micaz mica2", "200 values with versions, compared by their bits; a bug puts more bits into a message than there is room for"},
	{"bitvector_fixed", "micaz mica2", "200 values with versions, compared by their bits"},
	{"tinytcp_port", "micaz mica2", aboutTinytcp + "; a bug has it accept connections to port 0"},
	{"tinytcp_reset", "micaz mica2", aboutTinytcp + "; a bug makes it take a repeated SYN for something else"},
	{"tinytcp_stuck", "micaz mica2", aboutTinytcp + "; a bug leaves it in SYN_RCVD for ever"},
	{"tinytcp_second", "micaz mica2", aboutTinytcp + "; a bug makes two connections of a SYN that comes twice"},
	{"tinytcp_stale", "micaz mica2", aboutTinytcp + "; it never notices that a client is gone"},
	{"tinytcp_fixed", "micaz mica2", aboutTinytcp},
	{"dhv", "micaz mica2", aboutDhv + "; a bug writes a vector through a null pointer, when three coincidences come eight times in a row"},
	{"dhv_fixed", "micaz mica2", aboutDhv},
	{"remote", "micaz mica2", aboutRemote + "; a bug copies a label that is too long"},
	{"remote_fixed", "micaz mica2", aboutRemote},
	{"fragments", "micaz mica2", aboutFragments + "; a bug lets a fragment be put behind the end of its datagram"},
	{"fragments_fixed", "micaz mica2", aboutFragments},
	{"neighbours", "micaz mica2", aboutNeighbours + "; a bug uses an entry behind the end when none may be given up"},
	{"neighbours_fixed", "micaz mica2", aboutNeighbours},
	{"base", "micaz mica2", "a bridge between the host's serial port and the radio"},
	{"oscilloscope", "micaz mica2", aboutOscilloscope},
	{"surge", "micaz mica2", aboutSurge},
	{"starve", "mica2", aboutStarve},
	{"starve_fixed", "mica2", aboutStarveFixed},
	{"starve_traced", "mica2", aboutStarve + traced},
	{"starve_fixed_traced", "mica2", aboutStarveFixed + traced},
	{"blink_traced", "micaz mica2", aboutBlink + traced},
	{"oscilloscope_traced", "micaz mica2", aboutOscilloscope + traced},
	{"surge_traced", "micaz mica2", aboutSurge + traced},
	{"surge_routed_traced", "micaz mica2", aboutSurge + traced + " with its routing"},
	{"cpu-sort", "atmega128", "heap sort and quicksort, 110 million instructions"},
	{"cpu-crypt", "atmega128", "AES-128, SHA-256 and CRC-32, 114 million instructions"},
	{"cpu-arith", "atmega128", "floating point, division and multiplication, 127 million instructions"},
}

// plain are programs without the kernel, for an Arduino Uno. Each is built with its bug, and fixed.
var plain = []struct{ name, about, bug string }{
	{"ring", "sends back what it receives, through a ring buffer", "a bug loses count of it when a character comes at the wrong moment"},
	{"tick", "blinks, with a timer that counts milliseconds", "a bug reads half of the old and half of the new count"},
	{"nested", "obeys commands from the serial line", "a bug lets a timer into the state machine while it is at work"},
	{"novolatile", "answers every line from the serial port", "a bug has it look at a flag only once, and wait for ever"},
	{"masked", "blinks, and changes its period on command", "a bug has it wait for a timer's interrupt while interrupts are off"},
	{"recursion", "calculates what it reads from the serial port", "a bug has it nest as deep as the input says, until there is no stack left"},
	{"overrun", "adds up messages from the serial port", "a bug has it believe their length byte, and write behind its buffer"},
	{"command", "obeys commands in serial frames, with a magic number, a length and a checksum", "a bug copies a name that is too long"},
	{"button", "moves a pen, and saves its place when a button is pressed", "a bug saves half of the old and half of the new place"},
}

// All lists the firmware, each file of elf/ once.
var All = func() (list []Firmware) {
	for _, p := range programs {
		for target := range strings.FieldsSeq(p.on) {
			f := Firmware{Name: p.name, Board: target, About: p.about}
			if target == "atmega128" {
				f.Board, f.Chip = "", target
			}
			list = append(list, f)
		}
	}
	for _, p := range plain {
		list = append(list, Firmware{Name: p.name, Board: "uno", Plain: true, About: p.about + "; " + p.bug},
			Firmware{Name: p.name + "_fixed", Board: "uno", Plain: true, About: p.about})
	}
	return list
}()

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
