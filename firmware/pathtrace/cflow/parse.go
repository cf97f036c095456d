package cflow

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"modernc.org/cc/v4"
)

// prologue declares what compilers know without a declaration, as far as parsing needs it.
const prologue = "int __predefined_declarator;\ntypedef char *__builtin_va_list;\n"

// epilogue brings the parser back to declarations before the text ends, whatever went wrong before: in the middle of an expression
// it would wait for ever.
var epilogue = "\n" + strings.Repeat(";;;extern int __mh_end[1];", 20)

// maxUnparsed is how many functions that cannot be parsed are left out before a file is given up.
const maxUnparsed = 20

// Parse reads preprocessed C. A function that the parser does not understand is refused; the error is about text around the
// functions.
func Parse(text []byte) (*Unit, error) {
	l, err := lex(text)
	if err != nil {
		return nil, err
	}
	unparsed := map[int]string{}
	ast, err := l.parse()
	for ; err != nil && len(unparsed) < maxUnparsed; ast, err = l.parse() {
		at, what := l.where(err)
		g, ok := l.group(at)
		if _, again := unparsed[g.From]; !ok || again {
			break
		}
		unparsed[g.From] = "cannot be parsed: " + what
		blank(l.masked[g.From+1 : g.To-1])
	}
	if err != nil {
		at, what := l.where(err)
		return nil, fmt.Errorf("%v: cannot be parsed: %s", l.lines.at(at), what)
	}
	u := &Unit{Text: text, lines: l.lines, indirect: l.indirect()}
	r := &reader{lexed: l, unit: u, unparsed: unparsed, attributes: map[string][]hidden{}, posted: l.posted(),
		voids: map[string]bool{}, extents: map[cc.Node]Span{}, inlines: map[*Func]inline{}, needed: map[string]bool{}}
	r.read(ast)
	return u, nil
}

func (l *lexed) parse() (ast *cc.AST, err error) {
	defer func() {
		if p := recover(); p != nil { // the parser's bug is no reason to lose the file
			ast, err = nil, fmt.Errorf("the parser failed: %v", p)
		}
	}()
	abi, err := cc.NewABI("linux", "386") // no type is ever sized
	if err != nil {
		return nil, err
	}
	return cc.Parse(&cc.Config{ABI: abi}, []cc.Source{{Name: "prologue", Value: prologue}, {Name: "text", Value: append(slices.Clip(l.masked), epilogue...)}})
}

var position = regexp.MustCompile(`(?m)^text:(\d+):(\d+): (.*)$`)

// where is the offset that a parser's error is about, and what it says.
func (l *lexed) where(err error) (int, string) {
	m := position.FindStringSubmatch(err.Error())
	if m == nil {
		return len(l.text), strings.TrimSpace(err.Error())
	}
	line, errLine := strconv.Atoi(m[1])
	column, errColumn := strconv.Atoi(m[2])
	if errors.Join(errLine, errColumn) != nil || line < 1 || line-1 > len(l.lines.ends) {
		return len(l.text), m[3]
	}
	at := 0
	if line > 1 {
		at = l.lines.ends[line-2] + 1
	}
	return min(at+max(column-1, 0), len(l.text)), m[3]
}

// group is the outermost braces around an offset.
func (l *lexed) group(at int) (Span, bool) {
	for _, g := range l.groups {
		if at >= g.From && at < g.To {
			return g, true
		}
	}
	return Span{}, false
}

// posted is the functions that are given to TinyOS 1's TOS_post.
func (l *lexed) posted() map[string]bool {
	names := map[string]bool{}
	for i := 0; i+3 < len(l.tokens); i++ {
		t := l.tokens[i]
		if bytes.Equal(l.text[t.From:t.To], []byte("TOS_post")) && l.text[l.tokens[i+1].From] == '(' &&
			l.text[l.tokens[i+3].From] == ')' {
			names[l.source(l.tokens[i+2])] = true
		}
	}
	return names
}

func (l *lexed) source(s Span) string { return string(l.text[s.From:s.To]) }

// A reader makes a unit of a syntax tree.
type reader struct {
	*lexed
	unit       *Unit
	unparsed   map[int]string      // bodies, by offset
	attributes map[string][]hidden // of functions, at any of their declarations
	posted     map[string]bool
	voids      map[string]bool // names of the type void
	extents    map[cc.Node]Span
	inlines    map[*Func]inline
	needed     map[string]bool // functions that some declaration wants from this unit, for others to call
}

// read takes the declarations in order. Attributes belong to the declaration in which they stand.
func (r *reader) read(ast *cc.AST) {
	end := 0
	for u := ast.TranslationUnit; u != nil; u = u.TranslationUnit {
		d := u.ExternalDeclaration
		span, ok := r.span(d)
		if !ok || span.From < end { // the prologue's
			continue
		}
		from := end
		end = span.To
		switch d.Case {
		case cc.ExternalDeclarationFuncDef:
			f := d.FunctionDefinition
			body, ok := r.span(f.CompoundStatement)
			if !ok {
				continue
			}
			r.note(f.Declarator.Name(), Span{from, body.From})
			fn := r.function(f, span, body)
			r.inlines[fn] = inlineOf(f.DeclarationSpecifiers)
			r.unit.Funcs = append(r.unit.Funcs, fn)
		case cc.ExternalDeclarationDecl:
			for i := d.Declaration.InitDeclaratorList; i != nil; i = i.InitDeclaratorList {
				name := i.InitDeclarator.Declarator
				r.note(name.Name(), Span{from, span.To})
				r.needs(name.Name(), inlineOf(d.Declaration.DeclarationSpecifiers))
				r.voids[name.Name()] = r.namesVoid(d.Declaration.DeclarationSpecifiers, name)
			}
		}
	}
	r.refuseInlines()
	r.refuseSwitches()
	for _, f := range r.unit.Funcs {
		r.judge(f)
	}
}

