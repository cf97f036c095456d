package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"motehound/firmware/image"
	"motehound/internal/need"
)

// bootloaders is where Debian's arduino-core-avr has the boot loaders of real boards.
const bootloaders = "/usr/share/arduino/hardware/arduino/avr/bootloaders/"

// tool runs a program of a Debian package.
func tool(t *testing.T, pkg, name string, args ...string) string {
	t.Helper()
	need.Tools(t, name)
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

func debianFile(t *testing.T, path string) string {
	t.Helper()
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("%v: apt-get install arduino-core-avr", err)
	}
	return path
}

// optiboot is the boot loader of the Uno as Debian ships it. Debian's compiler made it 532 bytes long, 20 more than the 512
// of the Uno's boot section: its version word lies on its own code, and its end is past that of flash. On the chip, where
// addresses wrap, that end is at address 0, and so it works once: it is what waits for the first program that is uploaded,
// and is overwritten by it.
const optiboot = bootloaders + "optiboot/optiboot_atmega328.hex"

// movedOptiboot is the same code where it has room, so that it stays: 512 bytes lower, in a boot section of 1 KiB (BOOTSZ =
// 10: ATmega328P datasheet, Table 26-13), without the version word. Its code does not depend on where it stands.
func movedOptiboot(t *testing.T) (hexFile, fuses string) {
	file := debianFile(t, optiboot)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var code []string
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, ":027FFE") {
			code = append(code, line)
		}
	}
	long := write(t, "optiboot.hex", strings.Join(code, ""))
	moved := filepath.Join(t.TempDir(), "moved.hex")
	tool(t, "binutils-avr", "avr-objcopy", "-I", "ihex", "-O", "ihex", "--change-addresses", "-0x200", long, moved)
	return moved, "ffdcfd"
}

// uploads checks that avrdude can program a board through its boot loader, read the program back, and that the program
// then runs.
type uploads struct {
	board      string
	bootloader string
	fuses      []string
	program    string   // an ELF file
	sign       string   // what only the program does, as a line of a trace
	avrdude    []string // which part, programmer and speed
	readAll    bool     // read all of flash back, not only what was written: 256 KiB take half a minute
	once       bool     // the boot loader does not survive the first program
}

// dude runs avrdude. It keeps time by its own clock: on a machine that is too busy to run both, it gives up, and is tried
// again, as people do.
func (u uploads) dude(t *testing.T, s *started, tty, memory string) string {
	t.Helper()
	need.Tools(t, "avrdude")
	const attempts = 3
	for n := 1; ; n++ {
		out, err := need.Command(t, "avrdude", append([]string{"-P", tty, "-D", "-U", memory}, u.avrdude...)...).CombinedOutput()
		s.await("opened, mote reset")
		if err == nil {
			return string(out)
		}
		if n == attempts {
			t.Fatalf("avrdude: %v\n%s\nmotehound said:\n%s", err, out, s.said())
		}
		t.Logf("avrdude, attempt %d: %v\n%s", n, err, out)
	}
}

func (u uploads) check(t *testing.T) {
	home := t.TempDir()
	tty, out := filepath.Join(home, "tty"), filepath.Join(home, "kept")
	program, back := filepath.Join(home, "program.hex"), filepath.Join(home, "back.hex")
	tool(t, "binutils-avr", "avr-objcopy", "-O", "ihex", u.program, program)

	s := start(t, append([]string{"run", "--board", u.board, "--serial", "0=pty:" + tty, "--time", "100h", "--trace-pins", "--json",
		"--out", out, u.bootloader}, u.fuses...)...)
	s.await("serial 0: ")
	if said := u.dude(t, s, tty, "flash:w:"+program+":i"); !strings.Contains(said, "bytes of flash verified") {
		t.Errorf("avrdude did not verify:\n%s", said)
	}
	s.await(u.sign)
	resets := 1
	if !u.once {
		resets = 2
		if u.readAll {
			u.dude(t, s, tty, "flash:r:"+back+":i")
			same(t, program, back)
		} else {
			u.dude(t, s, tty, "flash:v:"+program+":i")
		}
		s.await(u.sign)
	}

	r := s.interrupt()
	if r.status != exitStopped {
		t.Fatalf("exit status %d\n%s", r.status, r.stderr)
	}
	if doc := r.report(t); len(doc.Recipe.Resets) < resets || len(doc.Stops) != 0 {
		t.Errorf("got resets %v, stops %v, want %d resets", doc.Recipe.Resets, doc.Stops, resets)
	}
	replays(t, out)
}

// same checks that a program is in what was read back.
func same(t *testing.T, program, back string) {
	t.Helper()
	wrote, err := image.Load(program)
	if err != nil {
		t.Fatal(err)
	}
	read, err := image.Load(back)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(wrote.Flash); len(read.Flash) < n || !bytes.Equal(read.Flash[:n], wrote.Flash) {
		t.Errorf("read back %d bytes, which differ from the %d that were written", len(read.Flash), n)
	}
}

// avrdude uploads a program into an Uno that runs Debian's optiboot as it is, reads it back and verifies it; then the
// program runs. The piece that switches the watchdog off is among what the program has overwritten, so it does that.
func TestAvrdudeOptiboot(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes as long as on a real board")
	}
	elf := filepath.Join(t.TempDir(), "program.elf")
	tool(t, "gcc-avr avr-libc", "avr-gcc", "-mmcu=atmega328p", "-DF_CPU=16000000UL", "-Os", "-o", elf, filepath.Join("testdata", "tick_uno.c"))
	uploads{
		board: "uno", bootloader: debianFile(t, optiboot),
		program: elf,
		sign:    "pin PB0 high",
		avrdude: []string{"-p", "m328p", "-c", "arduino", "-b", "115200"},
		once:    true,
	}.check(t)
}

// avrdude uploads Blink into an Uno with an optiboot that stays; asked again, it reads all of flash back.
func TestAvrdudeOptibootAgain(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes as long as on a real board")
	}
	loader, fuses := movedOptiboot(t)
	uploads{
		board: "uno", bootloader: loader, fuses: []string{"--fuses", fuses},
		program: filepath.Join("..", "..", "examples", "elf", "blink-uno.elf"),
		sign:    "pin PB4 high", // its second LED
		avrdude: []string{"-p", "m328p", "-c", "arduino", "-b", "115200"},
		readAll: true,
	}.check(t)
}

// avrdude uploads a program into a Mega 2560 that runs Debian's build of its boot loader, as it is.
func TestAvrdudeMega2560(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes as long as on a real board")
	}
	elf := filepath.Join(t.TempDir(), "program.elf")
	tool(t, "gcc-avr avr-libc", "avr-gcc", "-mmcu=atmega2560", "-Os", "-o", elf, filepath.Join("testdata", "tick.c"))
	uploads{
		board: "mega2560", bootloader: debianFile(t, bootloaders+"stk500v2/stk500boot_v2_mega2560.hex"),
		program: elf,
		sign:    "pin PB0 high",
		avrdude: []string{"-p", "m2560", "-c", "wiring", "-b", "115200"},
	}.check(t)
}
