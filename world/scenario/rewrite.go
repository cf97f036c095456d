package scenario

import (
	"slices"

	"go.starlark.net/syntax"
)

// The interpreter counts steps, but a step can be as large as "x" * 1000000000. So operations whose result can be much
// larger than what went in are replaced, in the parsed file, by calls of checked ones, which refuse and charge by size.
// They also give == Python's meaning where a Python user would be misled in silence: a firmware's array equals a list
// with the same elements, and True equals 1.

// Names of the checked operations. No script can spell them.
const (
	opEqual   = "checked =="
	opUnequal = "checked !="
	opSized   = "checked result"
	opMethod  = "checked method"
	opUpdate  = "checked update"
	opKey     = "checked key"
)

// opChecked is the checked form of a binary operator.
func opChecked(op syntax.Token) string { return "checked " + op.String() }

// opInPlace is the checked form of its assignment.
func opInPlace(op syntax.Token) string { return opChecked(op) + "=" }

// checkedOps are the operators whose results can be large: of strings, lists, sets, dicts and integers.
var checkedOps = []syntax.Token{
	syntax.PLUS, syntax.MINUS, syntax.STAR, syntax.PERCENT, syntax.LTLT, syntax.PIPE, syntax.AMP, syntax.CIRCUMFLEX,
}

// checkedMethods are the methods of Starlark's own types that make something large, or take long.
var checkedMethods = []string{
	"add", "capitalize", "codepoints", "codepoint_ords", "count", "difference", "difference_update", "discard", "elem_ords", "elems", "extend",
	"find", "format", "get", "index", "insert", "intersection", "intersection_update", "issubset", "issuperset", "items", "join",
	"keys", "lower", "lstrip", "partition", "pop", "remove", "removeprefix", "removesuffix", "replace", "rfind", "rindex",
	"rpartition", "rsplit", "rstrip", "setdefault", "split", "splitlines", "strip", "symmetric_difference",
	"symmetric_difference_update", "title", "union", "update", "upper", "values",
}

// rewriter replaces operations by checked ones.
type rewriter struct {
	reads map[*syntax.IndexExpr]bool // what n.var("x") has become
}

func (r rewriter) file(f *syntax.File) { r.stmts(f.Stmts) }

func (r rewriter) stmts(list []syntax.Stmt) {
	for i, s := range list {
		list[i] = r.stmt(s)
	}
}

func (r rewriter) stmt(s syntax.Stmt) syntax.Stmt {
	switch s := s.(type) {
	case *syntax.AssignStmt:
		return r.assign(s)
	case *syntax.DefStmt:
		r.exprs(s.Params)
		r.stmts(s.Body)
	case *syntax.ExprStmt:
		s.X = r.expr(s.X)
	case *syntax.ForStmt:
		s.Vars, s.X = r.expr(s.Vars), r.expr(s.X)
		r.stmts(s.Body)
	case *syntax.WhileStmt:
		s.Cond = r.expr(s.Cond)
		r.stmts(s.Body)
	case *syntax.IfStmt:
		s.Cond = r.expr(s.Cond)
		r.stmts(s.True)
		r.stmts(s.False)
	case *syntax.ReturnStmt:
		s.Result = r.expr(s.Result)
	}
	return s
}

// assign replaces x += y by x = x + y, checked, and d[k] += y by a call that evaluates d and k once.
func (r rewriter) assign(s *syntax.AssignStmt) syntax.Stmt {
	if s.Op == syntax.EQ {
		s.LHS, s.RHS = r.expr(s.LHS), r.expr(s.RHS)
		return s
	}
	op := s.Op - syntax.PLUS_EQ + syntax.PLUS
	target := unparen(s.LHS)
	s.RHS = r.expr(s.RHS)
	if index, ok := target.(*syntax.IndexExpr); ok {
		code := &syntax.Literal{Token: syntax.INT, TokenPos: s.OpPos, Raw: "0", Value: int64(op)}
		return &syntax.ExprStmt{X: call(opUpdate, s.OpPos, code, r.expr(index.X), r.expr(index.Y), s.RHS)}
	}
	name, ok := target.(*syntax.Ident)
	if !ok || !isChecked(op, s.LHS, s.RHS) {
		s.LHS = r.expr(s.LHS)
		return s
	}
	// The in-place form keeps += of a list the list's own growth.
	left := &syntax.Ident{NamePos: name.NamePos, Name: name.Name}
	s.Op, s.RHS = syntax.EQ, call(opInPlace(op), s.OpPos, left, s.RHS)
	return s
}

func (r rewriter) exprs(list []syntax.Expr) {
	for i, x := range list {
		list[i] = r.expr(x)
	}
}

