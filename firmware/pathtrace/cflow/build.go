package cflow

import (
	"slices"
	"sort"
	"strings"

	"modernc.org/cc/v4"
)

// A builder makes the graph of one function, in one walk over its syntax.
type builder struct {
	*reader
	fn       *Func
	cur      int // the block that what comes next belongs to
	depth    int // of loops
	order    int // counts statements and expressions that have sites, those around others first
	labels   map[string]int
	breaks   []int // where break goes, and continue
	nexts    []int
	switches []*switchContext
}

// A switchContext is a switch whose body is being walked.
type switchContext struct {
	head       int
	hasDefault bool
}

func (b *builder) build(body *cc.CompoundStatement) {
	b.fn.Blocks = make([]Block, 2)
	b.cur = b.block()
	open, close := b.fn.Body.From, b.fn.Body.To-1
	b.edge(Entry, b.cur, Edge{Site: Site{Kind: AtEntry, At: open + 1}, Pos: b.lines.at(open)})
	b.compound(body)
	b.edge(b.cur, Exit, Edge{Way: Return, Site: Site{Kind: AtEnd, At: close}, Pos: b.lines.at(close)})
	b.fn.prune()
}

func (b *builder) block() int {
	b.fn.Blocks = append(b.fn.Blocks, Block{})
	return len(b.fn.Blocks) - 1
}

// maxDepth is the depth of loops from which on weights are equal.
const maxDepth = 6

func (b *builder) edge(from, to int, e Edge) {
	e.From, e.To, e.Weight = from, to, 1
	if lines := b.fn.Blocks[from].Lines; e.Pos == (Pos{}) && len(lines) > 0 {
		e.Pos = lines[len(lines)-1]
	} else if e.Pos == (Pos{}) {
		e.Pos = b.fn.Pos
	}
	for range min(b.depth, maxDepth) {
		e.Weight *= 10
	}
	if e.Way == Next {
		e.Weight *= 2
	}
	b.fn.Edges = append(b.fn.Edges, e)
}

// straight continues in a block by an edge that needs no code of its own.
func (b *builder) straight(to int) {
	b.edge(b.cur, to, Edge{})
	b.cur = to
}

// stmt is the extent of a statement or expression. Statements begin with what was masked directly before them.
func (b *builder) stmt(n cc.Node) Stmt {
	s, ok := b.span(n)
	if !ok {
		b.fn.refuse("a statement has no text")
	}
	b.order++
	return Stmt{s, b.order}
}

func (b *builder) statementSpan(n cc.Node) Stmt {
	s := b.stmt(n)
	s.From = b.withHidden(s.From)
	return s
}

// withHidden moves the begin of a statement before what was masked there, since assembly and __extension__ are part of it.
func (b *builder) withHidden(at int) int {
	i := sort.Search(len(b.hidden), func(i int) bool { return b.hidden[i].From >= at })
	for i--; i >= 0; i-- {
		h := b.hidden[i]
		if h.To > at || strings.TrimSpace(string(b.masked[h.To:at])) != "" || h.From < b.fn.Body.From {
			break
		}
		at = h.From
	}
	return at
}

// line adds a place to the current block.
func (b *builder) line(at int) {
	p := b.lines.at(at)
	lines := &b.fn.Blocks[b.cur].Lines
	if n := len(*lines); n == 0 || (*lines)[n-1] != p {
		*lines = append(*lines, p)
	}
}

func (b *builder) compound(c *cc.CompoundStatement) {
	for l := c.BlockItemList; l != nil; l = l.BlockItemList {
		switch i := l.BlockItem; i.Case {
		case cc.BlockItemDecl:
			b.declaration(i.Declaration)
		case cc.BlockItemLabel:
			b.fn.refuse("it has local labels")
		case cc.BlockItemStmt:
			b.statement(i.Statement)
		case cc.BlockItemFuncDef:
			b.fn.refuse("it has functions in it")
		}
	}
}

// body walks a substatement and gives it as far as code can be placed behind it: without the last of its braces. Code placed in
// one without braces needs some.
func (b *builder) body(s *cc.Statement) Stmt {
	at := b.statementSpan(s)
	if s.Case != cc.StatementCompound {
		b.fn.Bodies = append(b.fn.Bodies, at)
	} else {
		at.To--
	}
	b.statement(s)
	return at
}

func (b *builder) statement(s *cc.Statement) {
	switch s.Case {
	case cc.StatementLabeled:
		b.labeled(s.LabeledStatement)
	case cc.StatementCompound:
		b.compound(s.CompoundStatement)
	case cc.StatementExpr:
		if at, ok := b.span(s); ok {
			b.listen(Span{b.withHidden(at.From), at.To})
		}
		if e := s.ExpressionStatement.ExpressionList; e != nil {
			b.fullExpr(e)
		} else {
			b.line(b.withHidden(s.ExpressionStatement.Token.Position().Offset))
		}
	case cc.StatementSelection:
		if s.SelectionStatement.Case == cc.SelectionStatementSwitch {
			b.switchStatement(s.SelectionStatement)
		} else {
			b.ifStatement(s.SelectionStatement)
		}
	case cc.StatementIteration:
		b.iteration(s.IterationStatement)
	case cc.StatementJump:
		b.jump(s.JumpStatement)
	}
}

