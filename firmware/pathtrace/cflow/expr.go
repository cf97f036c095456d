package cflow

import (
	"bytes"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"modernc.org/cc/v4"
)

// declaration walks what a declaration computes. Static variables are initialised by no code.
func (b *builder) declaration(d *cc.Declaration) {
	if _, ok := b.span(d); !ok {
		return // the parser's own declaration of __func__
	}
	for s := d.DeclarationSpecifiers; s != nil; s = s.DeclarationSpecifiers {
		if s.Case == cc.DeclarationSpecifiersStorage {
			switch s.StorageClassSpecifier.Case {
			case cc.StorageClassSpecifierStatic, cc.StorageClassSpecifierExtern, cc.StorageClassSpecifierTypedef:
				return
			}
		}
	}
	if d.Initializer != nil {
		b.initializer(d.Initializer)
	}
	for l := d.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
		if i := l.InitDeclarator; i.Case == cc.InitDeclaratorInit {
			b.initializer(i.Initializer)
		}
	}
}

func (b *builder) initializer(i *cc.Initializer) {
	if i.Case == cc.InitializerExpr {
		b.fullExpr(i.AssignmentExpression)
		return
	}
	for l := i.InitializerList; l != nil; l = l.InitializerList {
		b.initializer(l.Initializer)
	}
}

// fullExpr walks an expression that is part of no other.
func (b *builder) fullExpr(e cc.ExpressionNode) {
	if unsequenced(e) {
		b.fn.refuse(unsequencedWhy)
	}
	b.listenTo(e)
	b.expr(e)
}

func (b *builder) fullCond(e cc.ExpressionNode, yes, no int) {
	if unsequenced(e) {
		b.fn.refuse(unsequencedWhy)
	}
	b.listenTo(e)
	b.cond(e, yes, no)
}

// listen finds what does more than compute in a text that the current block begins. Addresses of the machine's registers are casts to
// pointers to what is volatile.
func (b *builder) listen(s Span) {
	block := &b.fn.Blocks[b.cur]
	block.Loud = block.Loud || bytes.Contains(b.masked[s.From:s.To], []byte("volatile"))
	if slices.ContainsFunc(b.hiddenIn(s), func(h hidden) bool { return h.assembles(b.text) }) {
		block.Loud, b.fn.Assembly = true, true
	}
}

func (b *builder) listenTo(e cc.ExpressionNode) {
	if s, ok := b.span(e); ok {
		b.listen(s)
	}
}

// cond walks a condition and leads on to one of two blocks.
func (b *builder) cond(e cc.ExpressionNode, yes, no int) {
	switch n := e.(type) {
	case *cc.PrimaryExpression:
		if n.Case == cc.PrimaryExpressionExpr {
			b.cond(n.ExpressionList, yes, no)
			return
		}
	case *cc.ExpressionList:
		for ; n.ExpressionList != nil; n = n.ExpressionList {
			b.expr(n.AssignmentExpression)
		}
		b.cond(n.AssignmentExpression, yes, no)
		return
	case *cc.UnaryExpression:
		if n.Case == cc.UnaryExpressionNot {
			b.cond(n.CastExpression, no, yes)
			return
		}
	case *cc.LogicalAndExpression:
		if n.Case == cc.LogicalAndExpressionLAnd {
			second := b.block()
			b.cond(n.LogicalAndExpression, second, no)
			b.cur = second
			b.cond(n.InclusiveOrExpression, yes, no)
			return
		}
	case *cc.LogicalOrExpression:
		if n.Case == cc.LogicalOrExpressionLOr {
			second := b.block()
			b.cond(n.LogicalOrExpression, yes, second)
			b.cur = second
			b.cond(n.LogicalAndExpression, yes, no)
			return
		}
	}
	b.decision(e, yes, no)
}

// decision is a condition without conditions in it. One that is a constant goes one way only.
func (b *builder) decision(e cc.ExpressionNode, yes, no int) {
	at := b.stmt(e)
	b.expr(e)
	value, constant := literal(e)
	if !constant || value != 0 {
		b.edge(b.cur, yes, Edge{Way: True, Site: Site{Kind: WhenTrue, Stmt: at}, Pos: b.lines.at(at.From)})
	}
	if !constant || value == 0 {
		b.edge(b.cur, no, Edge{Way: False, Site: Site{Kind: WhenFalse, Stmt: at}, Pos: b.lines.at(at.From)})
	}
}

