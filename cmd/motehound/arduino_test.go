package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"motehound/internal/need"
)

// arduino is where Debian's arduino-core-avr has the sources that sketches are built on.
const arduino = "/usr/share/arduino/hardware/arduino/avr/"

// arduinoFlags compile for an Uno, as the Arduino IDE does.
var arduinoFlags = []string{"-mmcu=atmega328p", "-DF_CPU=16000000L", "-DARDUINO=10807", "-DARDUINO_AVR_UNO", "-DARDUINO_ARCH_AVR", "-Os", "-w",
	"-gdwarf-4", "-ffunction-sections", "-fdata-sections", "-I" + arduino + "cores/arduino", "-I" + arduino + "variants/standard",
	"-I" + arduino + "libraries/EEPROM/src", "-I" + arduino + "libraries/SPI/src", "-I" + arduino + "libraries/SoftwareSerial/src",
	"-I" + arduino + "libraries/Wire/src"}

// compileArduino compiles a source of C, C++ or assembly.
func compileArduino(source, object string, flags ...string) error {
	compiler, args := "avr-gcc", slices.Concat([]string{"-c", source, "-o", object}, arduinoFlags, flags)
	switch filepath.Ext(source) {
	case ".cpp":
		// Debian's float.h has C11's DECIMAL_DIG for C only, and WString.cpp wants it.
		compiler, args = "avr-g++", append(args, "-std=gnu++11", "-fno-exceptions", "-fno-threadsafe-statics", "-fpermissive",
			"-DDECIMAL_DIG=__DECIMAL_DIG__")
	case ".S":
		args = append(args, "-x", "assembler-with-cpp")
	}
	if out, err := exec.Command(compiler, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", source, err, out)
	}
	return nil
}

// theCore is what arduinoCore has made, for all tests.
var theCore struct {
	sync.Mutex
	dir, archive string
}

// arduinoCore compiles all of Arduino's core and its libraries into an archive.
func arduinoCore(t *testing.T) string {
	t.Helper()
	theCore.Lock()
	defer theCore.Unlock()
	if theCore.archive != "" {
		return theCore.archive
	}
	debianFile(t, arduino+"cores/arduino")
	need.Tools(t, "avr-g++", "avr-gcc", "avr-ar")
	var sources []string
	for _, files := range []string{"cores/arduino/*.c", "cores/arduino/*.cpp", "cores/arduino/*.S", "libraries/SPI/src/*.cpp",
		"libraries/SoftwareSerial/src/*.cpp", "libraries/Wire/src/*.cpp", "libraries/Wire/src/utility/*.c"} {
		found, err := filepath.Glob(arduino + files)
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, found...)
	}
	if len(sources) < 20 {
		t.Fatalf("only %d sources in %s: apt-get install arduino-core-avr", len(sources), arduino)
	}
	dir, err := os.MkdirTemp("", "arduino-core-")
	if err != nil {
		t.Fatal(err)
	}
	theCore.dir = dir
	archive := filepath.Join(dir, "core.a")
	args := []string{"rcs", archive}
	var wait sync.WaitGroup
	failed, slots := make([]error, len(sources)), make(chan bool, 4)
	for i, source := range sources {
		object := filepath.Join(dir, fmt.Sprintf("%d.o", i))
		args = append(args, object)
		wait.Go(func() {
			slots <- true
			failed[i] = compileArduino(source, object)
			<-slots
		})
	}
	wait.Wait()
	if err := errors.Join(failed...); err != nil {
		t.Fatal(err)
	}
	tool(t, "binutils-avr", "avr-ar", args...)
	theCore.archive = archive
	return archive
}

// prototype is the beginning of a function in a sketch.
var prototype = regexp.MustCompile(`(?m)^((?:unsigned |const )?\w+[ *&]+\w+ ?\([^;{})]*\))\s*\{`)