// note gives a declared name the attributes in a span.
func (r *reader) note(name string, in Span) {
	for _, h := range r.hiddenIn(in) {
		if len(h.words) > 0 {
			r.attributes[name] = append(r.attributes[name], h)
		}
	}
}

// hiddenIn is what was masked in a span.
func (r *reader) hiddenIn(in Span) []hidden {
	from := func(h hidden, at int) int { return h.From - at }
	first, _ := slices.BinarySearchFunc(r.hidden, in.From, from)
	last, _ := slices.BinarySearchFunc(r.hidden, in.To, from)
	return r.hidden[first:last]
}

// function makes a graph of a function.
func (r *reader) function(f *cc.FunctionDefinition, span, body Span) *Func {
	fn := &Func{Name: f.Declarator.Name(), Pos: r.lines.at(span.From), Body: body, Mentions: r.mentions(body)}
	if t := r.nameToken(f.Declarator); t >= 0 {
		fn.Pos = r.lines.at(t)
	}
	for s := f.DeclarationSpecifiers; s != nil; s = s.DeclarationSpecifiers {
		if s.Case == cc.DeclarationSpecifiersStorage {
			fn.Static = fn.Static || s.StorageClassSpecifier.Case == cc.StorageClassSpecifierStatic
		}
	}
	if why, bad := r.unparsed[body.From]; bad {
		fn.Refused = why
		return fn
	}
	var ok bool
	if fn.Result, ok = r.result(f); !ok {
		fn.Refused = "it returns a type without a name"
		return fn
	}
	if r.isTask(fn.Name, f.Declarator) {
		fn.Kind = Task
	}
	b := &builder{reader: r, fn: fn, labels: map[string]int{}}
	b.build(f.CompoundStatement)
	return fn
}

// isTask knows what the kernels' schedulers start: nesC's runTask functions, which have no parameter, what TinyOS 1 posts, and
// Contiki's processes.
func (r *reader) isTask(name string, d *cc.Declarator) bool {
	if r.posted[name] || strings.HasPrefix(name, "process_thread_") {
		return true
	}
	base := strings.ReplaceAll(name, "$", "__")
	if !strings.HasSuffix(base, "__runTask") || strings.HasSuffix(base, "__default__runTask") {
		return false
	}
	params := d.DirectDeclarator.ParameterTypeList
	return params == nil || strings.TrimSpace(cc.NodeSource(params)) == "void"
}

// twice are the functions that return more than once.
var twice = []string{"setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "__builtin_setjmp", "vfork", "getcontext"}

// judge decides by a function's attributes and calls, once all are known.
func (r *reader) judge(f *Func) {
	if strings.HasPrefix(f.Name, "__vector_") {
		f.Kind = Interrupt
	}
	for _, h := range r.attributes[f.Name] {
		for _, word := range h.words {
			switch word {
			case "signal", "interrupt":
				f.Kind = Interrupt
			case "no_instrument_function":
				f.Exempt = true
			case "naked":
				f.refuse("it is naked: the compiler adds no prologue, so there is no register to use")
			case "constructor", "destructor":
				f.refuse("it runs before main begins or after it ended")
			}
		}
		if f.Kind == Interrupt {
			f.Nests = append(f.Nests, r.nests(h)...)
		}
		if bytes.Contains(r.text[h.From:h.To], []byte(`".init`)) {
			f.refuse("it runs before main begins")
		}
	}
	for _, b := range f.Blocks {
		for _, c := range b.Calls {
			if slices.Contains(twice, c.Name) {
				f.refuse("it calls " + c.Name + ", which returns more than once")
			}
		}
	}
	for _, h := range r.hiddenIn(f.Body) {
		if h.jumps {
			f.refuse("its inline assembly jumps")
		}
	}
	if f.Refused != "" {
		f.Blocks, f.Edges, f.Bodies = nil, nil, nil
	}
}

// nesting is the AVR's attribute of handlers that begin by letting others in. Other machines' names an interrupt.
var nesting = regexp.MustCompile(`\b(__interrupt__|interrupt)\s*[,)]`)

// nests is where that attribute stands in others.
func (r *reader) nests(h hidden) (spans []Span) {
	for _, at := range nesting.FindAllSubmatchIndex(r.text[h.From:h.To], -1) {
		spans = append(spans, Span{h.From + at[2], h.From + at[3]})
	}
	return spans
}

// refuse keeps the first reason.
func (f *Func) refuse(why string) {
	if f.Refused == "" {
		f.Refused = why
	}
}

// Indirect is the names that the unit uses other than to declare or call what they name, among them the functions whose address
// it takes.
func (u *Unit) Indirect() map[string]bool { return u.indirect }

// mentions is the names in a span that are followed by a parenthesis, each once.
func (l *lexed) mentions(in Span) (names []string) {
	seen := map[string]bool{}
	first, _ := slices.BinarySearchFunc(l.tokens, in.From, func(t Span, from int) int { return t.From - from })
	for i := first; i+1 < len(l.tokens) && l.tokens[i+1].To <= in.To; i++ {
		t := l.tokens[i]
		if !letter(l.text[t.From]) || l.text[l.tokens[i+1].From] != '(' {
			continue
		}
		if name := l.source(t); !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	return names
}

func (l *lexed) indirect() map[string]bool {
	names := map[string]bool{}
	for i, t := range l.tokens {
		if letter(l.text[t.From]) && (i+1 == len(l.tokens) || l.text[l.tokens[i+1].From] != '(') {
			names[l.source(t)] = true
		}
	}
	return names
}
