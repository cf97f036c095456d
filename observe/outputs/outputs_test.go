package outputs

import (
	"runtime"
	"testing"

	"motehound/internal/testkit"
	"motehound/world"
)

// Of a USART that sends for days the first bytes are kept, and the others are counted.
func TestSentIsBounded(t *testing.T) {
	var s sent
	for i := range maxSent + 1000 {
		s.add(byte(i))
	}
	if len(s.first) != maxSent || s.beyond != 1000 || s.first[0] != 0 || s.first[maxSent-1] != (maxSent-1)&0xFF {
		t.Errorf("%d bytes are kept, %d left out", len(s.first), s.beyond)
	}
}

// A run of days takes no more memory than one of an hour: when as much is kept as is kept at most, nothing grows any more.
func TestRunDoesNotGrow(t *testing.T) {
	for _, app := range []string{"oscilloscope", "blink"} {
		w := testkit.Alone(t, testkit.Example(t, app, "micaz"), 1)
		r := Record(w)
		r.motes[0].changes = maxLEDChanges
		r.motes[0].uart[0].first = make([]byte, maxSent)
		held := func() int64 {
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			return int64(m.HeapAlloc)
		}
		w.RunUntil(60 * world.Second)
		before := held()
		w.RunUntil(3600 * world.Second)
		if grown := held() - before; grown > 64<<10 {
			t.Errorf("%s: %d bytes more after an hour", app, grown)
		}
		if app == "oscilloscope" && r.motes[0].uart[0].beyond < 1000 || app == "blink" && r.motes[0].changes < maxLEDChanges+1000 {
			t.Errorf("%s: %d bytes sent, %d lights changed: the test says nothing", app, r.motes[0].uart[0].beyond, r.motes[0].changes-maxLEDChanges)
		}
		runtime.KeepAlive(r)
	}
}
