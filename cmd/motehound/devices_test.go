package main

import (
	"fmt"
	"strings"
	"testing"
)

// Devices on the I2C bus and the SPI answer from a table: a list, a dict or a function of the register.
func TestDevices(t *testing.T) {
	t.Parallel()
	elf := compiled(t, "bus.c", "atmega328p")
	scenario := func(more string) string {
		return write(t, "a.star", fmt.Sprintf(`network(motes = [mote(board = "uno", firmware = %q)])
run(time = "50ms")
%s
`, elf, more))
	}
	for _, tt := range []struct{ more, i2c, spi, absent string }{
		{`i2c(mote = 0, address = 0x48, registers = [0, 0, 0, 0, 0, 10, 11])`, "[10, 11]", "[255, 255]", "1"},
		{`i2c(mote = 0, address = 0x48, registers = {5: 7})
spi(mote = 0, select = "PB2", registers = lambda r: r * 2 % 256)`, "[7, 0]", "[32, 34]", "1"},
		{`i2c(mote = 0, address = 0x49, registers = [1])`, "[255, 255]", "[255, 255]", "0"},
	} {
		out := t.TempDir()
		doc := runJSON(t, "--var", "i2c", "--var", "spi", "--var", "absent", "--out", out, scenario(tt.more))
		if doc.Vars[0].Text != tt.i2c || doc.Vars[1].Text != tt.spi || doc.Vars[2].Text != tt.absent {
			t.Errorf("%s: got %s, %s, %s", tt.more, doc.Vars[0].Text, doc.Vars[1].Text, doc.Vars[2].Text)
		}
		replays(t, out)
	}
	file := scenario(`i2c(mote = 0, address = 0x48, registers = {5: 7, 6: 9})
spi(mote = 0, select = "PB2", registers = lambda r: r * 2 % 256)
always("i2c", each(lambda n: n.var("i2c")[1] != 9))
always("spi", each(lambda n: n.var("spi")[1] != 34))`)
	for _, command := range []string{"check", "symbolic"} {
		if r := motehound(t, command, "--budget", "5s", file); r.status != exitFound || !strings.Contains(r.stdout, "violated: 2 findings") {
			t.Errorf("%s: exit status %d\n%s%s", command, r.status, r.stdout, r.stderr)
		}
	}
	for more, want := range map[string]string{
		`i2c(mote = 0, address = 200, registers = [1])`:                  "address",
		`i2c(mote = 0, address = 1, registers = [256])`:                  "register 0",
		`i2c(mote = 0, address = 1, registers = "x")`:                    "want a list, a dict or a function",
		`spi(mote = 0, select = "PC7", registers = [1])`:                 "no such pad",
		`for i in range(2): i2c(mote = 0, address = 1, registers = [1])`: "another device there",
		`for i in range(9): i2c(mote = 0, address = i, registers = [1])`: "more than 8 devices",
	} {
		if r := motehound(t, "run", scenario(more)); r.status != exitUsage || !strings.Contains(r.stderr, want) {
			t.Errorf("%s: exit status %d, %s", more, r.status, r.stderr)
		}
	}
}