func (r rewriter) expr(x syntax.Expr) syntax.Expr {
	switch x := x.(type) {
	case *syntax.BinaryExpr:
		return r.binary(x)
	case *syntax.CallExpr:
		x.Fn = r.expr(x.Fn)
		r.args(x.Args)
		if f, ok := x.Fn.(*syntax.DotExpr); ok && f.Name.Name == readMethod && len(x.Args) == 1 && isText(x.Args[0]) {
			read := &syntax.IndexExpr{X: f.X, Lbrack: x.Lparen, Y: x.Args[0], Rbrack: x.Rparen}
			r.reads[read] = true
			return read
		}
	case *syntax.Comprehension:
		x.Body = r.expr(x.Body)
		for _, c := range x.Clauses {
			switch c := c.(type) {
			case *syntax.ForClause:
				c.Vars, c.X = r.expr(c.Vars), r.expr(c.X)
			case *syntax.IfClause:
				c.Cond = r.expr(c.Cond)
			}
		}
	case *syntax.CondExpr:
		x.Cond, x.True, x.False = r.expr(x.Cond), r.expr(x.True), r.expr(x.False)
	case *syntax.DictEntry:
		x.Key, x.Value = r.key(x.Key, x.Colon), r.expr(x.Value)
	case *syntax.DictExpr:
		r.exprs(x.List)
	case *syntax.DotExpr:
		x.X = r.expr(x.X)
		if slices.Contains(checkedMethods, x.Name.Name) {
			name := &syntax.Literal{Token: syntax.STRING, TokenPos: x.NamePos, Raw: x.Name.Name, Value: x.Name.Name}
			return call(opMethod, x.Dot, x.X, name)
		}
	case *syntax.IndexExpr:
		x.X, x.Y = r.expr(x.X), r.key(x.Y, x.Lbrack)
	case *syntax.LambdaExpr:
		r.exprs(x.Params)
		x.Body = r.expr(x.Body)
	case *syntax.ListExpr:
		r.exprs(x.List)
	case *syntax.ParenExpr:
		x.X = r.expr(x.X)
	case *syntax.SliceExpr:
		x.X, x.Lo, x.Hi, x.Step = r.expr(x.X), r.expr(x.Lo), r.expr(x.Hi), r.expr(x.Step)
		return call(opSized, x.Lbrack, x)
	case *syntax.TupleExpr:
		r.exprs(x.List)
	case *syntax.UnaryExpr:
		if x.X != nil {
			x.X = r.expr(x.X)
		}
	}
	return x
}

// args are a call's arguments: names stay, and what * and ** spread is charged.
func (r rewriter) args(list []syntax.Expr) {
	for i, x := range list {
		switch x := x.(type) {
		case *syntax.BinaryExpr:
			if x.Op == syntax.EQ {
				x.Y = r.expr(x.Y)
				continue
			}
		case *syntax.UnaryExpr:
			if x.Op == syntax.STAR || x.Op == syntax.STARSTAR {
				x.X = call(opSized, x.OpPos, r.expr(x.X))
				continue
			}
		}
		list[i] = r.expr(x)
	}
}

func (r rewriter) binary(x *syntax.BinaryExpr) syntax.Expr {
	if x.Op == syntax.EQ { // a parameter with its default
		x.Y = r.expr(x.Y)
		return x
	}
	x.X, x.Y = r.expr(x.X), r.expr(x.Y)
	switch {
	case (x.Op == syntax.EQL || x.Op == syntax.NEQ) && (isNumber(x.X) && r.isRead(x.Y) || r.isRead(x.X) && isNumber(x.Y)):
		return numberLast(x) // the commonest test in properties; both sides are numbers, or never equal
	case slices.Contains(orders, x.Op) && (isNumber(x.X) || isNumber(x.Y)):
		return numberLast(x)
	case slices.Contains(orders, x.Op), x.Op == syntax.IN, x.Op == syntax.NOT_IN:
		return call(opChecked(x.Op), x.OpPos, x.X, x.Y)
	case x.Op == syntax.EQL:
		return call(opEqual, x.OpPos, x.X, x.Y)
	case x.Op == syntax.NEQ:
		return call(opUnequal, x.OpPos, x.X, x.Y)
	case isChecked(x.Op, x.X, x.Y):
		return call(opChecked(x.Op), x.OpPos, x.X, x.Y)
	}
	return x
}

// orders are the comparisons that take more than equality. They are checked for the sake of unknown numbers alone, which must be asked
// themselves: as it is the left side that Starlark asks, a number that stands there changes places instead.
var orders = []syntax.Token{syntax.LT, syntax.GT, syntax.LE, syntax.GE}

func numberLast(x *syntax.BinaryExpr) syntax.Expr {
	if isNumber(x.X) && !isNumber(x.Y) {
		x.X, x.Y, x.Op = x.Y, x.X, flipped[x.Op]
	}
	return x
}

// isChecked reports whether an operation can grow. With a number on one side, only repetition and formatting can.
func isChecked(op syntax.Token, x, y syntax.Expr) bool {
	if !slices.Contains(checkedOps, op) {
		return false
	}
	return op == syntax.STAR || op == syntax.PERCENT || op == syntax.LTLT || !isNumber(x) && !isNumber(y)
}

func isNumber(x syntax.Expr) bool {
	l, ok := unparen(x).(*syntax.Literal)
	return ok && (l.Token == syntax.INT || l.Token == syntax.FLOAT)
}

// readMethod reads a variable of a node. n.var("x") becomes n["x"], which costs half as much as a call.
const readMethod = "var"

// isRead recognises what reads a variable or a field: that gives no bool.
func (r rewriter) isRead(x syntax.Expr) bool {
	x = unparen(x)
	if i, ok := x.(*syntax.IndexExpr); ok {
		return r.reads[i]
	}
	d, ok := x.(*syntax.DotExpr)
	return ok && d.Name.Name != "alive"
}

func isText(x syntax.Expr) bool {
	l, ok := unparen(x).(*syntax.Literal)
	return ok && l.Token == syntax.STRING
}

func unparen(x syntax.Expr) syntax.Expr {
	for {
		p, ok := x.(*syntax.ParenExpr)
		if !ok {
			return x
		}
		x = p.X
	}
}

func call(name string, at syntax.Position, args ...syntax.Expr) syntax.Expr {
	return &syntax.CallExpr{Fn: &syntax.Ident{NamePos: at, Name: name}, Lparen: at, Args: args, Rparen: at}
}