// literal is the value of an integer constant, in parentheses or negated or not.
func literal(e cc.ExpressionNode) (uint64, bool) {
	switch n := e.(type) {
	case *cc.PrimaryExpression:
		switch n.Case {
		case cc.PrimaryExpressionExpr:
			return literal(n.ExpressionList)
		case cc.PrimaryExpressionInt:
			v, err := strconv.ParseUint(strings.TrimRight(n.Token.SrcStr(), "uUlL"), 0, 64)
			return v, err == nil
		}
	case *cc.ExpressionList:
		if n.ExpressionList == nil {
			return literal(n.AssignmentExpression)
		}
	case *cc.UnaryExpression:
		if v, ok := uint64(0), false; n.Case == cc.UnaryExpressionNot {
			if v, ok = literal(n.CastExpression); ok && v == 0 {
				return 1, true
			}
			return 0, ok
		}
	}
	return 0, false
}

// expr walks an expression for its value, operands before operators.
func (b *builder) expr(e cc.ExpressionNode) {
	switch n := e.(type) {
	case *cc.PrimaryExpression:
		b.primary(n)
	case *cc.PostfixExpression:
		b.postfix(n)
	case *cc.UnaryExpression:
		switch n.Case {
		case cc.UnaryExpressionSizeofExpr, cc.UnaryExpressionSizeofType, cc.UnaryExpressionAlignofExpr, cc.UnaryExpressionAlignofType:
			b.line(n.Token.Position().Offset)
		case cc.UnaryExpressionLabelAddr:
			b.fn.refuse("it takes the address of a label")
		default:
			b.operands(e)
		}
	case *cc.LogicalAndExpression:
		if n.Case == cc.LogicalAndExpressionLAnd {
			second, join := b.block(), b.block()
			b.cond(n.LogicalAndExpression, second, join)
			b.cur = second
			b.expr(n.InclusiveOrExpression)
			b.straight(join)
			return
		}
		b.operands(e)
	case *cc.LogicalOrExpression:
		if n.Case == cc.LogicalOrExpressionLOr {
			second, join := b.block(), b.block()
			b.cond(n.LogicalOrExpression, join, second)
			b.cur = second
			b.expr(n.LogicalAndExpression)
			b.straight(join)
			return
		}
		b.operands(e)
	case *cc.ConditionalExpression:
		if n.Case == cc.ConditionalExpressionCond {
			b.conditional(n)
			return
		}
		b.operands(e)
	default:
		b.operands(e)
	}
}

func (b *builder) conditional(n *cc.ConditionalExpression) {
	join, other := b.block(), b.block()
	if empty(n.ExpressionList) {
		// a ?: b has the value of a, so nothing may be added to a: code for its way on would have to go there.
		b.expr(n.LogicalOrExpression)
		at := b.stmt(n.ConditionalExpression)
		b.edge(b.cur, join, Edge{Way: True, Pos: b.lines.at(at.From)})
		b.edge(b.cur, other, Edge{Way: False, Site: Site{Kind: BeforeValue, Stmt: at}, Pos: b.lines.at(at.From)})
	} else {
		then := b.block()
		b.cond(n.LogicalOrExpression, then, other)
		b.cur = then
		b.expr(n.ExpressionList)
		b.edge(b.cur, join, Edge{})
	}
	b.cur = other
	b.expr(n.ConditionalExpression)
	b.straight(join)
}

// empty tells a missing expression, which the parser gives as nil or as a nil pointer.
func empty(e cc.ExpressionNode) bool { return e == nil || reflect.ValueOf(e).IsNil() }

func (b *builder) primary(n *cc.PrimaryExpression) {
	switch n.Case {
	case cc.PrimaryExpressionExpr:
		b.expr(n.ExpressionList)
	case cc.PrimaryExpressionStmt:
		b.compound(n.CompoundStatement)
	case cc.PrimaryExpressionGeneric:
		b.line(n.GenericSelection.Token.Position().Offset)
	default:
		b.line(n.Token.Position().Offset)
	}
}

