package reproduce

import (
	"fmt"

	"motehound/study/fieldtrace/record"
)

// Item is one thing that a trace says, or that a run shows: an event of a procedure, a reset; or, of a trace only, a gap.
type Item struct {
	Kind record.Kind // Enter, Path, Leave, Reset; Lost and Missing for gaps of a known and of an unknown length
	Proc uint16
	Path uint16
	// Count, of Lost, is how many events are missing.
	Count uint32
	// Uncertain, of Reset: the event before it may be missing, or there twice.
	Uncertain bool
}

// same reports whether a run's item is what the trace says.
func (i Item) same(j Item) bool { return i.Kind == j.Kind && i.Proc == j.Proc && i.Path == j.Path }

// Target is what a run is to show: what a log says of a mote from when it got its power, or its reset button was pressed, to the
// end of a boot; and the watchdog's reset that ended that, if one did.
type Target struct {
	Items []Item
	// By is when an item had come, at the latest: seconds since the begin. It is 0 if the log does not say. From is when it had not
	// come yet.
	By, From []float64
	// First and Boot are the first and the last boot that it is about, as the log counts them.
	First, Boot uint16
	// Reset reports whether it ends with a reset.
	Reset bool
}

// watchdog is the flag in a reset's cause that says that the watchdog did it (WDRF, in all AVRs). Flags stay until the
// firmware clears them, or power fails.
const watchdog = 8

// byWatchdog reports whether a reset was the watchdog's, by its cause and that of the reset before it. After one of those a run goes on
// by itself; others come from outside, and a new run begins.
func byWatchdog(cause, before uint8) bool {
	if fresh := cause &^ before; fresh != 0 {
		return fresh&watchdog != 0
	}
	return cause&watchdog != 0
}

// Last is the boot that is most likely of interest: the one that the last reset ended; or, if there was none, the only one.
func Last(l *record.Log) uint16 {
	if len(l.Pages) == 0 {
		return 0
	}
	first, last := l.Pages[0].Boot, l.Pages[len(l.Pages)-1].Boot
	if last > first {
		return last - 1
	}
	return last
}

// most is how many events a target may have.
const most = 1 << 22

// NewTarget takes what a log says up to the end of a boot.
func NewTarget(l *record.Log, boot uint16) (*Target, error) {
	t := &Target{Boot: boot}
	c := collector{Target: t, clock: float64(max(l.Clock, 1)), timed: l.Clock > 1}
	found := false
	for at, e := range l.Events() {
		found = found || at.Boot == boot
		if int16(at.Boot-boot) > 0 {
			if e.Kind == record.Reset && int16(at.Boot-boot) == 1 && byWatchdog(e.Arg, c.cause) {
				c.put(Item{Kind: record.Reset, Uncertain: e.Uncertain})
				t.Reset = true
			}
			break
		}
		if err := c.take(at, e); err != nil {
			return nil, err
		}
		if len(t.Items) > most {
			return nil, fmt.Errorf("boot %d has more than %d events in the log: that is too long for any run to try", boot, most)
		}
	}
	if !found {
		return nil, fmt.Errorf("the log has nothing of boot %d", boot)
	}
	if len(t.Items) == 0 {
		return nil, fmt.Errorf("the log has no events of boot %d: nothing that is traced has run", boot)
	}
	return t, nil
}

// collector makes a target of events.
type collector struct {
	*Target
	clock float64
	timed bool
	begun bool
	ticks uint32
	since float64 // time of earlier boots
	cause uint8   // of the last reset
}

func (c *collector) take(at record.At, e record.Event) error {
	cause := c.cause
	if e.Kind == record.Reset {
		c.cause = e.Arg
	}
	switch {
	case e.Kind == record.Reset && !byWatchdog(e.Arg, cause):
		// All that was before has nothing to do with what comes now.
		*c = collector{Target: c.Target, clock: c.clock, timed: c.timed, begun: true, cause: e.Arg}
		c.Items, c.By, c.From, c.First = c.Items[:0], c.By[:0], c.From[:0], at.Boot
		return nil
	case !c.begun:
		c.begun, c.First = true, at.Boot
		c.put(Item{Kind: record.Missing})
	}
	if e.Kind == record.Reset {
		c.since += float64(c.ticks) / c.clock
		c.ticks = 0
	}
	c.tell(at)
	switch {
	case e.Kind == record.Reset:
		c.put(Item{Kind: record.Reset, Uncertain: e.Uncertain})
	case e.Kind == record.Lost && e.Count < record.MaxLost:
		c.put(Item{Kind: record.Lost, Count: e.Count})
	case e.Kind.Gap():
		c.put(Item{Kind: record.Missing})
	case e.Kind == record.Leave && e.Abandoned:
		// The mote has not said so.
	case e.Kind <= record.Leave:
		if len(c.Items) == maxItems {
			return fmt.Errorf("more than %d events until boot %d: pull fewer pages (--bytes, --since), or choose an earlier boot", maxItems, c.Boot)
		}
		c.put(Item{Kind: e.Kind, Proc: e.Proc, Path: e.Path})
	}
	return nil
}

// maxItems keeps memory bounded.
const maxItems = 20_000_000

func (c *collector) put(i Item) {
	c.Items = append(c.Items, i)
	c.By = append(c.By, 0)
	c.From = append(c.From, c.since+float64(c.ticks)/c.clock)
}

// tell notes a time: all items before it had come by then.
func (c *collector) tell(at record.At) {
	if !c.timed || at.Ticks <= c.ticks {
		return
	}
	c.ticks = at.Ticks
	by := c.since + float64(at.Ticks+1)/c.clock
	for i := len(c.By) - 1; i >= 0 && c.By[i] == 0; i-- {
		c.By[i] = by
	}
}
