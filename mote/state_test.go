package mote

import (
	"reflect"
	"testing"

	"motehound/mote/digest"
)

// State is hashed as bytes: it must have no pointers and no padding.
func TestStateIsPlain(t *testing.T) {
	if err := digest.Plain(reflect.TypeFor[state]()); err != nil {
		t.Error(err)
	}
}
