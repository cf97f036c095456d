package instrument

import (
	"fmt"
	"slices"
	"strings"

	"motehound/firmware/pathtrace/cflow"
	"motehound/firmware/pathtrace/number"
)

// Names that placed code uses. The double underscore is what C reserves for implementations.
const (
	register   = "__mh_path"
	lastRound  = "__mh_last"
	moreRounds = "__mh_more"
	result     = "__mh_value"
	over       = "__mh_over_"
)

// signal is the attribute of handlers that run with interrupts off. Those that let others in get it, too, and let them in
// once their begin is recorded: else a handler that comes in their first instructions would be in the log before them.
const signal = "signal"

// A writer places code in one function.
type writer struct {
	*edits
	fn        *cflow.Func
	numbering *number.Numbering
	calls     Calls
	id        int
	over      *int   // counts labels, in a whole unit
	quiet     []bool // blocks in which rounds may have been counted that are not recorded; nil if there are none
}

// write places all code of the function.
func (w *writer) write() {
	for _, b := range w.fn.Bodies {
		w.before(b.From, b.Order, outside, "{ ")
		w.after(b.To, b.Order, outside, " }")
	}
	for i, e := range w.fn.Edges {
		s := e.Site
		switch code := w.code(i); s.Kind {
		case cflow.AtEntry:
			w.enter(i, s.At)
		case cflow.AtReturn:
			w.leave(i, s)
		case cflow.AtEnd:
			w.before(s.At, 0, inside, w.last(i)+" ")
		case cflow.WhenTrue:
			w.condition(i, s.Stmt)
		case cflow.WhenFalse:
			if !w.hasTwin(i, cflow.WhenTrue) {
				w.condition(i, s.Stmt)
			}
		case cflow.AtCase:
			w.atCase(i, s)
		case cflow.SwitchEnd:
			if !w.hasTwin(i, cflow.AtDefault) {
				w.statement(code, s.Stmt.To, s.Stmt.Order, w.after)
			}
		case cflow.AtDefault:
			w.atDefault(i, s)
		case cflow.IntoCase:
			if !w.hasTwin(i, cflow.AtCase) || w.code(w.twin(i, cflow.AtCase)) == "" {
				w.statement(code, s.Stmt.From, s.Stmt.Order, w.before)
			}
		case cflow.Before:
			w.statement(code, s.Stmt.From, s.Stmt.Order, w.before)
		case cflow.After:
			w.statement(code, s.Stmt.To, s.Stmt.Order, w.after)
		case cflow.BeforeValue:
			if code != "" {
				w.before(s.Stmt.From, s.Stmt.Order, outside, "__extension__({ "+code+" ")
				w.after(s.Stmt.To, s.Stmt.Order, outside, "; })")
			}
		case cflow.AtStep:
			w.step(code, s)
		case cflow.AtWhile:
			if code != "" {
				w.replace(s.Stmt.From, s.Stmt.To, "for")
				w.replace(s.At, s.At+1, "(;")
				w.replace(s.Close, s.Close+1, "; "+expression(code, "0")+")")
			}
		}
	}
}

// code is the statements that an edge carries, or empty.
func (w *writer) code(i int) string {
	add, label := w.numbering.Add[i], w.calls.edge(w.id, i)+w.settle(i)
	if w.isCut(i) {
		record := w.calls.path
		if w.isQuiet(w.fn.Edges[i].To) && w.isQuiet(w.fn.Edges[i].From) {
			record = w.calls.round
		}
		return label + fmt.Sprintf("%s; %s = %s;", record(w.numbering.Bits(), w.id, w.value(add)), register, w.constant(w.numbering.Start[i]))
	}
	switch {
	case w.fn.Edges[i].To == cflow.Exit:
		return ""
	case add == 0:
		return label
	case add < 0:
		return label + fmt.Sprintf("%s -= %d;", register, -add)
	default:
		return label + fmt.Sprintf("%s += %d;", register, add)
	}
}

func (w *writer) isQuiet(block int) bool { return w.quiet != nil && w.quiet[block] }

// settle records what was counted, on edges out of where it may be.
func (w *writer) settle(i int) string {
	if e := w.fn.Edges[i]; !w.isQuiet(e.From) || w.isQuiet(e.To) {
		return ""
	}
	return fmt.Sprintf("%s; %s = 255u; ", w.calls.More, moreRounds)
}

func (w *writer) isCut(i int) bool { return slices.Contains(w.numbering.Cut, i) }

// value is the register with something added.
func (w *writer) value(add int) string {
	switch {
	case !w.counts():
		return w.constant(add)
	case add == 0:
		return register
	default:
		return fmt.Sprintf("(%s)(%s + %s)", w.width(), register, w.constant(add))
	}
}

// constant is a number as the register holds it: modulo its width.
func (w *writer) constant(n int) string { return fmt.Sprintf("%du", uint(n)&(1<<w.numbering.Bits()-1)) }

func (w *writer) width() string {
	if w.numbering.Bits() == 8 {
		return "unsigned char"
	}
	return "unsigned short"
}

// counts reports whether there is a register: with one path there is nothing to count.
func (w *writer) counts() bool { return w.numbering.Paths > 1 }

