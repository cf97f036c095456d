package avr

import (
	"fmt"
	"strings"
	"testing"
)

// Every opcode that the disassembler calls a load or a store moves what its operand says, and no other opcode moves anything.
func TestOperand(t *testing.T) {
	kinds := map[string]int{}
	for word := range 1 << 16 {
		in := Decode(uint16(word), 0x0123, 0x100, Need(0xffff), 1<<16)
		name, operands, _ := strings.Cut(strings.ReplaceAll(in.String(), "\t", " "), " ")
		got, ok := in.Operand()
		var register, address string
		switch name {
		case "ld", "ldd", "lds":
			register, address, _ = strings.Cut(operands, ",")
		case "st", "std", "sts":
			address, register, _ = strings.Cut(operands, ",")
		default:
			if ok {
				t.Errorf("%v moves %+v", in, got)
			}
			continue
		}
		want := Operand{Store: name[0] == 's'}
		if _, err := fmt.Sscanf(strings.TrimSpace(register), "r%d", &want.Register); err != nil {
			t.Fatalf("%v: %v", in, err)
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
				want.Offset = ^uint16(0)
			case len(rest) > 1:
				fmt.Sscanf(rest, "+%d", &want.Offset)
			default:
				kind += rest
			}
		}
		if kinds[kind]++; !ok || got != want {
			t.Errorf("%v: got %+v, want %+v", in, got, want)
		}
	}
	if len(kinds) < 18 { // lds and sts, X three times, Y and Z at least so often, each as a load and a store
		t.Errorf("only %d kinds of loads and stores: %v", len(kinds), kinds)
	}
}
