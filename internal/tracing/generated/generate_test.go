package generated

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A generator writes C functions with all kinds of control flow. Every piece that runs as a whole has a marker M(n) with a number
// of its own, so that running the function says, without any path numbering, which blocks were run. Decisions come from R,
// which is pseudo-random; loops end because F is true only so many times. Operands that C leaves unsequenced never both have
// markers.
type generator struct {
	*rand.Rand
	out     strings.Builder
	marker  int
	name    int
	fuel    int // statements still to write
	depth   int
	loops   int // around the place that is written
	breaks  int // loops and switches around
	cases   int // of the innermost switch, so far; -1 outside, or where labels may not stand
	labels  []string
	placed  int
	inValue int // statement expressions around: labels may not stand there
	callees []string
	result  string // how to return
}

const prelude = `extern int M(int n);
extern int R(int n);
extern int F(void);
struct pair { int a; int b; };
static struct pair make_pair(int n) { struct pair p; p.a = n; p.b = n; return p; }
`

func (g *generator) f(format string, args ...any) { fmt.Fprintf(&g.out, format, args...) }

func (g *generator) mark() string {
	g.marker++
	return fmt.Sprintf("M(%d)", g.marker)
}

func (g *generator) fresh(prefix string) string {
	g.name++
	return fmt.Sprint(prefix, g.name)
}

// forms are the ways to begin and end a function: head with %s for its name, and what a return gives with %s for a value.
var forms = []struct{ head, result, call string }{
	{"static int %s(int a, int b)\n", "%s", "%s(1, R(5))"},
	{"int %s(int a, int b)\n", "%s", "%s(R(7), 2)"},
	{"static int %s(a, b)\n int a; char *b;\n", "%s", "%s(R(7), \"x\")"},
	{"static inline void %s(void)\n", "", "(%s(), 1)"},
	{"static void %s(int a)\n", "void", "(%s(3), 1)"},
	{"static const char *%s(int a)\n", "(%s) ? \"yes\" : 0", "(%s(1) != 0)"},
	{"static struct pair %s(int a)\n", "make_pair(%s)", "%s(2).b"},
	{"static unsigned char __attribute__((noinline)) %s(void)\n", "%s", "%s()"},
	{"static int (*%s(int a))(int)\n", "(%s) ? M : R", "(%s(R(4)) == M)"},
	{"static double %s(int a)\n", "(%s) / 2.0", "((int)%s(1))"},
	{"%s(a)\n", "%s", "%s(4)"},
}

// function writes one function and gives the text that calls it.
func (g *generator) function(name string, size int) string {
	form := forms[g.IntN(len(forms))]
	g.fuel, g.depth, g.loops, g.breaks, g.cases, g.placed, g.inValue = size, 0, 0, 0, -1, 0, 0
	g.result = form.result
	g.labels = nil
	for range g.IntN(4) {
		g.labels = append(g.labels, g.fresh("label"))
	}
	g.f(form.head+"{\n int v = 0; (void)v;\n", name)
	for g.fuel > 0 {
		g.statement()
	}
	for ; g.placed < len(g.labels); g.placed++ {
		g.f(" %s: %s;\n", g.labels[g.placed], g.mark())
	}
	if g.IntN(4) > 0 || g.result != "" && g.result != "void" {
		g.ret()
	}
	g.f("}\n")
	return fmt.Sprintf(form.call, name)
}

func (g *generator) ret() {
	switch {
	case g.result == "":
		g.f("return;\n")
	case g.result == "void" && g.IntN(3) > 0:
		g.f("return;\n")
	case g.result == "void":
		g.f("return (void)(%s);\n", g.value(2))
	case g.IntN(3) == 0:
		g.f("return "+g.result+";\n", fmt.Sprint(g.IntN(9)))
	case g.IntN(3) == 0:
		g.f("return v = 1, "+g.result+";\n", g.value(2))
	default:
		g.f("return "+g.result+";\n", g.value(2))
	}
}

