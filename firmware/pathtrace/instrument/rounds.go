package instrument

import (
	"slices"

	"motehound/firmware/pathtrace/cflow"
	"motehound/firmware/pathtrace/number"
)

// Where nothing else can be recorded, rounds of a loop need not be recorded one by one: they are counted, and their number is
// recorded when another path is taken or the loop is left. That is so in a loop which calls nothing that may be traced and
// leaves the machine's interrupt flag alone, while interrupts are off. The first is found out here; the second is asked at run time, by
// MH_TRACE_ROUND. A handler's loop, or one in an atomic section, is then not much slower than without tracing.

// quietBlocks tells which blocks of a function are in such loops. If there are none it gives nil.
func quietBlocks(f *cflow.Func, numbering *number.Numbering, silent func(name string) bool) []bool {
	calm := make([]bool, len(f.Blocks))
	for b := range f.Blocks {
		calm[b] = b != cflow.Entry && b != cflow.Exit && isCalm(&f.Blocks[b], silent)
	}
	into := make([][]int, len(f.Blocks))
	for _, e := range f.Edges {
		into[e.To] = append(into[e.To], e.From)
	}
	quiet, some := make([]bool, len(f.Blocks)), false
	for _, i := range numbering.Cut {
		loop := naturalLoop(into, f.Edges[i].From, f.Edges[i].To)
		if slices.ContainsFunc(loop, func(b int) bool { return !calm[b] }) {
			continue
		}
		some = true
		for _, b := range loop {
			quiet[b] = true
		}
	}
	if !some || slices.ContainsFunc(f.Edges, func(e cflow.Edge) bool {
		return quiet[e.From] && !quiet[e.To] && e.Site.Kind == cflow.Nowhere // what was counted could not be recorded there
	}) {
		return nil
	}
	return quiet
}

// isCalm reports whether nothing can be recorded while a block runs, and interrupts stay as they are.
func isCalm(b *cflow.Block, silent func(name string) bool) bool {
	return !b.Loud && !slices.ContainsFunc(b.Calls, func(c cflow.Call) bool { return !silent(c.Name) })
}

// naturalLoop is the blocks from which an edge's source is reached without passing its target, and that one. If the edge closes no such
// loop, the function's entry is among them.
func naturalLoop(into [][]int, source, target int) []int {
	loop := []int{target}
	add := func(b int) {
		if !slices.Contains(loop, b) {
			loop = append(loop, b)
		}
	}
	add(source)
	for i := 1; i < len(loop); i++ {
		for _, b := range into[loop[i]] {
			add(b)
		}
	}
	return loop
}

// closed tells of each function of a unit whether it may run while interrupts are off, as far as the unit shows: handlers, what has
// assembly, which may turn them off, or calls a function that has, as atomic sections do, and all that these call. For others it is not
// worth the code to count rounds.
func closed(u *cflow.Unit) []bool {
	byName := map[string]int{}
	for i, f := range u.Funcs {
		byName[f.Name] = i
	}
	is := make([]bool, len(u.Funcs))
	var work []int
	add := func(i int) {
		if !is[i] {
			is[i], work = true, append(work, i)
		}
	}
	for i, f := range u.Funcs {
		turns := func(name string) bool { j, ok := byName[name]; return ok && u.Funcs[j].Assembly }
		if f.Kind == cflow.Interrupt || f.Assembly || slices.ContainsFunc(f.Mentions, turns) {
			add(i)
		}
	}
	for len(work) > 0 {
		f := u.Funcs[work[0]]
		work = work[1:]
		for _, name := range f.Mentions {
			if i, ok := byName[name]; ok {
				add(i)
			}
		}
	}
	return is
}

// library is functions of C's library that compute, and nothing else.
var library = []string{"memcpy", "memmove", "memset", "memcmp", "memchr", "strlen", "strnlen", "strcpy", "strncpy", "strcat", "strncat",
	"strcmp", "strncmp", "strchr", "strrchr", "abs", "labs", "isdigit", "isalpha", "isspace", "isxdigit", "toupper", "tolower"}

// silences finds functions during which nothing is recorded and interrupts stay as they are: those of the library, those that
// the programmer names, and those of the unit that are not instrumented and call nothing else.
func silences(u *cflow.Unit, named []string, traced func(i int) bool) func(name string) bool {
	is := map[string]bool{}
	for _, name := range library {
		is[name] = true
	}
	inside := map[string]*cflow.Func{}
	for i, f := range u.Funcs {
		is[f.Name] = !traced(i) && f.Refused == "" && f.Kind != cflow.Interrupt
		inside[f.Name] = f
	}
	silent := func(name string) bool { return is[name] || inside[name] == nil && matches(named, name) }
	for changed := true; changed; {
		changed = false
		for _, f := range u.Funcs {
			if is[f.Name] && slices.ContainsFunc(f.Blocks, func(b cflow.Block) bool { return !isCalm(&b, silent) }) {
				is[f.Name], changed = false, true
			}
		}
	}
	return silent
}
