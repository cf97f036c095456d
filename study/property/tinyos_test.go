package property_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"motehound/study/property"
	"motehound/world"
	"motehound/world/scenario"
)

// TestTinyOS sets the variables of TinyOS's components in a line of three motes, and wants who violates what.
func TestTinyOS(t *testing.T) {
	const (
		parent = "CtpRoutingEngineP__0__routeInfo.parent"
		root   = "CtpRoutingEngineP__0__state_is_root"
		serial = "SerialDispatcherP__0__receiveState"
		ftsp   = "TimeSyncP__0__outgoingMsg->rootID"
	)
	// Mote 0 is the root, all have the same values, and mote 0's time.
	well := []string{"0 " + root + " 1", "0 " + parent + " 0", "1 " + parent + " 0", "2 " + parent + " 1",
		"0 " + ftsp + " 0", "1 TimeSyncP__0__numEntries 4", "2 TimeSyncP__0__numEntries 8"}
	for _, c := range []struct {
		what string
		set  []string // mote, path, value
		want string   // goals that do not hold
	}{
		{"all is well", nil, ""},
		{"buffers are locked", []string{"1 " + serial + ".bufZeroLocked 1", "2 " + serial + ".bufOneLocked 1"}, "serial: buffers unlock 1, serial: buffers unlock 2"},
		{"two are each other's parents", []string{"1 " + parent + " 2"}, "ctp: no loops 1, ctp: no loops 2, ctp: all are in a tree 1, ctp: all are in a tree 2"},
		{"one leads into a loop", []string{"2 " + parent + " 0", "0 " + parent + " 1", "0 " + root + " 0", "1 " + root + " 1"},
			"ctp: no loops 0, ctp: no loops 1, ctp: all are in a tree 0, ctp: all are in a tree 1, ctp: all are in a tree 2"},
		{"one has no parent", []string{"1 " + parent + " 65535"}, "ctp: all are in a tree 1, ctp: all are in a tree 2"},
		{"there is no root", []string{"0 " + root + " 0", "0 " + parent + " 65535", "1 " + parent + " 65535"}, ""},
		{"a value differs", []string{"1 DisseminatorP__0__valueCache 77"}, "drip: values agree 1, dip: values agree 1, dhv: values agree 1"},
		{"a byte of a value differs", []string{"2 DisseminatorP__1__valueCache.data[15] 1"}, "drip: values agree 2, dip: values agree 2, dhv: values agree 2"},
		{"the first one's differs", []string{"0 DisseminatorP__0__valueCache 77"},
			"drip: values agree 1, drip: values agree 2, dip: values agree 1, dip: values agree 2, dhv: values agree 1, dhv: values agree 2"},
		{"one has heard too little", []string{"1 TimeSyncP__0__numEntries 3"}, "ftsp: synchronized 1"},
		{"one has no message yet", []string{"0 TimeSyncP__0__outgoingMsg 0"}, "ftsp: synchronized 0"},
	} {
		t.Run(c.what, func(t *testing.T) {
			s := stageOf(t, components, 3)
			s.prepare(t, `
load("@tinyos", "serial_stack", "ctp", "drip", "dip", "dhv", "ftsp")
serial_stack()
ctp(within = "2m")
drip(); dip(); dhv(motes = [0, 1, 2]); ftsp()`, property.Options{})
			w, suite := s.open(t)
			step(t, w, suite)
			for _, x := range append(slices.Clone(well), c.set...) {
				set(t, w, x)
			}
			if v := step(t, w, suite); len(v) > 0 {
				t.Errorf("violations %v", v)
			}
			var bad []string
			for i, live := range suite.Live(nil) {
				if g := suite.Goals()[i]; !live {
					bad = append(bad, fmt.Sprintf("%s %d", g.Property, g.Mote))
				}
			}
			if got := strings.Join(bad, ", "); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// set gives a variable of a mote a value: "1 x.y 2".
func set(t *testing.T, w *world.World, what string) {
	t.Helper()
	var (
		i     int
		path  string
		value int64
	)
	if _, err := fmt.Sscan(what, &i, &path, &value); err != nil {
		t.Fatal(err)
	}
	m := w.Motes()[i]
	ref, err := m.Kind.Image.Lookup(path)
	if err == nil {
		err = ref.Write(m.Memory(), value)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestTinyOSSerial has a packet begin with free and locked buffers, and with a test of the wrong lock: T-Check's serial bug 1.
func TestTinyOSSerial(t *testing.T) {
	const state = " SerialDispatcherP__0__receiveState."
	for _, c := range []struct {
		what string
		set  []string
		want string
	}{
		{"both free", nil, ""},
		{"the current one locked", []string{"1" + state + "bufZeroLocked 1"}, ""},
		{"the other one locked", []string{"1" + state + "bufOneLocked 1"}, ""},
		{"the wrong lock, both free", []string{"1 wrong 1"}, ""},
		{"the wrong lock, the other one locked", []string{"1 wrong 1", "1" + state + "bufOneLocked 1"}, "serial: a free buffer takes the packet on 1"},
		{"the wrong lock, the second one current", []string{"1 wrong 1", "1" + state + "bufZeroLocked 1", "1" + state + "which 1"}, "serial: a free buffer takes the packet on 1"},
	} {
		s := stageOf(t, components, 2)
		s.prepare(t, "load('@tinyos', 'serial_stack')\nserial_stack()", property.Options{})
		w, suite := s.open(t)
		step(t, w, suite)
		for _, x := range c.set {
			set(t, w, x)
		}
		var got []string
		for range 10 {
			for _, v := range step(t, w, suite) {
				got = append(got, fmt.Sprintf("%s on %d", v.Property, v.Mote))
			}
		}
		if text := strings.Join(slices.Compact(got), ", "); text != c.want {
			t.Errorf("%s: %s, want %s", c.what, text, c.want)
		}
	}
}

// TestTinyOSMissing has firmware without the components: the error says so, and what to do.
func TestTinyOSMissing(t *testing.T) {
	for _, c := range []struct{ call, want string }{
		{"ctp", "the firmware of mote 0 has no CTP (no variable CtpRoutingEngineP__0__routeInfo)"},
		{"drip", "the firmware of mote 0 has no Drip (no variable DisseminationEngineImplP__m_running)"},
		{"dip", "the firmware of mote 0 has no DIP (no variable DipVersionP__versions)"},
		{"dhv", "the firmware of mote 0 has no DHV (no variable DhvVersionP__versions)"},
		{"ftsp", "the firmware of mote 0 has no FTSP (no variable TimeSyncP__0__numEntries)"},
	} {
		s := stageOf(t, steps, 1)
		s.prepare(t, fmt.Sprintf("load('@tinyos', '%s')\n%s()", c.call, c.call), property.Options{})
		_, suite := s.open(t)
		if _, err := suite.Look(-1); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.call, err)
		}
	}
	s := stageOf(t, steps, 1)
	sc := load(t, 1, "load('@tinyos', 'serial_stack')\nserial_stack()")
	if _, err := property.Prepare(s.cfg, sc, property.Options{}); err == nil || !strings.Contains(err.Error(), "a.star:3:13: no firmware has code of a function SerialDispatcherP__0__ReceiveBytePacket__startPacket") {
		t.Errorf("serial_stack: %v", err)
	}
	if !slices.Contains(scenario.Libraries(), "tinyos") {
		t.Errorf("libraries %v", scenario.Libraries())
	}
}