// opaque are builtins that look at their operands without running them, or run only some.
var opaque = map[string]bool{"__builtin_constant_p": true, "__builtin_choose_expr": true, "__builtin_object_size": true,
	"__builtin_classify_type": true, "__builtin_has_attribute": true}

func (b *builder) postfix(n *cc.PostfixExpression) {
	switch n.Case {
	case cc.PostfixExpressionCall:
		name := callee(n.PostfixExpression)
		if opaque[name] {
			b.line(n.Token.Position().Offset)
			return
		}
		b.expr(n.PostfixExpression)
		for a := n.ArgumentExpressionList; a != nil; a = a.ArgumentExpressionList {
			b.expr(a.AssignmentExpression)
		}
		block := &b.fn.Blocks[b.cur]
		if at, ok := b.span(n); ok && name != "" {
			block.Calls = append(block.Calls, Call{name, at.From})
		} else {
			block.Loud = true
		}
	case cc.PostfixExpressionComplit:
		for l := n.InitializerList; l != nil; l = l.InitializerList {
			b.initializer(l.Initializer)
		}
	default:
		b.operands(n)
	}
}

// callee is the name of a function that is called directly.
func callee(e cc.ExpressionNode) string {
	switch n := e.(type) {
	case *cc.PrimaryExpression:
		switch n.Case {
		case cc.PrimaryExpressionIdent:
			return n.Token.SrcStr()
		case cc.PrimaryExpressionExpr:
			return callee(n.ExpressionList)
		}
	case *cc.ExpressionList:
		if n.ExpressionList == nil {
			return callee(n.AssignmentExpression)
		}
	}
	return ""
}

// operands walks the expressions right below an expression, in the order of the text.
func (b *builder) operands(e cc.ExpressionNode) {
	for _, c := range children(e) {
		b.expr(c)
	}
}

// children is the expressions right below an expression, in the order of the text.
func children(e cc.ExpressionNode) []cc.ExpressionNode {
	switch n := e.(type) {
	case *cc.AssignmentExpression:
		return present(n.UnaryExpression, n.AssignmentExpression, n.ConditionalExpression)
	case *cc.ConditionalExpression:
		return present(n.LogicalOrExpression, n.ExpressionList, n.ConditionalExpression)
	case *cc.LogicalOrExpression:
		return present(n.LogicalOrExpression, n.LogicalAndExpression)
	case *cc.LogicalAndExpression:
		return present(n.LogicalAndExpression, n.InclusiveOrExpression)
	case *cc.InclusiveOrExpression:
		return present(n.InclusiveOrExpression, n.ExclusiveOrExpression)
	case *cc.ExclusiveOrExpression:
		return present(n.ExclusiveOrExpression, n.AndExpression)
	case *cc.AndExpression:
		return present(n.AndExpression, n.EqualityExpression)
	case *cc.EqualityExpression:
		return present(n.EqualityExpression, n.RelationalExpression)
	case *cc.RelationalExpression:
		return present(n.RelationalExpression, n.ShiftExpression)
	case *cc.ShiftExpression:
		return present(n.ShiftExpression, n.AdditiveExpression)
	case *cc.AdditiveExpression:
		return present(n.AdditiveExpression, n.MultiplicativeExpression)
	case *cc.MultiplicativeExpression:
		return present(n.MultiplicativeExpression, n.CastExpression)
	case *cc.CastExpression:
		return present(n.UnaryExpression, n.CastExpression)
	case *cc.UnaryExpression:
		return present(n.PostfixExpression, n.UnaryExpression, n.CastExpression)
	case *cc.PostfixExpression:
		return present(n.PrimaryExpression, n.PostfixExpression, n.ExpressionList)
	case *cc.ConstantExpression:
		return present(n.ConditionalExpression)
	case *cc.PrimaryExpression:
		return present(n.ExpressionList)
	case *cc.ExpressionList:
		var list []cc.ExpressionNode
		for ; n != nil; n = n.ExpressionList {
			list = append(list, n.AssignmentExpression)
		}
		return present(list...)
	}
	return nil
}

func present(list ...cc.ExpressionNode) (some []cc.ExpressionNode) {
	for _, e := range list {
		if !empty(e) {
			some = append(some, e)
		}
	}
	return some
}
