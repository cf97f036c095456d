package behavior

import (
	"strings"
	"testing"

	"motehound/observe/calltree"
)

// ownTree is a tree in which functions in capitals' files, as Relay.nc, are the application's and others a library's.
func ownTree(t *testing.T, b *calltree.Book, text string) *calltree.Node {
	t.Helper()
	n := tree(t, b, text)
	for _, f := range b.Funcs() {
		f.Library = !strings.HasPrefix(f.File, "Relay") && f.Name != "instance"
	}
	return n
}

const (
	receivedTree = `int: SPI_STC @ radio.nc:1
  Radio.byte @ radio.nc:2
task: Radio.received @ radio.nc:10
  Queue.signal @ queue.nc:3
    Relay.receive @ Relay.nc:20
      Send.send @ queue.nc:9
        Radio.send @ radio.nc:30
      post: next @ Relay.nc:40
  Radio.rearm @ radio.nc:33
task: Radio.housekeeping @ radio.nc:50
task: next @ Relay.nc:40
  Leds.toggle @ leds.nc:1
  Leds.toggle @ leds.nc:1
  Leds.toggle @ leds.nc:1`
	droppedTree = `int: SPI_STC @ radio.nc:1
  Radio.byte @ radio.nc:2
  Radio.other @ radio.nc:3
task: Radio.received @ radio.nc:10
  Relay.receive @ Relay.nc:20`
	sentTree = `int: SPI_STC @ radio.nc:1
task: Radio.sent @ radio.nc:12
  Relay.sendDone @ Relay.nc:30`
	byteTree = `int: SPI_STC @ radio.nc:1
  Radio.byte @ radio.nc:2`
)

func TestOwnPart(t *testing.T) {
	t.Parallel()
	b := calltree.NewBook()
	c := newCast(b)
	got := strings.Join(formatTree(c.ownPart(ownTree(t, b, receivedTree)), AppDepth.layers()), "\n")
	want := `int: SPI_STC @ radio.nc:1
task: Radio.received @ radio.nc:10
  Relay.receive @ Relay.nc:20
    Send.send @ queue.nc:9
    post: next @ Relay.nc:40
task: next @ Relay.nc:40
  Leds.toggle @ leds.nc:1
  Leds.toggle @ leds.nc:1`
	if got != want {
		t.Errorf("it is\n%s\nwant\n%s", got, want)
	}
	if again := c.ownPart(ownTree(t, b, want)); strings.Join(formatTree(again, AppDepth.layers()), "\n") != want {
		t.Error("the application's part of itself is another")
	}
}

// What a library does from byte to byte makes no models; the application's code does, however deep it is.
func TestModelsOfTheApplication(t *testing.T) {
	t.Parallel()
	b := calltree.NewBook()
	trees := map[rune]*calltree.Node{'r': ownTree(t, b, receivedTree), 's': ownTree(t, b, sentTree), 'b': ownTree(t, b, byteTree)}
	trees['c'] = ownTree(t, b, strings.Replace(byteTree, "Radio.byte", "Radio.crc", 1))
	vectors := map[rune]uint16{'r': 18, 's': 18, 'b': 18, 'c': 18}
	f, _ := mineRuns(t, b, Plan{Depth: AppDepth}, nil, script(b, 1, trees, vectors, "bbrbbs brbbbs bbrs"))
	v := f.Vectors[0]
	if len(v.Models) != 3 || v.Flows[0].Models != "B18 C18" || !v.Models[0].Dropped || v.Depth != "app" {
		t.Fatalf("%s", f.Bytes())
	}
	if list := verifyRuns(t, b, f, script(b, 1, trees, vectors, "cccrccbbs rcs")); len(list) > 0 {
		t.Errorf("other bytes: %+v", *list[0])
	}
	other := calltree.NewBook() // as after a rebuild
	trees['d'], vectors['d'] = ownTree(t, other, droppedTree), 18
	trees['r'], trees['s'], trees['b'] = ownTree(t, other, receivedTree), ownTree(t, other, sentTree), ownTree(t, other, byteTree)
	list := verifyRuns(t, other, f, script(other, 1, trees, vectors, "rbs rdsb rs"))
	if len(list) != 1 || list[0].Kind != ProcedureViolation || list[0].Leaves.In.Function != "Relay.receive" || list[0].Leaves.Expected.Function != "Send.send" {
		t.Errorf("a packet that is not sent: %+v", list)
	}
}

