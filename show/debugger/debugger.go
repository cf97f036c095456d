// Package debugger is the commands with which people travel through a run in a terminal: forwards and backwards, on all motes, by instruction, line,
// event, frame and choice.
//
// Invariants: a command changes where one is, or what is looked for, and nothing in the run. What is printed depends on the run and the commands
// alone, so that a script prints the same everywhere.
package debugger

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"motehound/job"
	"motehound/job/document"
	"motehound/job/phrase"
	"motehound/study/travel"
)

// Debugger is somebody's way through a run.
type Debugger struct {
	run    *job.Journey
	to     io.Writer
	stop   func() bool // nobody wants to wait any more
	points []*point
	number int    // of the last point
	last   string // the last command, for an empty line
}

// New is at the beginning of a run.
func New(run *job.Journey, to io.Writer, stop func() bool) *Debugger {
	return &Debugger{run: run, to: to, stop: stop}
}

// Greeting says what there is.
func (d *Debugger) Greeting() string {
	first, last := d.run.Bounds()
	length := d.run.Moment(last)
	if d.run.Explored() {
		length = phrase.Counted(last.Event-first.Event, "event")
	}
	text := phrase.Counted(len(d.run.Motes()), "mote") + ", " + length
	if d.run.Found != nil {
		text += "; " + document.BrokenText(d.run.Found)
	}
	return text
}

// command is one of them.
type command struct {
	names []string
	args  string
	about string
	do    func(d *Debugger, arg string) error
}

// ErrQuit is that the command was to leave.
var ErrQuit = errors.New("quit")

// commands are all there are. They are made by a function, since help lists them.
func commands() []command {
	return []command{
		{[]string{"help", "?"}, "[COMMAND]", "list the commands, or tell of one", (*Debugger).help},
		{[]string{"motes"}, "", "where every mote is", (*Debugger).motes},
		{[]string{"mote"}, "ID", "look at another mote", (*Debugger).mote},
		{[]string{"where", "bt"}, "", "the function and line that the mote is in, and who called it", (*Debugger).where},
		{[]string{"list", "l"}, "", "the source around", (*Debugger).list},
		{[]string{"print", "p"}, "VARIABLE", "a variable, as in table[3].addr; 2.table is mote 2's", (*Debugger).print},
		{[]string{"locals"}, "", "parameters and local variables", (*Debugger).locals},
		{[]string{"regs"}, "", "the registers", (*Debugger).regs},
		{[]string{"x"}, "ADDRESS [BYTES]", "memory of the data space", (*Debugger).memory},
		{[]string{"pending"}, "", "interrupts that wait to be served", (*Debugger).pending},
		{[]string{"goto", "go"}, "TIME|EVENT|start|end|finding", "go to a moment: 1.5s, 20ms, +5ms, -5ms; of a check finding: the number of an event", (*Debugger).goTo},
		{[]string{"finding", "f"}, "", "go to where the run goes wrong", (*Debugger).finding},
		{[]string{"step", "s"}, "[N]", "go on to another line", forward(job.ByLine)},
		{[]string{"back", "b"}, "[N]", "go back to another line", backward(job.ByLine)},
		{[]string{"next", "n"}, "[N]", "go on to another line of this function, or of the one that called it", forward(job.ByNext)},
		{[]string{"stepi", "si"}, "[N]", "execute an instruction", forward(job.ByInstruction)},
		{[]string{"backi", "bi"}, "[N]", "undo an instruction", backward(job.ByInstruction)},
		{[]string{"finish"}, "", "go on to where this function returns", (*Debugger).finish},
		{[]string{"caller"}, "", "go back to where this function was called", (*Debugger).caller},
		{[]string{"event", "e"}, "[N]", "go on to the next event: of a check finding, or an interrupt of any mote", forward(job.ByEvent)},
		{[]string{"eventback", "eb"}, "[N]", "go back to the event before", backward(job.ByEvent)},
		{[]string{"break"}, "FUNCTION|FILE:LINE|*ADDRESS|task [NAME]|interrupt [NAME]|frame|choice|property [if VARIABLE OP NUMBER]",
			"stop there", (*Debugger).breakAt},
		{[]string{"watch"}, "VARIABLE [if VARIABLE OP NUMBER]", "stop before a store that changes it", (*Debugger).watch},
		{[]string{"points", "info"}, "", "list what is stopped at", (*Debugger).listPoints},
		{[]string{"delete"}, "N|all", "stop there no more", (*Debugger).delete},
		{[]string{"continue", "c"}, "", "go on to the next of these", (*Debugger).goOn},
		{[]string{"reverse", "rc"}, "", "go back to the last of these", (*Debugger).reverse},
		{[]string{"who", "who-wrote"}, "VARIABLE", "who wrote it last", (*Debugger).who},
		{[]string{"changed"}, "VARIABLE", "when it last had another value", (*Debugger).changed},
		{[]string{"origin"}, "VARIABLE", "where its value came from: through memory, and over the air to the mote and line that sent it", (*Debugger).origin},
		{[]string{"between"}, "FROM TO", "what happened between two moments, or events", (*Debugger).between},
		{[]string{"timeline", "t"}, "[SPAN]", "what happened around here, and what will", (*Debugger).timeline},
		{[]string{"events"}, "", "the events of a check finding", (*Debugger).events},
		{[]string{"choices"}, "", "what was uncertain up to here, and how it was decided", (*Debugger).choices},
		{[]string{"quit", "q", "exit"}, "", "leave", func(*Debugger, string) error { return ErrQuit }},
	}
}

