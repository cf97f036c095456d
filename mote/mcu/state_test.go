package mcu

import (
	"reflect"
	"testing"

	"motehound/isa/avr"
	"motehound/mote/digest"
)

// State is hashed as bytes: it must have no pointers and no padding.
func TestStateIsPlain(t *testing.T) {
	for _, typ := range []reflect.Type{reflect.TypeFor[state](), reflect.TypeFor[avr.State]()} {
		if err := digest.Plain(typ); err != nil {
			t.Error(err)
		}
	}
}
