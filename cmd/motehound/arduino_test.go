package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"motehound/internal/need"
)

// arduino is where Debian's arduino-core-avr has the sources that sketches are built on.
const arduino = "/usr/share/arduino/hardware/arduino/avr/"

// buildSketch compiles a sketch with all of Arduino's core for an Uno, as the Arduino IDE does.
func buildSketch(t *testing.T, sketch string) string {
	t.Helper()
	core := debianFile(t, arduino+"cores/arduino")
	var sources []string
	for _, ext := range []string{"*.c", "*.cpp", "*.S"} {
		found, err := filepath.Glob(filepath.Join(core, ext))
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, found...)
	}
	if len(sources) < 20 {
		t.Fatalf("only %d sources in %s: apt-get install arduino-core-avr", len(sources), core)
	}
	need.Tools(t, "avr-g++")
	flags := []string{"-mmcu=atmega328p", "-DF_CPU=16000000L", "-DARDUINO=10807", "-DARDUINO_AVR_UNO", "-DARDUINO_ARCH_AVR", "-Os", "-w",
		"-gdwarf-4", "-ffunction-sections", "-fdata-sections", "-I" + core, "-I" + arduino + "variants/standard"}
	dir := t.TempDir()
	var (
		objects []string
		wait    sync.WaitGroup
		mu      sync.Mutex
		failed  []string
		slots   = make(chan bool, 4)
	)
	for i, source := range append(sources, sketch) {
		object := filepath.Join(dir, fmt.Sprintf("%d.o", i))
		objects = append(objects, object)
		compiler, args := "avr-gcc", append([]string{"-c", source, "-o", object}, flags...)
		switch filepath.Ext(source) {
		case ".cpp":
			// Debian's float.h has C11's DECIMAL_DIG for C only, and WString.cpp wants it.
			compiler, args = "avr-g++", append(args, "-std=gnu++11", "-fno-exceptions", "-fno-threadsafe-statics", "-fpermissive",
				"-DDECIMAL_DIG=__DECIMAL_DIG__")
		case ".S":
			args = append(args, "-x", "assembler-with-cpp")
		}
		wait.Add(1)
		go func() {
			defer wait.Done()
			slots <- true
			defer func() { <-slots }()
			if out, err := exec.Command(compiler, args...).CombinedOutput(); err != nil {
				mu.Lock()
				defer mu.Unlock()
				failed = append(failed, fmt.Sprintf("%s: %v\n%s", source, err, out))
			}
		}()
	}
	wait.Wait()
	if len(failed) > 0 {
		t.Fatal(strings.Join(failed, "\n"))
	}
	elf := filepath.Join(dir, "sketch.elf")
	tool(t, "gcc-avr avr-libc", "avr-gcc", append(objects, "-mmcu=atmega328p", "-Os", "-Wl,--gc-sections", "-lm", "-o", elf)...)
	return elf
}

// A sketch on Arduino's own sources runs: Serial, millis, delay, the ADC, PWM, tone, an external interrupt.
func TestArduinoSketch(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("compiling the core takes long")
	}
	elf := buildSketch(t, filepath.Join("testdata", "sketch.cpp"))
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
