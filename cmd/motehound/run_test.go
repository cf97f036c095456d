package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"motehound/examples"
	"motehound/job/document"
	"motehound/world/serialframe"
)

// Every example does what the comment at its top says one must see.
func TestExamples(t *testing.T) {
	for _, f := range examples.All {
		name := strings.TrimSuffix(f.File(), ".elf")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			switch {
			case f.Board == "":
				checkCPU(t, name)
			case f.Name == "blink":
				checkBlink(t, name)
			case f.Name == "sense":
				checkSense(t, name)
			case f.Name == "serial":
				checkSerial(t, name)
			default: // what they do needs a network
				args := []string{"example:" + name, "--time", "1s"}
				if f.Name == "novolatile" {
					args = append(args, "--no-checks") // its bug shows at once, and without input: see job
				}
				if doc := runJSON(t, args...); len(doc.Stops) != 0 {
					t.Errorf("got stops %v", doc.Stops)
				}
			}
		})
	}
}

func checkMote(t *testing.T, doc *document.Run) document.Mote {
	t.Helper()
	if len(doc.Motes) != 1 || len(doc.Stops) != 0 || len(doc.Notices) != 0 {
		t.Fatalf("got %d motes, stops %v, notices %v; want one mote that runs", len(doc.Motes), doc.Stops, doc.Notices)
	}
	m := doc.Motes[0]
	if m.ID != 1 {
		t.Errorf("got id %d, want 1, which the firmware has", m.ID)
	}
	if m.SleepCycles*100 < m.Cycles*98 {
		t.Errorf("slept %d of %d cycles, want at least 98 %%", m.SleepCycles, m.Cycles)
	}
	return m
}

func checkBlink(t *testing.T, name string) {
	// After 1.6 s the lights have been toggled 6, 3 and once; before that they count up from 0.
	m := checkMote(t, runJSON(t, "example:"+name, "--time", "1.6s"))
	if m.LEDChanges != 6+3+1 || m.LEDs != 0b110 {
		t.Errorf("got %d changes of lights and %03b, want 10 and 110", m.LEDChanges, m.LEDs)
	}
}

func checkSense(t *testing.T, name string) {
	doc := runJSON(t, "example:"+name, "--time", "2.05s", "--sensor", "0=900", "--sensor", "1=900")
	m := checkMote(t, doc)
	frames, err := serialframe.Parse(bytesOf(t, m.UART["0"]))
	if err != nil || len(frames) < 19 {
		t.Fatalf("got %d frames, %v, want about 20", len(frames), err)
	}
	for i, f := range frames {
		want := serialframe.Message{Dest: 0xFFFF, Src: 1, Group: 0x22, Type: 10, Data: []byte{0, 1, 0, byte(i), 900 >> 8, 900 & 0xFF}}
		if fmt.Sprint(*f.Message) != fmt.Sprint(want) {
			t.Errorf("frame %d: got %v, want %v", i, *f.Message, want)
		}
	}
	if m.LEDs != 900>>7 {
		t.Errorf("LEDs show %03b, want %03b", m.LEDs, 900>>7)
	}
}

func checkSerial(t *testing.T, name string) {
	m := checkMote(t, runJSON(t, "example:"+name, "--time", "3.2s"))
	frames, err := serialframe.Parse(bytesOf(t, m.UART["0"]))
	if err != nil || len(frames) != 3 {
		t.Fatalf("got %d frames, %v, want 3", len(frames), err)
	}
	for i, f := range frames {
		if f.Message.Type != 9 || f.Message.Data[1] != byte(i+1) {
			t.Errorf("frame %d is %v", i, f)
		}
	}
}

// cpuResults are the checksums that the programs have on a host too (make -C examples check-cpu).
var cpuResults = map[string]float64{"cpu-sort": 0x1ABBC125, "cpu-crypt": 0x381C2204, "cpu-arith": 0x25777ED5}

func checkCPU(t *testing.T, name string) {
	if testing.Short() {
		t.Skip("takes a second or two")
	}
	doc := runJSON(t, "example:"+name, "--time", "1m", "--var", "result", "--dump", "done")
	if len(doc.Stops) != 1 {
		t.Fatalf("got stops %v, want one", doc.Stops)
	}
	s := doc.Stops[0]
	if s.Reason != "dead_sleep" || s.Function != "finish" || s.File != "examples/cpu/finish.c" || s.Line == 0 || s.Cycle != doc.Motes[0].Cycles {
		t.Errorf("got stop %+v, want dead_sleep in finish", s)
	}
	if doc.Vars[0].Value != cpuResults[name] || doc.Dump[0].Hex != "01" {
		t.Errorf("got result %v, done %s, want %v, 01", doc.Vars[0].Value, doc.Dump[0].Hex, cpuResults[name])
	}
}

