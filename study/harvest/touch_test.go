package harvest

import (
	"fmt"
	"strings"
	"testing"

	"motehound/isa/avr"
)

// Every opcode that the disassembler calls a load or a store touches what its operand says, and no other opcode touches anything.
func TestTouchOf(t *testing.T) {
	kinds := map[string]int{}
	for word := range 1 << 16 {
		in := avr.Decode(uint16(word), 0x0123, 0x100, avr.Need(0xffff), 1<<16)
		name, operands, _ := strings.Cut(strings.ReplaceAll(in.String(), "\t", " "), " ")
		got := touchOf(in)
		var register, address string
		switch name {
		case "ld", "ldd", "lds":
			register, address, _ = strings.Cut(operands, ",")
		case "st", "std", "sts":
			address, register, _ = strings.Cut(operands, ",")
		default:
			if got.is {
				t.Errorf("%v touches %+v", in, got)
			}
			continue
		}
		want := touch{is: true, write: name[0] == 's'}
		if _, err := fmt.Sscanf(strings.TrimSpace(register), "r%d", &want.register); err != nil {
			t.Fatalf("%v: %v", in, err)
		}
		address = strings.TrimSpace(address)
		kind := name
		if pair := strings.IndexAny(address, "XYZ"); pair < 0 {
			want.offset = 0x0123
		} else {
			want.base = map[byte]uint8{'X': 26, 'Y': 28, 'Z': 30}[address[pair]]
			kind += " " + address[:pair] + address[pair:pair+1]
			switch rest := address[pair+1:]; {
			case pair == 1:
				want.offset = ^uint16(0)
			case len(rest) > 1:
				fmt.Sscanf(rest, "+%d", &want.offset)
			default:
				kind += rest
			}
		}
		if kinds[kind]++; got != want {
			t.Errorf("%v: got %+v, want %+v", in, got, want)
		}
	}
	if len(kinds) < 18 { // lds and sts, X three times, Y and Z at least so often, each as a load and a store
		t.Errorf("only %d kinds of loads and stores: %v", len(kinds), kinds)
	}
}
