package reception

import (
	"reflect"
	"testing"

	"motehound/mote/digest"
)

// State is hashed as bytes: it must have no pointers and no padding.
func TestStateIsPlain(t *testing.T) {
	for _, typ := range []reflect.Type{reflect.TypeFor[Item](), reflect.TypeFor[ears](), reflect.TypeFor[Char](), reflect.TypeFor[Line](), reflect.TypeFor[openFrame]()} {
		if err := digest.Plain(typ); err != nil {
			t.Error(err)
		}
	}
}
