package live

import (
	"strings"
	"testing"
)

func TestParseSpec(t *testing.T) {
	for text, want := range map[string]Spec{
		"stdio":               {Mote: -1, USART: -1, Kind: "stdio"},
		"0=stdio":             {Mote: 0, USART: -1, Kind: "stdio"},
		"65535.3=pty":         {Mote: 65535, USART: 3, Kind: "pty"},
		"pty:links/a=b":       {Mote: -1, USART: -1, Kind: "pty", Arg: "links/a=b"},
		"7=tcp:9001":          {Mote: 7, USART: -1, Kind: "tcp", Arg: "127.0.0.1:9001"},
		"tcp:0.0.0.0:0":       {Mote: -1, USART: -1, Kind: "tcp", Arg: "0.0.0.0:0"},
		"1.1=tcp:[::1]:80":    {Mote: 1, USART: 1, Kind: "tcp", Arg: "[::1]:80"},
		"1=file:out":          {Mote: 1, USART: -1, Kind: "file", Arg: "out"},
		"file:a/out,b/in.bin": {Mote: -1, USART: -1, Kind: "file", Arg: "a/out", In: "b/in.bin"},
	} {
		if got, err := ParseSpec(text); err != nil || got != want {
			t.Errorf("%q: got %+v, %v, want %+v", text, got, err, want)
		}
	}
	for _, text := range []string{
		"", "1", "1=", "=stdio", "-1=stdio", "65536=stdio", "1.4=stdio", "1.=stdio", "stdio:x", "pty:", "tcp", "tcp:", "tcp:x",
		"tcp:1:2:3", "tcp:99999", "file", "file:", "file:,in", "serial",
	} {
		if got, err := ParseSpec(text); err == nil || !strings.Contains(err.Error(), Usage) {
			t.Errorf("%q: got %+v, %v, want an error with the forms", text, got, err)
		}
	}
}