// hexFile is an Intel HEX file with these words from address 0.
func hexFile(t *testing.T, words ...uint16) string {
	t.Helper()
	rec := []byte{byte(2 * len(words)), 0, 0, 0}
	for _, w := range words {
		rec = append(rec, byte(w), byte(w>>8))
	}
	var sum byte
	for _, b := range rec {
		sum -= b
	}
	return write(t, "a.hex", fmt.Sprintf(":%X%02X\n:00000001FF\n", rec, sum))
}

// How a mote can stop, and what exit status that gives.
func TestStops(t *testing.T) {
	for _, c := range []struct {
		reason string
		status int
		pc     uint32
		words  []uint16
	}{
		{"break", exitFine, 2, []uint16{0x0000, 0x9598}},
		{"bad_opcode", exitFound, 2, []uint16{0x0000, 0x0001}},
		{"off_code", exitFound, 2, []uint16{0x0000}},
		{"dead_sleep", exitFine, 4, []uint16{0xE081, 0xBF83, 0x9588}}, // ldi r24, 1; out SMCR, r24; sleep
	} {
		t.Run(c.reason, func(t *testing.T) {
			file := hexFile(t, c.words...)
			r := motehound(t, "run", "--chip", "atmega328p", "--json", file)
			doc := r.report(t)
			if r.status != c.status || len(doc.Stops) != 1 || doc.Stops[0].Reason != c.reason || doc.Stops[0].PC != c.pc {
				t.Errorf("got exit status %d, stops %+v, want %d, %s at %#x", r.status, doc.Stops, c.status, c.reason, c.pc)
			}
			text := motehound(t, "run", "--chip", "atmega328p", "--quiet", file)
			if want := "mote 0 stopped (" + c.reason + ")"; !strings.HasPrefix(text.stdout, want) || text.status != c.status || text.stderr != "" {
				t.Errorf("--quiet: got exit status %d, %q, %q, want %q", text.status, text.stdout, text.stderr, want)
			}
		})
	}
}

// The watchdog resets a mote that polls a register, although its time-out is noticed in the middle of an instruction.
func TestWatchdogWhilePolling(t *testing.T) {
	doc := runJSON(t, "--chip", "atmega328p", hexFile(t,
		0xB784, 0xFD83, 0x9598, // in r24, MCUSR; sbrc r24, WDRF; break
		0xE188, 0x9380, 0x0060, 0xE088, 0x9380, 0x0060, // WDTCSR = WDCE | WDE; WDTCSR = WDE: 16 ms
		0x9180, 0x00C0, 0xCFFD)) // lds r24, UCSR0A; rjmp back
	if len(doc.Stops) != 1 || doc.Stops[0].Reason != "break" || doc.Stops[0].PC != 4 {
		t.Errorf("got stops %+v, want the break at 4", doc.Stops)
	}
}

// Notices say what is not modelled, and where.
func TestNotice(t *testing.T) {
	file := hexFile(t, 0xEF8F, 0x9380, 0x00B7, 0x9598) // ldi r24, 0xFF; sts 0xB7, r24 (reserved); break
	doc := runJSON(t, "--board", "uno", "--no-checks", file)
	if len(doc.Notices) != 1 || doc.Notices[0].PC != 2 || !strings.Contains(doc.Notices[0].Text, "0xB7") {
		t.Errorf("got notices %+v, want one about 0xB7 at 2", doc.Notices)
	}
}

