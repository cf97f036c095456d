package scenario

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Pos is a place in a scenario file. Line and Col count from 1.
type Pos struct {
	File      string
	Line, Col int
}

// String is file:line:col.
func (p Pos) String() string {
	switch {
	case p.Line == 0:
		return p.File
	case p.Col == 0:
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}

func position(p syntax.Position) Pos {
	return Pos{File: p.Filename(), Line: int(p.Line), Col: int(p.Col)}
}

// Error is what is wrong in a scenario, and where.
type Error struct {
	Pos   Pos
	Msg   string
	Calls []Call // how Pos was reached, innermost first, if not from the top of a file
}

// Call is a call of a function, or a load of a file, whose Function is "<toplevel>".
type Call struct {
	Function string
	Pos      Pos // of the call
}

// fileScope is Starlark's name for what is outside of functions.
const fileScope = "<toplevel>"

// Error shows the place, what is wrong, and by which calls the place was reached.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", e.Pos, e.Msg)
	for _, c := range e.Calls {
		if c.Function == fileScope {
			fmt.Fprintf(&b, "\n\tloaded at %s", c.Pos)
		} else {
			fmt.Fprintf(&b, "\n\tin %s, called at %s", c.Function, c.Pos)
		}
	}
	return b.String()
}

func errorAt(p Pos, format string, args ...any) *Error {
	return &Error{Pos: p, Msg: fmt.Sprintf(format, args...)}
}

// placed is an error of a script as users see it. File is where it is if nobody knows better.
func placed(err error, file string) error {
	e := &Error{Pos: Pos{File: file}, Msg: err.Error()}
	called := ""
	for inner := err; ; {
		evaluation, ok := errors.AsType[*starlark.EvalError](inner)
		if !ok {
			break
		}
		called = e.fromCalls(evaluation)
		inner = evaluation.Unwrap()
	}
	reached := e.Pos
	if known, ok := errors.AsType[*Error](err); ok {
		e.Pos, e.Msg = known.Pos, known.Msg
	} else if list, ok := errors.AsType[resolve.ErrorList](err); ok {
		e.Pos, e.Msg = position(list[0].Pos), list[0].Msg
	} else if syntactic, ok := errors.AsType[syntax.Error](err); ok {
		e.Pos, e.Msg = position(syntactic.Pos), syntactic.Msg
	}
	if e.Pos.File != reached.File && called != "" {
		e.Calls = append([]Call{{called, reached}}, e.Calls...)
	}
	return e
}

// maxCalls bounds how many calls an error shows.
const maxCalls = 8

// fromCalls finds the innermost place in the script, and how it was reached: functions written in Go have no place. It
// returns the function that was called there, if it was one of those.
func (e *Error) fromCalls(err *starlark.EvalError) (called string) {
	e.Msg, e.Calls = err.Msg, nil
	found, inner := false, ""
	for _, f := range slices.Backward(err.CallStack) {
		switch {
		case f.Pos.Filename() == builtinFile:
			called = cmp.Or(called, f.Name)
			continue
		case !found:
			e.Pos, found = position(f.Pos), true
		case len(e.Calls) < maxCalls:
			e.Calls = append(e.Calls, Call{Function: inner, Pos: position(f.Pos)})
		}
		inner = f.Name
	}
	if reason, ok := strings.CutPrefix(e.Msg, "Starlark computation cancelled: "); ok {
		e.Msg = reason
	}
	return cmp.Or(called, fileScope)
}

// builtinFile is the file that Starlark reports for functions written in Go.
const builtinFile = "<builtin>"