// cond is a condition; value an expression for its value. Both are in parentheses or a single token's worth.
func (g *generator) cond(depth int) string {
	if depth <= 0 {
		return fmt.Sprintf("(%s, R(%d))", g.mark(), 2+g.IntN(3))
	}
	switch g.IntN(9) {
	case 0:
		return fmt.Sprintf("(%s && %s)", g.cond(depth-1), g.cond(depth-1))
	case 1:
		return fmt.Sprintf("(%s || %s)", g.cond(depth-1), g.cond(depth-1))
	case 2:
		return fmt.Sprintf("!%s", g.cond(depth-1))
	case 3:
		return fmt.Sprintf("(%s ? %s : %s)", g.cond(depth-1), g.cond(depth-1), g.cond(depth-1))
	case 4:
		return fmt.Sprintf("(%s == 1)", g.value(depth-1))
	case 5:
		return fmt.Sprintf("(%s ?: %s)", g.value(depth-1), g.value(depth-1))
	case 6:
		return fmt.Sprintf("(%s, %s && %s)", g.value(depth-1), g.cond(depth-1), g.cond(depth-1))
	default:
		return fmt.Sprintf("(%s, R(%d))", g.mark(), 2+g.IntN(3))
	}
}

func (g *generator) value(depth int) string {
	if depth <= 0 {
		return g.mark()
	}
	switch n := g.IntN(14); n {
	case 0:
		return fmt.Sprintf("(%s && %s)", g.cond(depth-1), g.value(depth-1))
	case 1:
		return fmt.Sprintf("(%s || %s)", g.cond(depth-1), g.value(depth-1))
	case 2, 3:
		return fmt.Sprintf("(%s ? %s : %s)", g.cond(depth-1), g.value(depth-1), g.value(depth-1))
	case 4:
		return fmt.Sprintf("(%s ?: %s)", g.value(depth-1), g.value(depth-1))
	case 5:
		return fmt.Sprintf("(%s, %s)", g.value(depth-1), g.value(depth-1))
	case 6:
		return fmt.Sprintf("(7 + %s * 3)", g.value(depth-1))
	case 7:
		return fmt.Sprintf("(v = %s)", g.value(depth-1))
	case 8:
		return fmt.Sprintf("(sizeof(R(1) && R(2)) + __builtin_constant_p(R(1) ? 2 : 3) + %s)", g.value(depth-1))
	case 9:
		return fmt.Sprintf("(*(%s ? &v : 0))", "M(0) || 1")
	case 10, 11:
		if len(g.callees) > 0 {
			return fmt.Sprintf("(%s, %s)", g.mark(), g.callees[g.IntN(len(g.callees))])
		}
	case 12:
		return g.statementValue()
	}
	return g.mark()
}

// statementValue is a GNU statement expression, with statements of all kinds in it.
func (g *generator) statementValue() string {
	outer := g.out
	g.out = strings.Builder{}
	cases := g.cases
	g.cases = -1
	g.inValue++
	g.f("__extension__ ({ int t = %s; ", g.mark())
	for range g.IntN(3) {
		g.statement()
	}
	g.f("t; })")
	g.inValue--
	g.cases = cases
	text := g.out.String()
	g.out = outer
	return text
}

// body is a substatement, in braces or not.
func (g *generator) body() {
	g.depth++
	defer func() { g.depth-- }()
	if g.IntN(3) == 0 {
		g.simple()
		return
	}
	g.f("{\n")
	for range g.IntN(4) {
		g.statement()
	}
	if g.IntN(3) == 0 {
		g.f(" %s;\n", g.mark())
	}
	g.f("}\n")
}

// loop is the body of a loop, which ends it if nothing else does.
func (g *generator) loop(ends bool) {
	g.loops++
	g.breaks++
	cases, hide := g.cases, g.IntN(3) > 0
	if hide {
		g.cases = -1
	}
	if ends {
		g.body()
	} else {
		g.f("{ if (!F()) break;\n")
		for range 1 + g.IntN(3) {
			g.statement()
		}
		g.f("}\n")
	}
	if hide {
		g.cases = cases
	}
	g.loops--
	g.breaks--
}

// simple is a statement without a declaration.
func (g *generator) simple() {
	g.fuel--
	switch n := g.IntN(20); {
	case n < 6:
		g.f(" %s;\n", g.mark())
	case n < 9:
		g.f(" v = %s;\n", g.value(3))
	case n == 9:
		g.f(" %s;\n", g.value(3))
	case n == 10 && g.loops > 0:
		g.f(" continue;\n")
	case n == 11 && g.breaks > 0:
		g.f(" break;\n")
	case n == 12 && g.inValue == 0:
		g.ret()
	case n == 13 && len(g.labels) > 0:
		g.f(" if (F() && %s) goto %s;\n", g.cond(0), g.labels[g.IntN(len(g.labels))])
	case n == 14:
		g.f(" __asm__ volatile (\"\" : : \"r\" (v ? 1 : 2));\n")
	case n == 15:
		g.f(" ;\n")
	case g.depth < 4:
		g.compound()
	default:
		g.f(" %s;\n", g.mark())
	}
}

