package gdb

import (
	"errors"
	"fmt"
	"strings"

	"motehound/show/debugger"
)

// Monitor implements Target. The commands are those of motehound debug, and a few more. They are about the mote that the network has stopped at,
// or that "mote" has chosen: gdb does not say which one it shows.
func (n *motes) Monitor(line string, halt func() bool) (string, error) {
	switch strings.TrimSpace(line) {
	case "":
		return n.Monitor("help", halt)
	case "time":
		return n.time(), nil
	case "hash":
		return n.hash() + "\n", nil
	}
	here := n.run.Here()
	if err := n.run.Look(n.shown); err != nil {
		return "", err
	}
	n.halt = halt
	err := n.debugger.Do(line)
	n.halt = nil
	text := n.said.String()
	n.said.Reset()
	now := n.run.Here()
	n.shown = now.Mote
	switch {
	case errors.Is(err, debugger.ErrQuit):
		return "", errOver
	case now.Point != here.Point:
		n.since = nil
		text += "gdb does not know that the network has moved: type maintenance flush register-cache\n"
	default:
		err = errors.Join(err, n.run.Look(here.Mote))
	}
	if strings.TrimSpace(line) == "help" {
		text += fmt.Sprintf("%-24s %s\n%-24s %s\n", "time", "where in the run the network stands, exactly", "hash", "identifies the state of all motes")
	}
	return text, err
}

// time says where in the run the network stands.
func (n *motes) time() string {
	here := n.run.Here().Point
	_, last := n.run.Bounds()
	switch {
	case !n.run.Explored():
		return fmt.Sprintf("%s, of %s\n", exact(here.Time), exact(last.Time))
	case here.Time == 0:
		return fmt.Sprintf("before event %d, of %d\n", here.Event, last.Event-1)
	}
	return fmt.Sprintf("in event %d, of %d: %s by its mote's clock\n", here.Event, last.Event-1, exact(here.Time))
}

// exact is a time with all its digits: cycles differ by nanoseconds.
func exact(ps uint64) string {
	text := strings.TrimRight(fmt.Sprintf("%d.%012d", ps/1e12, ps%1e12), "0")
	return strings.TrimSuffix(text, ".") + "s"
}

// hash identifies the state of the network. At the end of a timed run it is that of the run's document.
func (n *motes) hash() string { return n.run.World().Hash().String() }