// Do does what a line says. It is ErrQuit if that is to leave.
func (d *Debugger) Do(line string) error {
	line = strings.TrimSpace(line)
	if line == "" {
		line = d.last
	}
	if line == "" || strings.HasPrefix(line, "#") {
		return nil
	}
	name, arg, _ := strings.Cut(line, " ")
	c, err := find(name)
	if err != nil {
		return err
	}
	d.last = line
	if err = c.do(d, strings.TrimSpace(arg)); errors.Is(err, travel.ErrInterrupted) {
		return errors.New("interrupted: " + d.here())
	}
	return err
}

// find looks a command up: by a name, or by how only one begins.
func find(name string) (command, error) {
	var fits []command
	for _, c := range commands() {
		if slices.Contains(c.names, name) {
			return c, nil
		}
		if strings.HasPrefix(c.names[0], name) {
			fits = append(fits, c)
		}
	}
	switch len(fits) {
	case 1:
		return fits[0], nil
	case 0:
		all := phrase.NamesOf(commands(), func(c command) string { return c.names[0] })
		return command{}, fmt.Errorf("there is no command %q%s: 'help' lists them", name, phrase.DidYouMean(name, all))
	}
	return command{}, fmt.Errorf("%q can be %s", name, phrase.List(fits, func(c command) string { return c.names[0] }))
}

func (d *Debugger) help(arg string) error {
	if arg != "" {
		c, err := find(arg)
		if err != nil {
			return err
		}
		d.say("%s %s", strings.Join(c.names, ", "), c.args)
		d.say("    %s", c.about)
		return nil
	}
	for _, c := range commands() {
		d.say("%-24s %s", c.names[0]+" "+short(c.args), c.about)
	}
	d.say("An empty line repeats the last command. Commands may be cut short as long as they are clear.")
	return nil
}

func short(args string) string {
	if len(args) > 16 {
		return args[:strings.IndexAny(args, "| ")] + " ..."
	}
	return args
}

func (d *Debugger) say(format string, args ...any) { fmt.Fprintf(d.to, format+"\n", args...) }

// Complete lists what a line can go on with: commands, then variables and functions.
func (d *Debugger) Complete(line string) (list []string) {
	before, word := "", line
	if i := strings.LastIndexByte(line, ' '); i >= 0 {
		before, word = line[:i+1], line[i+1:]
	}
	var all []string
	if strings.TrimSpace(before) == "" {
		for _, c := range commands() {
			all = append(all, c.names[0])
		}
	} else {
		im := d.run.Mote().Kind.Image
		for _, v := range im.Vars() {
			if !v.Register {
				all = append(all, v.Name)
			}
		}
		for _, f := range im.Functions() {
			all = append(all, f.Name)
		}
	}
	slices.Sort(all)
	for _, x := range slices.Compact(all) {
		if strings.HasPrefix(x, word) {
			list = append(list, before+x)
		}
	}
	return list
}

// number reads how often something is to be done.
func count(arg string) (int, error) {
	if arg == "" {
		return 1, nil
	}
	n, err := strconv.Atoi(arg)
	if err != nil || n < 1 || n > 1_000_000 {
		return 0, fmt.Errorf("%q is no number of times", arg)
	}
	return n, nil
}
