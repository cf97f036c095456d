package archtest

import (
	"fmt"
	"go/ast"
	"go/scanner"
	"go/token"
	"hash/fnv"
	"slices"
	"strings"
)

// twinTokens is how many tokens in a row two functions must have in common, names aside, to be twins.
const twinTokens = 60

// twins is two functions that have a stretch of code in common, names aside.
type twins struct {
	A, B   string // "file:line name"
	Tokens int    // of the longest stretch that was found
}

// String is the pair as a line.
func (t twins) String() string { return fmt.Sprintf("%3d tokens: %s and %s", t.Tokens, t.A, t.B) }

// function is a function as its tokens: a name is its number of first appearance within a window, anything else stands for itself.
type function struct {
	name   string
	tokens []symbol
}

type symbol struct {
	kind token.Token
	text string // of a literal or a name
}

// findTwins lists pairs of functions outside of tests which have twinTokens tokens in a row in common, names and literals aside, longest first.
func findTwins(packages []*pkg) []twins {
	var all []function
	for _, p := range packages {
		for _, f := range p.files {
			if !f.test && !generated(f) {
				all = append(all, functions(f)...)
			}
		}
	}
	type place struct{ function, at int }
	windows := map[uint64][]place{}
	for i, f := range all {
		for at := range max(0, len(f.tokens)-twinTokens+1) {
			h := shape(f.tokens[at : at+twinTokens])
			windows[h] = append(windows[h], place{i, at})
		}
	}
	longest := map[[2]int]int{}
	for _, places := range windows {
		for i, a := range places {
			for _, b := range places[i+1:] {
				if a.function != b.function {
					pair := [2]int{min(a.function, b.function), max(a.function, b.function)}
					longest[pair]++
				}
			}
		}
	}
	var found []twins
	for pair, extra := range longest {
		found = append(found, twins{all[pair[0]].name, all[pair[1]].name, twinTokens + extra - 1})
	}
	slices.SortFunc(found, func(a, b twins) int {
		if a.Tokens != b.Tokens {
			return b.Tokens - a.Tokens
		}
		return strings.Compare(a.A+a.B, b.A+b.B)
	})
	return found
}

// generated tells whether a file says that a program wrote it.
func generated(f *file) bool { return ast.IsGenerated(f.syntax) }

// functions lists the functions of a file with their tokens.
func functions(f *file) []function {
	var list []function
	for _, d := range f.syntax.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil {
			continue
		}
		start, end := f.fset.Position(fn.Body.Pos()).Offset, f.fset.Position(fn.Body.End()).Offset
		list = append(list, function{fmt.Sprintf("%s:%d %s", f.path, f.line(fn.Pos()), fn.Name.Name), scan(f.text[start:end])})
	}
	return list
}

func scan(text []byte) []symbol {
	fset := token.NewFileSet()
	var s scanner.Scanner
	s.Init(fset.AddFile("", -1, len(text)), text, nil, 0)
	var out []symbol
	for {
		_, kind, literal := s.Scan()
		if kind == token.EOF {
			return out
		}
		out = append(out, symbol{kind, literal})
	}
}

// shape is a hash of tokens that is the same if only names and literals differ, and each name takes the place of one other.
func shape(window []symbol) uint64 {
	h := fnv.New64a()
	names := map[string]byte{}
	for _, s := range window {
		number := byte(0)
		if s.kind == token.IDENT {
			n, ok := names[s.text]
			if !ok {
				n = byte(len(names) + 1)
				names[s.text] = n
			}
			number = n
		}
		h.Write([]byte{byte(s.kind), number})
	}
	return h.Sum64()
}