// meet ends a statement in which ways may meet again: the edge behind the meeting has a place for code, so that a procedure with
// too many paths can be cut there.
func (b *builder) meet(join int, s Stmt) {
	b.cur = b.block()
	b.edge(join, b.cur, Edge{Site: Site{Kind: After, Stmt: s}, Pos: b.lines.at(s.To - 1)})
}

func (b *builder) ifStatement(s *cc.SelectionStatement) {
	whole := b.statementSpan(s)
	then, join := b.block(), b.block()
	other := join
	if s.Case == cc.SelectionStatementIfElse {
		other = b.block()
	}
	b.fullCond(s.ExpressionList, then, other)
	b.cur = then
	body := b.body(s.Statement)
	b.edge(b.cur, join, Edge{Site: Site{Kind: After, Stmt: body}, Pos: b.lines.at(body.To)})
	if s.Case == cc.SelectionStatementIfElse {
		b.cur = other
		body := b.body(s.Statement2)
		b.edge(b.cur, join, Edge{Site: Site{Kind: After, Stmt: body}, Pos: b.lines.at(body.To)})
	}
	b.meet(join, whole)
}

// loop walks the body of a loop, from which continue goes to next and break to after.
func (b *builder) loop(s *cc.Statement, next, after int) Stmt {
	b.breaks, b.nexts = append(b.breaks, after), append(b.nexts, next)
	body := b.body(s)
	b.breaks, b.nexts = b.breaks[:len(b.breaks)-1], b.nexts[:len(b.nexts)-1]
	b.edge(b.cur, next, Edge{Site: Site{Kind: After, Stmt: body}, Pos: b.lines.at(body.To)})
	return body
}

func (b *builder) iteration(s *cc.IterationStatement) {
	whole := b.statementSpan(s)
	if b.stops(s) {
		b.fn.Stops = append(b.fn.Stops, whole)
	}
	after := b.block()
	switch s.Case {
	case cc.IterationStatementWhile:
		b.while(s, after, whole)
	case cc.IterationStatementDo:
		body, cond := b.block(), b.block()
		b.depth++
		b.straight(body)
		b.loop(s.Statement, cond, after)
		b.cur = cond
		b.fullCond(s.ExpressionList, body, after)
		b.depth--
	case cc.IterationStatementFor:
		if s.ExpressionList != nil {
			b.fullExpr(s.ExpressionList)
		}
		b.forLoop(s.ExpressionList2, s.ExpressionList3, s, after)
	case cc.IterationStatementForDecl:
		b.declaration(s.Declaration)
		b.forLoop(s.ExpressionList, s.ExpressionList2, s, after)
	}
	b.meet(after, whole)
}

// stops reports whether a loop does nothing and has no end.
func (b *builder) stops(s *cc.IterationStatement) bool {
	body := b.clean(s.Statement)
	if body != ";" && body != "{ }" && body != "{}" {
		return false
	}
	in, ok := b.span(s.Statement)
	in.From = b.withHidden(in.From)
	if !ok || slices.ContainsFunc(b.hiddenIn(in), func(h hidden) bool { return h.assembles(b.text) }) {
		return false // it sleeps, or does something else
	}
	switch s.Case {
	case cc.IterationStatementWhile:
		value, ok := literal(s.ExpressionList)
		return ok && value != 0
	case cc.IterationStatementFor:
		return s.ExpressionList2 == nil && s.ExpressionList3 == nil
	}
	return false
}

func (b *builder) while(s *cc.IterationStatement, after int, whole Stmt) {
	head, body, latch := b.block(), b.block(), b.block()
	b.depth++
	b.straight(head)
	b.fullCond(s.ExpressionList, body, after)
	b.cur = body
	b.loop(s.Statement, latch, after)
	keyword := s.Token.Position().Offset
	b.edge(latch, head, Edge{Pos: b.lines.at(keyword), Site: Site{
		Kind:  AtWhile,
		Stmt:  Stmt{Span{keyword, keyword + len("while")}, whole.Order},
		At:    s.Token2.Position().Offset,
		Close: s.Token3.Position().Offset,
	}})
	b.depth--
}

// forLoop walks a for loop behind its first clause. cond and step may be nil.
func (b *builder) forLoop(cond, step cc.ExpressionNode, s *cc.IterationStatement, after int) {
	head, body, latch := b.block(), b.block(), b.block()
	b.depth++
	b.straight(head)
	if cond != nil {
		b.fullCond(cond, body, after)
	} else {
		b.straight(body)
	}
	b.cur = body
	b.loop(s.Statement, latch, after)
	b.cur = latch
	site := Site{Kind: AtStep, At: b.closing(s)}
	if step != nil {
		site.Stmt = b.stmt(step)
		b.fullExpr(step)
	}
	b.edge(b.cur, head, Edge{Site: site, Pos: b.lines.at(site.At)})
	b.depth--
}