// A relay that drops a packet and one that lets it wait both do something new in a busy run. Only the first one owes an answer.
func TestRules(t *testing.T) {
	t.Parallel()
	b := calltree.NewBook()
	received, _, _ := strings.Cut(receivedTree, "\n      post")
	trees := map[rune]*calltree.Node{'r': ownTree(t, b, received), 's': ownTree(t, b, sentTree), 'd': ownTree(t, b, droppedTree)}
	vectors := map[rune]uint16{'r': 18, 's': 18, 'd': 18}
	f, _ := mineRuns(t, b, Plan{Depth: AppDepth}, nil, script(b, 1, trees, vectors, strings.Repeat("rs", 10)),
		script(b, 2, trees, vectors, "rrrrrrrr")) // a sink, which sends nothing
	if len(f.Rules) != 1 || f.Rules[0] != (Rule{Function: "Relay.receive", Answer: "Relay.sendDone"}) {
		t.Fatalf("rules: %+v", f.Rules)
	}
	verify := func(text string) (violations, news []*Violation) {
		v, err := NewVerifier(b, f, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range script(b, 1, trees, vectors, text) {
			v.Take(x)
		}
		return v.Finish()
	}
	after := strings.Repeat("rs", 10)
	for _, c := range []struct {
		text             string
		violations, news int
		broken           bool
	}{
		{"rs rdss " + after, 0, 2, false},            // it waited: a new procedure, and a new flow
		{"rs rdddssss" + after, 0, 2, false},         // several did
		{"rs rds " + after, 1, 0, true},              // it was never answered
		{"rs rs rds rs rs rs rs rs rs", 1, 0, false}, // too early to tell
		{"rs rrss" + after, 0, 2, false},             // new flows
	} {
		violations, news := verify(c.text)
		if len(violations) != c.violations || len(news) != c.news || len(violations) > 0 && (violations[0].Broken != nil) != c.broken {
			t.Errorf("%s: %d violations, %d new: %+v", c.text, len(violations), len(news), violations)
		}
	}
	// A function that comes twice before the first answer to it has no rule.
	f, _ = mineRuns(t, b, Plan{Depth: AppDepth}, nil, script(b, 1, trees, vectors, "rr"+strings.Repeat("sr", 10)))
	if len(f.Rules) != 0 {
		t.Errorf("rules: %+v", f.Rules)
	}
}

// A tick that is skipped loses nothing. One that is never answered again is a broken rule.
func TestTickRules(t *testing.T) {
	t.Parallel()
	b := calltree.NewBook()
	received, _, _ := strings.Cut(receivedTree, "\n      post")
	trees := map[rune]*calltree.Node{'r': ownTree(t, b, received), 's': ownTree(t, b, sentTree), 'd': ownTree(t, b, droppedTree)}
	vectors := map[rune]uint16{'r': 16, 's': 18, 'd': 16}
	f, _ := mineRuns(t, b, Plan{Depth: AppDepth, Timers: []uint16{16}}, nil, script(b, 1, trees, vectors, strings.Repeat("rs", 10)))
	if len(f.Rules) != 1 || !f.Rules[0].Tick {
		t.Fatalf("rules: %+v", f.Rules)
	}
	for text, broken := range map[string]bool{
		"rs rds" + strings.Repeat("rs", 10): false,
		"rs rs" + strings.Repeat("d", 12):   true,
	} {
		v, err := NewVerifier(b, f, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range script(b, 1, trees, vectors, text) {
			v.Take(x)
		}
		violations, news := v.Finish()
		if broken != (len(violations) > 0 && violations[0].Broken != nil) || !broken && len(news) == 0 {
			t.Errorf("%s: violations %+v, new %+v", text, violations, news)
		}
	}
}
