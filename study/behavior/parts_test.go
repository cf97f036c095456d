package behavior

import (
	"strings"
	"testing"

	"motehound/observe/calltree"
)

// Trees of a firmware that fills a packet at a tick and sends it in a task, which a tick or a received packet may cause.
const (
	fillAndSendTree = `int: TIMER0 @ timer.nc:1
task: Timer.fired @ timer.nc:5
  Relay.fill @ Relay.nc:1
task: Relay.send @ Relay.nc:9
  Radio.send @ radio.nc:2`
	sendOnlyTree = `int: TIMER0 @ timer.nc:1
task: Relay.send @ Relay.nc:9
  Radio.send @ radio.nc:2`
	fillOnlyTree = `int: TIMER0 @ timer.nc:1
task: Timer.fired @ timer.nc:5
  Relay.fill @ Relay.nc:1`
	radioTree = `int: SPI @ radio.nc:3`
)

// usedBy is a run in which letters are instances and what they do: f fills and sends, s sends, r reads what is sent, o only fills.
func usedBy(b *calltree.Book, trees map[rune]*calltree.Node, text string, take func(calltree.Instance), touch func(calltree.Touch)) {
	vectors := map[rune]uint16{'f': 16, 's': 16, 'o': 16, 'r': 18}
	for _, x := range script(b, 1, trees, vectors, text) {
		use := func(variable, in string, write bool) {
			touch(calltree.Touch{Mote: 1, Serial: x.Serial, Variable: variable, Of: variable, In: in, Write: write})
		}
		if x.Tree == trees['f'] || x.Tree == trees['o'] {
			use("packet", "Timer.fired", true)
			use("count", "Timer.fired", true)
		}
		if x.Tree == trees['f'] || x.Tree == trees['s'] {
			use("packet", "Relay.send", true)
		}
		if x.Tree == trees['r'] {
			use("packet", "SPI", false)
		}
		take(x)
	}
}

// It matters what a handler or task did, not which others ran in the same procedure; and what only one function uses is its own.
func TestPartsUseData(t *testing.T) {
	t.Parallel()
	b := calltree.NewBook()
	trees := map[rune]*calltree.Node{'f': ownTree(t, b, fillAndSendTree), 's': ownTree(t, b, sendOnlyTree), 'o': ownTree(t, b, fillOnlyTree), 'r': ownTree(t, b, radioTree)}
	m := NewMiner(b, Plan{Depth: AppDepth}, nil)
	m.WatchData()
	usedBy(b, trees, "fr fr or s fr fr", m.Take, m.Touch) // once a packet is filled, and looked at, before it is sent in another procedure
	f, err := ReadFile(m.FileOf(m.Finish(), someSource()).Bytes())
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"fr fr fr or s": "",
		"fr s r fr":     "packet", // sent twice
		"fr fr s":       "packet",
		"fr or or s fr": "packet", // filled again before it was sent
		"oo s r":        "packet", // filled twice; what it counts is its own
		"fr s r s r":    "packet",
		"or sr fr":      "", // as in one procedure
	} {
		v, err := NewVerifier(b, f, nil)
		if err != nil {
			t.Fatal(err)
		}
		usedBy(b, trees, text, v.Take, v.Touch)
		list, _ := v.Finish()
		var got []string
		for _, x := range list {
			if x.Variable != "" {
				got = append(got, x.Variable)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", text, got, want)
			for _, x := range list {
				t.Logf("%s %v", x.ID, x.Orders)
			}
		}
	}
}