// closing is the offset of the parenthesis that ends the clauses of a for loop.
func (b *builder) closing(s *cc.IterationStatement) int {
	if s.Case == cc.IterationStatementForDecl {
		return s.Token4.Position().Offset
	}
	return s.Token5.Position().Offset
}

func (b *builder) switchStatement(s *cc.SelectionStatement) {
	whole := b.statementSpan(s)
	b.fullExpr(s.ExpressionList)
	after := b.block()
	ctx := &switchContext{head: b.cur}
	b.switches, b.breaks = append(b.switches, ctx), append(b.breaks, after)
	b.cur = b.block() // reached by no one: a switch goes to its labels
	body := b.body(s.Statement)
	b.switches, b.breaks = b.switches[:len(b.switches)-1], b.breaks[:len(b.breaks)-1]
	b.edge(b.cur, after, Edge{Site: Site{Kind: SwitchEnd, Stmt: body}, Pos: b.lines.at(body.To)})
	if !ctx.hasDefault {
		b.edge(ctx.head, after, Edge{Way: Case, Label: "no case", Site: Site{Kind: AtDefault, Stmt: body}, Pos: b.lines.at(whole.From)})
	}
	b.meet(after, whole)
}

func (b *builder) labeled(s *cc.LabeledStatement) {
	at := b.statementSpan(s)
	if s.Case == cc.LabeledStatementLabel {
		to := b.label(s.Token.SrcStr())
		b.edge(b.cur, to, Edge{Site: Site{Kind: Before, Stmt: at}, Pos: b.lines.at(at.From)})
		b.cur = to
		b.statement(s.Statement)
		return
	}
	if len(b.switches) == 0 {
		b.fn.refuse("a case label is in no switch")
		return
	}
	ctx, to := b.switches[len(b.switches)-1], b.block()
	var names []string
	for {
		name, isDefault := b.caseName(s)
		names = append(names, name)
		ctx.hasDefault = ctx.hasDefault || isDefault
		if inner := s.Statement; inner != nil && inner.Case == cc.StatementLabeled && inner.LabeledStatement.Case != cc.LabeledStatementLabel {
			s = inner.LabeledStatement
			continue
		}
		break
	}
	b.edge(ctx.head, to, Edge{Way: Case, Label: strings.Join(names, ", "), Pos: b.lines.at(at.From),
		Site: Site{Kind: AtCase, Stmt: at, At: colon(s) + 1}})
	b.edge(b.cur, to, Edge{Site: Site{Kind: IntoCase, Stmt: at}, Pos: b.lines.at(at.From)})
	b.cur = to
	if s.Statement != nil {
		b.statement(s.Statement)
	}
}

func (b *builder) caseName(s *cc.LabeledStatement) (name string, isDefault bool) {
	switch s.Case {
	case cc.LabeledStatementDefault:
		return "default", true
	case cc.LabeledStatementRange:
		return "case " + b.clean(s.ConstantExpression) + " ... " + b.clean(s.ConstantExpression2), false
	default:
		return "case " + b.clean(s.ConstantExpression), false
	}
}

// colon is the offset of a label's last token.
func colon(s *cc.LabeledStatement) int {
	if s.Case == cc.LabeledStatementRange {
		return s.Token3.Position().Offset
	}
	return s.Token2.Position().Offset
}

func (b *builder) label(name string) int {
	to, ok := b.labels[name]
	if !ok {
		to = b.block()
		b.labels[name] = to
	}
	return to
}

func (b *builder) jump(s *cc.JumpStatement) {
	at := b.statementSpan(s)
	b.line(at.From)
	before := Edge{Way: Jump, Site: Site{Kind: Before, Stmt: at}, Pos: b.lines.at(at.From)}
	switch s.Case {
	case cc.JumpStatementGoto:
		b.edge(b.cur, b.label(s.Token2.SrcStr()), before)
	case cc.JumpStatementGotoExpr:
		b.fn.refuse("it has a computed goto")
	case cc.JumpStatementContinue:
		b.leap(b.nexts, before)
	case cc.JumpStatementBreak:
		b.leap(b.breaks, before)
	case cc.JumpStatementReturn:
		site := Site{Kind: AtReturn, Stmt: at, At: s.Token.Position().Offset}
		if s.ExpressionList != nil {
			b.fullExpr(s.ExpressionList)
			site.Value, _ = b.span(s.ExpressionList)
		}
		b.edge(b.cur, Exit, Edge{Way: Return, Site: site, Pos: b.lines.at(at.From)})
	}
	b.cur = b.block() // reached by labels only
}

// leap goes where the innermost statement around a break or continue says.
func (b *builder) leap(to []int, e Edge) {
	if len(to) == 0 {
		b.fn.refuse("a break or continue is in no loop")
		return
	}
	b.edge(b.cur, to[len(to)-1], e)
}
