// Package cflow reads preprocessed C, as compilers and nesC write it, and makes a control-flow graph of each function, with the
// byte offsets at which code can be placed on its edges.
//
// The graphs are those of the source, not of a binary. A block is the code between two points where control flow splits or joins.
// Short-circuit operators, conditional expressions and statement expressions split it as statements do. What the compiler decides,
// or what never runs, is not a decision: operands of sizeof and typeof, sizes of arrays, initialisers of static variables, operands
// of inline assembly, associations of _Generic.
//
// Invariants: offsets refer to the given text, whatever #line says; the entry has no edge to it and one from it, the exit none from
// it; every block is reached from the entry; an edge without a site is the only such edge from its block, and never closes a cycle;
// a function that cannot be represented is refused with a reason, and does not affect the others; the same text gives the same graphs.
package cflow

// A Pos is a place in the source that the programmer wrote, by line markers.
type Pos struct {
	File string
	Line int
}

// A Span is text, by offsets.
type Span struct{ From, To int }

// A Unit is one preprocessed file.
type Unit struct {
	Text     []byte
	Funcs    []*Func // in the order of the text
	lines    *lineTable
	indirect map[string]bool
}

// System reports whether what is at an offset comes from a header of the compiler or its library.
func (u *Unit) System(offset int) bool { return u.lines.system(offset) }

// Kind is how a function is started.
type Kind uint8

// The kinds.
const (
	Plain     Kind = iota
	Interrupt      // by an interrupt
	Task           // by the kernel's scheduler: a TinyOS task, a Contiki process
)

func (k Kind) String() string { return [...]string{"plain", "interrupt", "task"}[k] }

// A Func is a function that the unit defines.
type Func struct {
	Name     string
	Kind     Kind
	Static   bool
	Pos      Pos
	Body     Span     // with its braces
	Result   string   // declares a variable %s of the type that it returns; empty if it returns nothing
	Refused  string   // why it has no graph
	Mentions []string // what is called in it, if it is a function: names before a parenthesis
	Assembly bool     // there is some in it
	Exempt   bool     // the programmer wants no instrumentation in it
	Stops    []Stmt   // loops that do nothing, for ever
	Nests    []Span   // each word interrupt in its attributes: with it the compiler turns interrupts on before anything else
	Blocks   []Block
	Edges    []Edge
	Bodies   []Stmt // substatements without braces, which need some around code placed in them
}

// Entry and Exit are blocks of every graph.
const (
	Entry = 0
	Exit  = 1
)

// A Block is a piece of a function that runs as a whole.
type Block struct {
	Lines []Pos  // without repetitions one after another
	Calls []Call // in the order of the text
	// Loud: it may do more than compute, besides Calls: assembly, the machine's registers, a function that is not named.
	Loud bool
}

// A Call names a function that a block calls directly.
type Call struct {
	Name string
	At   int
}

// An Edge leads from a block to the next.
type Edge struct {
	From, To int
	Way      Way
	Label    string // of a case
	Pos      Pos
	Weight   int // how often it may be taken: ten times for every loop around it
	Site     Site
}

// Way is what takes an edge.
type Way uint8

// The ways.
const (
	Next   Way = iota // nothing to decide
	True              // a condition that holds
	False             // one that does not
	Case              // a switch, to a label
	Jump              // goto, break, continue
	Return            // to the exit
)

func (w Way) String() string {
	return [...]string{"next", "true", "false", "case", "jump", "return"}[w]
}

// A Stmt is a statement or an expression: its text, and where it comes in a walk of the syntax, those around it first.
type Stmt struct {
	Span
	Order int
}

// SiteKind says how code is placed on an edge.
type SiteKind uint8

// The kinds of sites, each with what Site holds for it.
const (
	Nowhere     SiteKind = iota
	AtEntry              // where the body begins: At
	WhenTrue             // in a condition, Stmt
	WhenFalse            // in a condition, Stmt
	BeforeValue          // before an expression, Stmt, whose value is used
	Before               // before a statement, Stmt
	After                // behind a statement, Stmt
	AtCase               // behind the labels of a case, At; they begin at Stmt
	IntoCase             // before the labels of a case, Stmt: for those who come from the statement before
	AtDefault            // at the end of the body, Stmt, of a switch without a default label
	SwitchEnd            // at the end of the body of a switch, Stmt, for those who come from the statement before
	AtStep               // behind the step of a for loop, Stmt; or, if there is none, At
	AtWhile              // at the end of a while loop: keyword Stmt, opening parenthesis At, closing parenthesis Close
	AtReturn             // return statement Stmt, its keyword At, its value Value
	AtEnd                // before the function's last brace: At
)

// A Site is the place for code on an edge.
type Site struct {
	Kind  SiteKind
	Stmt  Stmt
	Value Span
	At    int
	Close int
}