func (g *generator) compound() {
	g.depth++
	defer func() { g.depth-- }()
	switch g.IntN(11) {
	case 0, 1:
		g.f(" if (%s) ", g.cond(2))
		g.body()
	case 2, 3:
		g.f(" if (%s) { ", g.cond(2))
		g.statement()
		g.f("} else ")
		g.body()
	case 4:
		g.f(" while (F() && %s) ", g.cond(1))
		g.loop(true)
	case 5:
		g.f(" do ")
		g.loop(true)
		if g.IntN(3) == 0 {
			g.f(" while (0);\n")
		} else {
			g.f(" while (F() && %s);\n", g.cond(1))
		}
	case 6:
		first, step := "", ""
		if n := g.IntN(3); n == 1 {
			first = g.value(1)
		} else if n == 2 {
			first = "int i = " + g.value(1)
		}
		if g.IntN(3) > 0 {
			step = "v++, " + g.value(1)
		}
		if g.IntN(3) == 0 {
			g.f(" for (%s; ; %s) ", first, step)
			g.loop(false)
		} else {
			g.f(" for (%s; F() && %s; %s) ", first, g.cond(1), step)
			g.loop(true)
		}
	case 7:
		g.f(" while (%s) ", []string{"1", "(!0)", "1L"}[g.IntN(3)])
		g.loop(false)
	case 8, 9:
		g.switchStatement()
	case 10:
		g.f(" if (%d) ", g.IntN(2))
		g.body()
	}
}

func (g *generator) switchStatement() {
	cases, breaks := g.cases, g.breaks
	withDefault := g.IntN(2) == 0
	n := 1 + g.IntN(5)
	g.f(" switch (%s, R(%d)) ", g.value(1), n+3)
	g.cases, g.breaks = 0, breaks+1
	if g.IntN(8) == 0 {
		g.f("case 0: %s;\n", g.mark())
		g.cases, g.breaks = cases, breaks
		return
	}
	g.f("{\n")
	for i := range n {
		if withDefault && i == n/2 {
			g.f(" default:")
		}
		g.caseLabel()
		for range g.IntN(3) {
			g.statement()
		}
		if g.IntN(3) > 0 {
			g.f(" %s; break;\n", g.mark())
		}
	}
	g.f(" %s; }\n", g.mark())
	g.cases, g.breaks = cases, breaks
}

func (g *generator) caseLabel() {
	switch g.IntN(5) {
	case 0:
		g.f(" case %d: case %d:", g.cases, g.cases+1)
		g.cases += 2
	case 1:
		g.f(" case %d ... %d:", g.cases, g.cases+1)
		g.cases += 2
	default:
		g.f(" case %d:", g.cases)
		g.cases++
	}
	g.f(" %s;\n", g.mark())
}

// statement is a block item: labels and declarations too.
func (g *generator) statement() {
	switch n := g.IntN(16); {
	case n == 0:
		g.f(" int %s __attribute__((unused)) = %s;\n", g.fresh("w"), g.value(2))
	case n == 1:
		g.f(" static int %s __attribute__((unused)) = 1 && 2 ? 3 : 4;\n", g.fresh("s"))
	case n == 2 && g.placed < len(g.labels) && g.inValue == 0:
		g.f(" %s:", g.labels[g.placed])
		g.placed++
		g.f(" %s;\n", g.mark())
	case n == 3 && g.cases >= 0 && g.depth > 0:
		g.caseLabel() // into a loop or an if, as in Duff's device and protothreads
	case n == 4:
		g.f("\n# %d \"generated %d.c\"\n", 1+g.IntN(1000), g.IntN(3))
		g.simple()
	case n == 5:
		g.f(" struct pair %s __attribute__((unused)) = { %s, 2 };\n", g.fresh("p"), g.value(2))
	default:
		g.simple()
	}
}
