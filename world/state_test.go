package world

import (
	"reflect"
	"testing"

	"motehound/mote/digest"
)

// State is hashed as bytes: it must have no pointers and no padding.
func TestStateIsPlain(t *testing.T) {
	for _, typ := range []reflect.Type{
		reflect.TypeFor[state](), reflect.TypeFor[moteState](),
	} {
		if err := digest.Plain(typ); err != nil {
			t.Error(err)
		}
	}
}
