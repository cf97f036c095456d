package image

import "testing"

func TestOwn(t *testing.T) {
	t.Parallel()
	im := load(t, "../../examples/elf/drop-mica2.elf")
	for file, want := range map[string]bool{
		"examples/drop/drop.c":                     true,
		"examples/kernel/mica2/cc1000_link.c":      false,
		"examples/avr-libc/util/atomic.h":          false,
		"RelayC.nc":                                true,
		"../lib/Shared.nc":                         true,
		"/opt/tinyos-2.x/tos/chips/cc2420/Foo.nc":  false,
		"/opt/tinyos-2.x/apps/tests/Test/TestC.nc": true,
		"C:\\contiki\\core\\net\\rime.c":           false,
		"/home/u/contiki/examples/hello/hello.c":   true,
		"/usr/share/arduino/libraries/Wire/Wire.c": false,
		"/tmp/build123/sketch/blink.cpp":           true,
		"/usr/lib/avr/include/util/delay.h":        false,
		"/usr/lib/gcc/avr/5.4.0/include/stdint.h":  false,
		"":                   false,
		"core.c":             true, // a file, and no folder
		"examples/tos/app.c": false,
		"/somewhere/kernel/sources/examples/main.c": false,
	} {
		if got := im.Own(file); got != want {
			t.Errorf("%s: %v", file, got)
		}
	}
	if !im.HasLibrary() {
		t.Error("the application cannot be told from the kernel")
	}
	if load(t, "testdata/calls-dwarf4.elf").HasLibrary() {
		t.Error("a program of one file has a library")
	}
}