func TestBadInput(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	text := write(t, "notes.txt", "these are notes\n")
	empty := write(t, "empty.elf", "")
	nowhere := filepath.Join(t.TempDir(), "nowhere.elf")
	for _, c := range []struct {
		name string
		args string
		want string
	}{
		{"no command", "fly", `unknown command "fly"`},
		{"no firmware", "run", "give a firmware file"},
		{"two firmwares", "run a b", "one firmware file"},
		{"missing file", "run " + nowhere, "nowhere.elf"},
		{"folder", "run .", "is a folder"},
		{"not AVR", "run " + self, "not AVR"},
		{"text", "run " + text, "neither ELF, Intel HEX nor SREC"},
		{"empty", "run " + empty, "empty"},
		{"no such example", "run example:fly", "blink-micaz"},
		{"wrong board", "run --board uno example:blink-micaz", "built for the atmega128, not for the atmega328p"},
		{"wrong chip", "run --chip atmega2560 example:blink-uno", "built for the atmega328p"},
		{"unknown board", "run --board fly " + hexFile(t, 0), "micaz, mica2, uno, mega2560"},
		{"unknown chip", "run --chip fly " + hexFile(t, 0), "atmega128, atmega1281, atmega2560, atmega328p"},
		{"board and chip", "run --board uno --chip atmega328p example:blink", "not both"},
		{"hz and board", "run --board uno --hz 1000000 example:blink", "--hz needs --chip"},
		{"impossible clock", "run --chip atmega128 --hz 3 example:cpu-sort", "3 Hz"},
		{"no board", "run " + hexFile(t, 0), "micaz, mica2, uno, mega2560"},
		{"fuses", "run --fuses f example:blink", "six hexadecimal digits"},
		{"unknown flag", "run --fly example:blink", "--fly"},
		{"time", "run --time 10 example:blink", "--time"},
		{"no time", "run --time 0s example:blink", "--time"},
		{"long time", "run --time 9999999h example:blink", "--time"},
		{"nodes", "run --nodes 0 example:blink", "--nodes 0"},
		{"first id", "run --first-id 65535 --nodes 2 example:blink", "65535"},
		{"id without variable", "run --first-id 3 example:cpu-sort", "--id-symbol"},
		{"id symbol", "run --id-symbol fly example:blink", "fly"},
		{"sensor", "run --sensor 1 example:sense", "CHANNEL=READING"},
		{"sensor value", "run --sensor 1=1024 example:sense", "0 to 1023"},
		{"pace", "run --pace fly example:blink", "--pace"},
		{"pace 0", "run --pace 0 example:blink", "--pace"},
		{"dump", "run --dump fly example:blink", "no variable fly"},
		{"dump length", "run --dump 0x100:fly example:blink", "length"},
		{"dump without length", "run --dump 0x100 example:blink", "ADDR:LEN"},
		{"dump beyond", "run --dump 0x10f0:17 example:blink", "ends at 0x1100"},
		{"var", "run --var fly example:blink", "no variable fly"},
		{"serial kind", "run --serial 1=fly example:blink", "not a kind of endpoint"},
		{"serial mote", "run --serial 7=stdio example:blink", "there is no mote 7"},
		{"serial mote name", "run --serial x=stdio example:blink", "not a node id"},
		{"serial USART", "run --serial 1.2=stdio example:blink", "the last USART of"},
		{"serial port", "run --serial 1=tcp:x example:blink", "not a TCP port"},
		{"serial address", "run --serial 1=tcp:192.0.2.1:0 example:blink", "192.0.2.1"},
		{"serial twice", "run --serial 1=stdio --serial 1.0=stdio example:blink", "already connected"},
		{"serial input", "run --serial 1=file:" + nowhere + ".out," + nowhere + " example:blink", "nowhere.elf"},
		{"no recipe", "replay", "give a recipe"},
		{"missing recipe", "replay " + nowhere, "nowhere.elf"},
		{"not a recipe", "replay " + text, "not a recipe"},
		{"demo argument", "demo fly", "fly"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := motehound(t, strings.Fields(c.args)...)
			if r.status != exitUsage || !strings.Contains(r.stderr, c.want) || r.stdout != "" {
				t.Errorf("%s: exit status %d, output %q, want 2 and %q in:\n%s", c.args, r.status, r.stdout, c.want, r.stderr)
			}
		})
	}
}

// What a firmware runs on when the user does not say, and what the user is told about it.
func TestInference(t *testing.T) {
	elf := filepath.Join("..", "..", "examples", "elf")
	for _, c := range []struct {
		args  []string
		board string
		hertz uint64
		note  string
	}{
		{[]string{"example:blink"}, "micaz", 0, "runs on micaz"},
		{[]string{"example:blink-uno"}, "uno", 0, "runs on uno"},
		{[]string{"--board", "mica2", "example:blink"}, "mica2", 0, ""},
		{[]string{filepath.Join(elf, "blink-uno.elf")}, "uno", 0, "Arduino Uno"},
		{[]string{filepath.Join(elf, "cpu-sort.elf")}, "atmega128", 7_372_800, "no radio driver"},
		{[]string{"--chip", "atmega328p", "--hz", "8000000", "example:blink-uno"}, "atmega328p", 8_000_000, ""},
		{[]string{"--chip", "atmega328p", filepath.Join(elf, "blink-uno.elf")}, "atmega328p", 16_000_000, "16 MHz"},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			r := motehound(t, append([]string{"run", "--json", "--time", "1ms"}, c.args...)...)
			doc := r.report(t)
			if doc.Motes[0].Board != c.board || doc.Recipe.Motes[0].Hertz != c.hertz {
				t.Errorf("got %s at %d Hz, want %s at %d", doc.Motes[0].Board, doc.Recipe.Motes[0].Hertz, c.board, c.hertz)
			}
			if !strings.Contains(r.stderr, c.note) || c.note == "" && r.stderr != "" {
				t.Errorf("said %q, want %q", r.stderr, c.note)
			}
		})
	}
}

