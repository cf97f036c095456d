package radio

import (
	"reflect"
	"testing"

	"motehound/mote/digest"
)

func TestCC2420StateIsPlain(t *testing.T) {
	t.Parallel()
	if err := digest.Plain(reflect.TypeFor[CC2420State]()); err != nil {
		t.Error(err)
	}
	t.Log(reflect.TypeFor[CC2420State]().Size())
}
