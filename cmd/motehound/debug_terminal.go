package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync/atomic"

	"golang.org/x/term"

	"motehound/job"
	"motehound/show/debugger"
)

// keyboard is the terminal as one thing to read and write. What is typed while a command runs ends its lines with another character than Enter's.
type keyboard struct {
	in io.Reader
	io.Writer
}

func (k keyboard) Read(to []byte) (int, error) {
	n, err := k.in.Read(to)
	for i, b := range to[:n] {
		if b == '\n' {
			to[i] = '\r'
		}
	}
	return n, err
}

// dialogue reads commands from the terminal, with a history and completion. Ctrl-C ends a command that takes long; at the prompt it leaves, as
// Ctrl-D does.
func dialogue(run *job.Journey, name string) error {
	var enough atomic.Bool
	signals := make(chan os.Signal, 1)
	signal.Reset(os.Interrupt) // it ends a command, not the program
	signal.Notify(signals, os.Interrupt)
	defer signal.Stop(signals)
	go func() {
		for range signals {
			enough.Store(true)
		}
	}()
	d := debugger.New(run, stdout, enough.Load)
	fmt.Fprintf(stdout, "%s: %s. 'help' lists the commands, Ctrl-D leaves.\n", name, d.Greeting())
	in := int(os.Stdin.Fd())
	lines := term.NewTerminal(keyboard{os.Stdin, stdout}, prompt)
	lines.AutoCompleteCallback = func(line string, pos int, key rune) (string, int, bool) { return complete(d, line, pos, key) }
	for {
		old, err := term.MakeRaw(in)
		if err != nil {
			return err
		}
		line, err := lines.ReadLine()
		if back := term.Restore(in, old); back != nil {
			return back
		}
		if err != nil { // the end of the input
			fmt.Fprintln(stdout)
			return nil
		}
		enough.Store(false)
		switch err := d.Do(line); {
		case errors.Is(err, debugger.ErrQuit):
			return nil
		case err != nil:
			fmt.Fprintln(stdout, err)
		}
	}
}

// complete answers the Tab key: with what is common to all that the line can go on with.
func complete(d *debugger.Debugger, line string, pos int, key rune) (string, int, bool) {
	if key != '\t' {
		return "", 0, false
	}
	list := d.Complete(line[:pos])
	if len(list) == 0 {
		return line, pos, true
	}
	common := list[0]
	for _, x := range list[1:] {
		for !strings.HasPrefix(x, common) {
			common = common[:len(common)-1]
		}
	}
	if len(list) == 1 {
		common += " "
	}
	return common + line[pos:], len(common), true
}