// Node ids are those of the rule in the help text, in the report and in the motes' memory.
func TestNodeIDs(t *testing.T) {
	for _, c := range []struct {
		args string
		want []uint16
	}{
		{"example:blink", []uint16{1}},
		{"--first-id 7 example:blink", []uint16{7}},
		{"--nodes 3 example:blink", []uint16{0, 1, 2}},
		{"--nodes 2 --first-id 5 example:blink", []uint16{5, 6}},
		{"--nodes 2 --id-symbol TOS_NODE_ID example:blink", []uint16{0, 1}},
	} {
		t.Run(c.args, func(t *testing.T) {
			doc := runJSON(t, append(strings.Fields(c.args), "--time", "10ms", "--stagger", "0s", "--var", "TOS_NODE_ID")...)
			var ids []uint16
			for i, m := range doc.Motes {
				ids = append(ids, m.ID)
				if v := doc.Vars[i]; v.Mote != m.ID || v.Value != float64(m.ID) {
					t.Errorf("mote %d has %+v", m.ID, v)
				}
			}
			if !slices.Equal(ids, c.want) {
				t.Errorf("got ids %v, want %v", ids, c.want)
			}
		})
	}
}

// Memory can be asked for by number and by name, and is the same either way.
func TestMemory(t *testing.T) {
	doc := runJSON(t, "example:serial", "--time", "2.5s", "--var", "TestSerialC__counter", "--var", "SerialReceiveP__counts.good",
		"--var", "SerialReceiveP__counts", "--dump", "TestSerialC__counter")
	byName := doc.Dump[0]
	byAddr := runJSON(t, "example:serial", "--time", "2.5s", "--dump", fmt.Sprintf("%#x:2", byName.Addr),
		"--dump", fmt.Sprintf("%#x:2", 0x800000+byName.Addr), "--dump", fmt.Sprintf("%d:2", byName.Addr))
	for _, d := range byAddr.Dump {
		if d.Addr != byName.Addr || d.Hex != byName.Hex || d.Hex != "0200" {
			t.Errorf("got %+v, want as %+v", d, byName)
		}
	}
	if v := doc.Vars[0]; v.Value != 2.0 || v.Text != "2" || v.Type != "uint16_t" {
		t.Errorf("counter: got %+v", v)
	}
	if v, ok := doc.Vars[2].Value.(map[string]any); !ok || v["good"] != doc.Vars[1].Value {
		t.Errorf("counts: got %+v", doc.Vars[2])
	}
}

// The same recipe gives the same hash on any number of cores, another seed another one.
func TestSameOnAllCores(t *testing.T) {
	hashes := map[string]bool{}
	for _, cores := range []string{"1", "2", "8"} {
		c := command(t, "run", "--json", "--nodes", "4", "--drift", "50", "--time", "3s", "example:sense")
		c.Env = append(c.Env, "GOMAXPROCS="+cores)
		hashes[finish(t, c).report(t).Hash] = true
	}
	if len(hashes) != 1 {
		t.Errorf("got hashes %v, want one", hashes)
	}
	other := runJSON(t, "--nodes", "4", "--drift", "50", "--time", "3s", "--seed", "2", "example:sense")
	if hashes[other.Hash] {
		t.Error("another seed gives the same hash")
	}
}