// buildSketch compiles a sketch and links it with the core. As in the IDE, its functions need not be declared.
func buildSketch(t *testing.T, core, sketch string, flags ...string) string {
	t.Helper()
	dir := t.TempDir()
	source, object, elf := filepath.Join(dir, "sketch.cpp"), filepath.Join(dir, "sketch.o"), filepath.Join(dir, "sketch.elf")
	text, err := os.ReadFile(sketch)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	fmt.Fprintln(&b, "#include <Arduino.h>")
	for _, f := range prototype.FindAllSubmatch(text, -1) {
		fmt.Fprintf(&b, "%s;\n", f[1])
	}
	fmt.Fprintf(&b, "#line 1 %q\n%s", sketch, text)
	if err := os.WriteFile(source, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := compileArduino(source, object, flags...); err != nil {
		t.Fatal(err)
	}
	tool(t, "gcc-avr avr-libc", "avr-gcc", object, core, "-mmcu=atmega328p", "-Os", "-Wl,--gc-sections", "-lm", "-o", elf)
	return elf
}

// A sketch on Arduino's own sources runs: Serial, millis, delay, the ADC, PWM, tone, an external interrupt.
func TestArduinoSketch(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("compiling the core takes long")
	}
	elf := buildSketch(t, arduinoCore(t), filepath.Join("testdata", "sketch.cpp"))
	c := command(t, "run", "--json", "--time", "450ms", "--sensor", "0=513", "--serial", "0=stdio", "--var", "presses", "--trace-pins", elf)
	c.Stdin = strings.NewReader("A")
	r := finish(t, c)
	doc := r.report(t)
	want := strings.Join([]string{
		"sketch on testdata/sketch.cpp", "analog 513", "pi 3.1416",
		"tick 0 after 100", "got 41", "tick 1 after 100", "tick 2 after 100", "tick 3 after 100", "",
	}, "\r\n")
	m := doc.Motes[0]
	// millis counts in steps of 1.024 ms and makes up for it now and then: 100 ms may be 101.
	if got := strings.ReplaceAll(m.UART["0"], "after 101", "after 100"); got != want || m.Board != "uno" {
		t.Errorf("it printed\n%q on %s, want\n%q", got, m.Board, want)
	}
	if doc.Vars[0].Value != 1.0 {
		t.Errorf("presses is %v, want 1", doc.Vars[0].Value)
	}
	// Pin 12 (PB4) has 50 ms of 1 kHz, pin 6 (PD6) PWM from timer 0: 16 MHz / 64 / 256.
	if n := strings.Count(r.stderr, "pin PB4 high"); n != 50 {
		t.Errorf("tone: %d pulses, want 50", n)
	}
	if n := strings.Count(r.stderr, "pin PD6 high"); n < 430 || n > 440 {
		t.Errorf("PWM: %d pulses in 450 ms, want 976 Hz", n)
	}
	if m.LEDs&1 != 1 || len(doc.Stops) != 0 {
		t.Errorf("got LEDs %03b, stops %v", m.LEDs, doc.Stops)
	}
	if len(doc.Notices) != 0 {
		t.Errorf("got notices %v", doc.Notices)
	}
}

// sketchBugs are sketches with a bug, and as what check has to report it. Their sources say where it is.
var sketchBugs = map[string]string{"encoder": "race: torn read of position", "clicks": "race: lost update of clicks", "rain": "race: lost update of tips"}

// Bugs of interrupts are found in sketches, and nothing is where they are fixed.
func TestSketchesWithBugs(t *testing.T) {
	if testing.Short() {
		t.Skip("compiling the core takes long")
	}
	core := arduinoCore(t)
	for name, property := range sketchBugs {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sketch := filepath.Join("..", "..", "examples", "arduino", name, name+".ino")
			text, err := os.ReadFile(sketch)
			if err != nil {
				t.Fatal(err)
			}
			flags := []string{"--threads", "1", "--budget", "0", "--events", "500", "--total", "1000", "--button", "PD2", "--depth"}
			depths := [2]string{"5", "7"}
			if name == "rain" { // whose rounds are long
				flags = []string{"--threads", "1", "--budget", "0", "--events", "60", "--total", "60", "--button", "PD2", "--depth"}
				depths = [2]string{"2", "2"}
			}
			d := checkJSON(t, exitFound, append(flags, depths[0], buildSketch(t, core, sketch))...)
			if len(d.Findings) != 1 || d.Findings[0].Property != property {
				t.Fatalf("found %v, want %s", causes(d), property)
			}
			if name == "encoder" && !strings.HasPrefix(d.Findings[0].Detail, "shown is -256, would be -1 or 0") {
				t.Errorf("%s: the position is an int", d.Findings[0].Detail)
			}
			before, _, _ := strings.Cut(string(text), "// BUG")
			if f := d.Findings[0]; filepath.Base(f.File) != name+".ino" || f.Line != 1+strings.Count(before, "\n") {
				t.Errorf("found at %s:%d", f.File, f.Line)
			}
			if d := checkJSON(t, exitFine, append(flags, depths[1], buildSketch(t, core, sketch, "-DFIXED"))...); len(d.Findings) != 0 {
				t.Errorf("fixed, found %v", causes(d))
			}
		})
	}
}

// Nothing is found in the examples of Arduino's libraries, except what is true: one reads a text from the EEPROM, and where that is erased the
// text has no end. Each is walked through once; with MOTEHOUND_LONG=1 five times.
func TestLibraryExamples(t *testing.T) {
	if testing.Short() {
		t.Skip("compiling the core takes long")
	}
	core := arduinoCore(t)
	sketches, err := filepath.Glob(arduino + "libraries/*/examples/*/*.ino")
	if err != nil || len(sketches) < 15 {
		t.Fatalf("%d sketches, %v", len(sketches), err)
	}
	total := "300"
	if need.Long() {
		total = "5000"
	}
	for _, sketch := range sketches {
		name := strings.TrimSuffix(filepath.Base(sketch), ".ino")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			args := []string{"--mode", "walk", "--threads", "1", "--budget", "0", "--events", total, "--prefix", "30", "--total", total, "--serial-in", "hello 12\\n",
				buildSketch(t, core, sketch)}
			if name == "eeprom_get" {
				if d := checkJSON(t, exitFound, args...); len(d.Findings) != 1 || d.Findings[0].Property != "memory: bounds" ||
					!strings.Contains(d.Findings[0].Detail, "customVar.name") {
					t.Errorf("found %v", causes(d))
				}
				return
			}
			if d := checkJSON(t, exitFine, args...); len(d.Findings) != 0 {
				t.Errorf("found %v", causes(d))
			}
		})
	}
}
