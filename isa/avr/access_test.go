package avr

import (
	"fmt"
	"strings"
	"testing"
)

// Every opcode that the disassembler calls a load or a store accesses what its operand says, and no other opcode does.
func TestAccessIsAsWritten(t *testing.T) {
	kinds := map[string]int{}
	for word := range 1 << 16 {
		in := Decode(uint16(word), 0x0123, 0x100, Need(0xffff), 1<<16)
		name, operands, _ := strings.Cut(strings.ReplaceAll(in.String(), "\t", " "), " ")
		got := in.Access()
		var register, address string
		switch name {
		case "ld", "ldd", "lds":
			register, address, _ = strings.Cut(operands, ",")
		case "st", "std", "sts":
			address, register, _ = strings.Cut(operands, ",")
		default:
			if got.Space == DataMemory {
				t.Errorf("%v accesses %+v", in, got)
			}
			continue
		}
		want := Access{Space: DataMemory, Bytes: 1, Reads: name[0] == 'l', Writes: name[0] == 's'}
		if register = strings.TrimSpace(register); register != fmt.Sprintf("r%d", in.D) {
			t.Errorf("%v: the register is r%d", in, in.D)
		}
		address = strings.TrimSpace(address)
		kind := name
		if pair := strings.IndexAny(address, "XYZ"); pair < 0 {
			want.Offset = 0x0123
		} else {
			want.Base = map[byte]uint8{'X': 26, 'Y': 28, 'Z': 30}[address[pair]]
			kind += " " + address[:pair] + address[pair:pair+1]
			switch rest := address[pair+1:]; {
			case pair == 1:
				want.Offset, want.Step = ^uint16(0), -1
			case len(rest) > 1:
				fmt.Sscanf(rest, "+%d", &want.Offset)
			case rest == "+":
				want.Step = 1
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