// enter declares the register, so that what follows may be a declaration still.
func (w *writer) enter(i, at int) {
	rounds := ""
	if w.quiet != nil {
		rounds = fmt.Sprintf(" %s %s = 0; unsigned char %s = 255u;", w.width(), lastRound, moreRounds)
	}
	open := ""
	if len(w.fn.Nests) > 0 && w.calls.LetIn != "" {
		open = w.calls.LetIn + "; "
	}
	w.before(at, 0, outside, fmt.Sprintf(" %s %s __attribute__((__unused__)) = __extension__({ %s; %s%s%s; });%s",
		w.width(), register, w.calls.enter(w.id), open, w.calls.edge(w.id, i), w.constant(w.numbering.First), rounds))
}

// last is the statement that ends a procedure. Behind it a handler lets no other in: that would be in the log as one of its own.
func (w *writer) last(i int) string {
	shut := ""
	if w.fn.Kind == cflow.Interrupt && w.calls.KeepOut != "" {
		shut = w.calls.KeepOut + "; "
	}
	return w.calls.edge(w.id, i) + w.settle(i) + shut + w.calls.leave(w.numbering.Bits(), w.id, w.value(w.numbering.Add[i])) + ";"
}

// leave computes what is returned first: functions called for it belong to the procedure.
func (w *writer) leave(i int, s cflow.Site) {
	end := w.last(i)
	if s.Value.To == 0 {
		w.before(s.Stmt.From, s.Stmt.Order, inside, "{ "+end+" ")
		w.after(s.Stmt.To, s.Stmt.Order, inside, " }")
		return
	}
	begin, back := "{ (void)", "return; }"
	if w.fn.Result != "" {
		begin, back = "{ "+strings.Replace(w.fn.Result, "%s", result, 1)+" =", "return "+result+"; }"
	}
	w.replace(s.At, s.At+len("return"), begin)
	w.before(s.Value.From, s.Stmt.Order, inside, "(")
	w.after(s.Value.To, s.Stmt.Order, inside, ")")
	w.after(s.Stmt.To, s.Stmt.Order, inside, " "+end+" "+back)
}

func (w *writer) statement(code string, at, order int, place func(at, order, rank int, text string)) {
	if code != "" {
		place(at, order, inside, " "+code+" ")
	}
}

// expression is statements as an expression with a value.
func expression(code, value string) string { return "__extension__({ " + code + " " + value + "; })" }

// condition places what both ways of a condition carry in it. It stays a condition: what tests it sees 0 or 1.
func (w *writer) condition(i int, s cflow.Stmt) {
	var yes, no string
	for _, kind := range []cflow.SiteKind{cflow.WhenTrue, cflow.WhenFalse} {
		t := w.twin(i, kind)
		if t < 0 {
			continue
		}
		if kind == cflow.WhenTrue {
			yes = w.code(t)
		} else {
			no = w.code(t)
		}
	}
	var end string
	switch {
	case yes == "" && no == "":
		return
	case no == "":
		end = ") && " + expression(yes, "1") + ")"
	case yes == "":
		end = ") || " + expression(no, "0") + ")"
	default:
		end = ") ? " + expression(yes, "1") + " : " + expression(no, "0") + ")"
	}
	w.before(s.From, s.Order, outside, "((")
	w.after(s.To, s.Order, outside, end)
}

// twin is the edge with a site of the given kind at the same place as that of edge i, or -1.
func (w *writer) twin(i int, kind cflow.SiteKind) int {
	at := w.fn.Edges[i].Site.Stmt
	return slices.IndexFunc(w.fn.Edges, func(e cflow.Edge) bool { return e.Site.Kind == kind && e.Site.Stmt == at })
}

func (w *writer) hasTwin(i int, kind cflow.SiteKind) bool { return w.twin(i, kind) >= 0 }

// atCase lets those who come from the statement before jump over what the switch's own edge carries.
func (w *writer) atCase(i int, s cflow.Site) {
	code := w.code(i)
	if code == "" {
		return
	}
	into := w.twin(i, cflow.IntoCase)
	if into < 0 {
		w.after(s.At, s.Stmt.Order, inside, " "+code+" ")
		return
	}
	*w.over++
	label := fmt.Sprint(over, *w.over)
	w.before(s.Stmt.From, s.Stmt.Order, inside, fmt.Sprintf("%s goto %s; ", w.code(into), label))
	w.after(s.At, s.Stmt.Order, inside, fmt.Sprintf(" %s %s:; ", code, label))
}

// atDefault gives a switch without a default label one, if the edge around its cases carries something.
func (w *writer) atDefault(i int, s cflow.Site) {
	code, end := w.code(i), w.twin(i, cflow.SwitchEnd)
	fall := ""
	if end >= 0 {
		fall = w.code(end)
	}
	switch {
	case code != "" && end >= 0:
		w.after(s.Stmt.To, s.Stmt.Order, inside, fmt.Sprintf(" %s break; default: %s ", fall, code))
	case code != "":
		w.after(s.Stmt.To, s.Stmt.Order, inside, fmt.Sprintf(" default: %s ", code))
	default:
		w.statement(fall, s.Stmt.To, s.Stmt.Order, w.after)
	}
}

func (w *writer) step(code string, s cflow.Site) {
	switch {
	case code == "":
	case s.Stmt.To > 0:
		w.after(s.Stmt.To, s.Stmt.Order, outside, ", "+expression(code, "0"))
	default:
		w.after(s.At, 0, outside, expression(code, "0"))
	}
}
