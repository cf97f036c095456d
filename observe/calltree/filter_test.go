package calltree

import "testing"

func TestFilter(t *testing.T) {
	t.Parallel()
	const nc = "/opt/tinyos/tos/"
	for _, c := range []struct {
		filter          Filter
		raw, name, file string
		hides           bool
	}{
		{Filter{}, "relay_receive", "relay_receive", "relay.c", false},
		{Filter{}, "__mulhi3", "__mulhi3", "", true},
		{Filter{Helpers: true}, "__mulhi3", "__mulhi3", "", false},
		{Filter{}, "__nesc_atomic_start", "__nesc_atomic_start", "app.c", true},
		{Filter{}, "__vector_17", "__vector_17", "spi.c", false},
		// A wire has its component's name and its interface's file; a function of the component is in the component's file.
		{Filter{}, "VirtualizeTimerC__0__Timer__fired", "VirtualizeTimerC[0].Timer.fired", nc + "lib/timer/Timer.nc", true},
		{Filter{Wiring: true}, "VirtualizeTimerC__0__Timer__fired", "VirtualizeTimerC[0].Timer.fired", nc + "lib/timer/Timer.nc", false},
		{Filter{}, "VirtualizeTimerC__0__fireTimers", "VirtualizeTimerC[0].fireTimers", nc + "lib/timer/VirtualizeTimerC.nc", false},
		{Filter{}, "Timer__fired", "Timer.fired", "timer.c", false},
		{Filter{}, "SchedulerBasicP__TaskBasic__postTask", "SchedulerBasicP.TaskBasic.postTask", nc + "SchedulerBasicP.nc", true},
		{Filter{Kernel: true}, "SchedulerBasicP__TaskBasic__postTask", "SchedulerBasicP.TaskBasic.postTask", nc + "SchedulerBasicP.nc", false},
		{Filter{}, "process_post", "process_post", "process.c", true},

		{Filter{Exclude: []string{"CC1000ControlP"}}, "", "CC1000ControlP.CC1000Control.off", "", true},
		{Filter{Exclude: []string{"CC1000ControlP.*"}}, "", "CC1000ControlP.CC1000Control.off", "", true},
		{Filter{Exclude: []string{"CC1000Control"}}, "", "CC1000ControlP.CC1000Control.off", "", false},
		{Filter{Exclude: []string{"AlarmToTimerC"}}, "", "AlarmToTimerC[0].Timer.startOneShot", "", true},
		{Filter{Exclude: []string{"AlarmToTimerC[0]"}}, "", "AlarmToTimerC[1].Timer.startOneShot", "", false},
		{Filter{Exclude: []string{"*.fired"}}, "", "BlinkC.Timer0.fired", "", true},
		{Filter{Exclude: []string{"led?Toggle"}}, "", "led1Toggle", "", true},
		{Filter{Exclude: []string{"leds.c"}}, "", "on", "/home/x/leds.c", true},
		{Filter{Exclude: []string{"leds.c"}}, "", "on", "/home/x/myleds.c", false},
		{Filter{Exclude: []string{"lib/net/*"}}, "", "send", "/home/x/lib/net/ctp/Forward.nc", true},
		{Filter{Include: []string{"BlinkC"}}, "", "BlinkC.Timer0.fired", "", false},
		{Filter{Include: []string{"BlinkC"}}, "", "LedsP.on", "", true},
		{Filter{Include: []string{"BlinkC"}, Exclude: []string{"*.fired"}}, "", "BlinkC.Timer0.fired", "", true},
		{Filter{Include: []string{"__mulhi3"}}, "__mulhi3", "__mulhi3", "", false},
	} {
		s, err := NewSieve(c.filter)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Hides(c.raw, c.name, c.file); got != c.hides {
			t.Errorf("%+v: hides(%q, %q) is %v", c.filter, c.name, c.file, got)
		}
	}
	if _, err := NewSieve(Filter{Exclude: []string{" "}}); err == nil {
		t.Error("an empty pattern is taken")
	}
}
