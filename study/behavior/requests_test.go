package behavior

import (
	"strings"
	"testing"

	"motehound/observe/calltree"
)

// A packet that is handed over is answered. In a later run the answers may be late, or calls refused; but where they stop for good, the call
// is reported that got none, with its mote and instance.
func TestRequests(t *testing.T) {
	t.Parallel()
	b := calltree.NewBook()
	trees := map[rune]*calltree.Node{'r': ownTree(t, b, receivedTree), 's': ownTree(t, b, sentTree), 'd': ownTree(t, b, droppedTree), 'b': ownTree(t, b, byteTree)}
	vectors := map[rune]uint16{'r': 18, 's': 18, 'd': 18, 'b': 18}
	mine := func(text string) *File {
		f, _ := mineRuns(t, b, Plan{Depth: AppDepth}, nil, script(b, 1, trees, vectors, text))
		return f
	}
	quiet := strings.Repeat("rbs", 10)
	f := mine(quiet)
	if len(f.Requests) != 1 || f.Requests[0] != (Request{"Relay.nc", "Send.send", "Relay.sendDone", 20}) {
		t.Fatalf("requests: %+v", f.Requests)
	}
	long, short := strings.Repeat("b", 21), strings.Repeat("b", 18)
	for _, c := range []struct {
		text     string
		instance uint32 // 0: nothing is reported
	}{
		{quiet + "rbs rb" + long, 34},
		{quiet + "rb" + short, 0},                        // it may still come
		{quiet + "rb" + long + "s" + quiet, 0},           // it came late
		{quiet + "rb rb rbs" + quiet, 0},                 // two were refused, and the third was not
		{quiet + "rb rb rb dddd" + long, 31},             // the first that got no answer
		{quiet + "rb" + long + "s" + "rb" + long, 0},     // it was as late before
		{quiet + "rb d d d d" + quiet + "ddd" + long, 0}, // nothing was called
	} {
		var at uint32
		for i, v := range verifyRuns(t, b, f, script(b, 1, trees, vectors, c.text)) {
			if v.Kind == UnansweredViolation {
				at = v.Instance
				if i > 0 || v.Request.Answer != "Relay.sendDone" || v.Mote != 1 {
					t.Errorf("%s: it is number %d: %+v", c.text, i, v)
				}
			}
		}
		if at != c.instance {
			t.Errorf("%s: unanswered from instance %d, want %d", c.text, at, c.instance)
		}
	}
	for _, text := range []string{
		strings.Repeat("rbs", 7),                // too few
		quiet + "s",                             // an answer to nothing
		"s" + quiet,                             // likewise
		strings.Repeat("rbrbs", 10),             // every other call is refused
		quiet + "rb" + strings.Repeat(long, 10), // it stops in the run that is approved
	} {
		for _, r := range mine(text).Requests {
			if r.Longest < 1000 {
				t.Errorf("%s: %+v", text, r)
			}
		}
	}
	violations := verifyRuns(t, b, f, script(b, 1, trees, vectors, quiet+"rb"+long))
	if added, err := f.Approve(violations[:1], nil); err != nil || len(added) != 1 || len(f.Requests) != 0 {
		t.Errorf("approved: %v, %v, %+v", added, err, f.Requests)
	}
}