// Every field of every document is in lower_snake, and in docs/json.md.
func TestFieldsAreDocumented(t *testing.T) {
	docs, err := os.ReadFile(filepath.Join("..", "..", "docs", "json.md"))
	if err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	run := motehound(t, "run", "--json", "--out", out, "--nodes", "2", "--drift", "20", "--sensor", "1=3", "--var", "TOS_NODE_ID",
		"--dump", "0x100:4", "--id-symbol", "TOS_NODE_ID", "--fuses", "ffd9ff", "example:serial")
	bare := motehound(t, "run", "--json", "--chip", "atmega328p", hexFile(t, 0xEF8F, 0x9380, 0x00B7, 0x0001))
	again := motehound(t, "replay", "--json", filepath.Join(out, "recipe.json"))
	snake := regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)
	free := []string{"uart", "uart_left_out", "value"} // their keys are USARTs and fields of the user's variables
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, sub := range v {
				if !snake.MatchString(k) {
					t.Errorf("field %q is not lower_snake", k)
				}
				if !strings.Contains(string(docs), "`"+k+"`") {
					t.Errorf("docs/json.md does not tell of the field `%s`", k)
				}
				if !slices.Contains(free, k) {
					walk(sub)
				}
			}
		case []any:
			for _, sub := range v {
				walk(sub)
			}
		}
	}
	for _, r := range []result{run, bare, again} {
		var doc any
		if err := json.Unmarshal([]byte(r.stdout), &doc); err != nil {
			t.Fatalf("%v\n%s", err, r.stderr)
		}
		walk(doc)
	}
}

// The text for people has what the report has.
func TestText(t *testing.T) {
	r := motehound(t, "run", "--time", "2s", "--leds", "--trace-pins", "example:blink")
	for _, want := range []string{
		`(?m)^0\.24\d{7} s mote 1 LED red on$`, `(?m)^0\.24\d{7} s mote 1 pin PA2 low$`, `asleep \(power-save\)`, `14,745,600`,
		`LEDs of mote 1: 14 changes`, `  red     ········████████········`, `final state [0-9a-f]{32}`, `motehound replay`,
	} {
		if !regexp.MustCompile(want).MatchString(r.stdout) {
			t.Errorf("no %s in:\n%s", want, r.stdout)
		}
	}
	if r.status != exitFine || strings.Contains(r.stderr, "\r") {
		t.Errorf("exit status %d; progress although nobody sees it: %q", r.status, r.stderr)
	}
}

func TestVersionAndHelp(t *testing.T) {
	if r := motehound(t, "version"); r.status != exitFine || !strings.HasPrefix(r.stdout, "motehound ") {
		t.Errorf("version: %+v", r)
	}
	for _, args := range [][]string{{}, {"help"}, {"--help"}, {"run", "--help"}, {"help", "replay"}, {"demo", "--help"}} {
		if r := motehound(t, args...); r.status != exitFine || !strings.Contains(r.stdout, "Usage:") {
			t.Errorf("%v: %+v", args, r)
		}
	}
}

// A bug of ours is called one.
func TestInternalError(t *testing.T) {
	if os.Getenv("MOTEHOUND_TEST_PANIC") != "" {
		os.Exit(guarded(func() int { panic("BUG: on purpose") }))
	}
	c := command(t, "-test.run", "^TestInternalError$")
	c.Env = append(os.Environ(), "MOTEHOUND_TEST_PANIC=1")
	r := finish(t, c)
	if r.status != exitInternal || !strings.Contains(r.stderr, "internal error: BUG: on purpose") || !strings.Contains(r.stderr, "report") {
		t.Errorf("got %+v", r)
	}
}

// --blocks reports how much of the code is in blocks, and what ran outside of them.
func TestRunBlocks(t *testing.T) {
	dir := t.TempDir()
	elf := filepath.Join(dir, "hidden.elf")
	tool(t, "gcc-avr avr-libc", "avr-gcc", "-mmcu=atmega128", "-Os", "-o", elf, filepath.Join("..", "..", "observe", "stray", "testdata", "hidden.c"))
	r := motehound(t, "run", "--blocks", "--time", "10ms", "--chip", "atmega128", elf)
	if r.status != exitFine || !strings.Contains(r.stdout, "  4 instructions ran outside of every block\n") || !strings.Contains(r.stdout, " hidden, ") {
		t.Errorf("exit status %d:\n%s%s", r.status, r.stdout, r.stderr)
	}
	r = motehound(t, "run", "--blocks", "--json", "--time", "100ms", "example:sense-micaz")
	var doc document.Run
	if err := json.Unmarshal([]byte(r.stdout), &doc); err != nil {
		t.Fatalf("%v\n%s", err, r.stdout)
	}
	if len(doc.Code) != 1 || doc.Code[0].BlockWords < doc.Code[0].ImageWords/2 || doc.Code[0].WithoutWords*50 > doc.Code[0].BlockWords || len(doc.Code[0].Outside) != 0 {
		t.Errorf("%+v", doc.Code)
	}
}
