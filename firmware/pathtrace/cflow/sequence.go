package cflow

import "modernc.org/cc/v4"

// The increments of decisions may be added up in any order, so it does not matter in which order a compiler evaluates operands
// that C leaves unsequenced. Recording a number in between does: a loop or a jump in one operand while another decides.

const unsequencedWhy = "a loop or jump in an expression, and a decision in another operand, may run in any order"

// shape is what of this is in an expression.
type shape struct {
	decides bool
	records bool // a statement expression with a loop or a jump
	clash   bool
}

func unsequenced(e cc.ExpressionNode) bool { return shapeOf(e).clash }

func shapeOf(e cc.ExpressionNode) shape {
	var operands []shape
	sequenced := false
	switch n := e.(type) {
	case *cc.PrimaryExpression:
		if n.Case == cc.PrimaryExpressionStmt {
			return statementShape(n.CompoundStatement)
		}
	case *cc.LogicalAndExpression, *cc.LogicalOrExpression, *cc.ConditionalExpression, *cc.ExpressionList:
		sequenced = true
	case *cc.PostfixExpression:
		for a := n.ArgumentExpressionList; a != nil; a = a.ArgumentExpressionList {
			operands = append(operands, shapeOf(a.AssignmentExpression))
		}
		for l := n.InitializerList; l != nil; l = l.InitializerList {
			if l.Initializer.Case == cc.InitializerExpr {
				operands = append(operands, shapeOf(l.Initializer.AssignmentExpression))
			}
		}
	}
	for _, c := range children(e) {
		operands = append(operands, shapeOf(c))
	}
	var all shape
	for _, o := range operands {
		if !sequenced && (all.records && (o.decides || o.records) || o.records && all.decides) {
			all.clash = true
		}
		all.decides, all.records, all.clash = all.decides || o.decides, all.records || o.records, all.clash || o.clash
	}
	switch n := e.(type) {
	case *cc.LogicalAndExpression:
		all.decides = all.decides || n.Case == cc.LogicalAndExpressionLAnd
	case *cc.LogicalOrExpression:
		all.decides = all.decides || n.Case == cc.LogicalOrExpressionLOr
	case *cc.ConditionalExpression:
		all.decides = all.decides || n.Case == cc.ConditionalExpressionCond
	}
	return all
}

// statementShape is that of a statement expression. Its own expressions are judged when they are walked.
func statementShape(c *cc.CompoundStatement) (s shape) {
	for _, t := range cc.NodeTokens(c) {
		switch t.SrcStr() {
		case "while", "for", "do", "goto", "break", "continue", "return":
			s.records = true
		case "if", "switch", "?", "&&", "||":
			s.decides = true
		}
	}
	return s
}
