package picture

import (
	"slices"

	"motehound/observe/calltree"
)

// guide leads from the names of a model file, which has neither folders nor how a call was compiled, to the source.
type guide struct {
	paths map[sourceLine]string // of functions, by the last part of the file's name and the line
	files map[string]string
	calls map[callKey]*callInfo
	alone map[sourceLine]bool // functions that are inlined wherever they are called
}

// sourceLine is a line of a file.
type sourceLine struct {
	File string
	Line int
}

type funcKey struct{ name, file string }

type callKey struct{ caller, callee funcKey }

type callInfo struct {
	kinds [calltree.Inlined + 1]bool
	sites []sourceLine
}

// maxSites is how many places of a call are shown.
const maxSites = 8

// newGuide makes a guide that knows nothing.
func newGuide() *guide {
	return &guide{paths: map[sourceLine]string{}, files: map[string]string{}, calls: map[callKey]*callInfo{}, alone: map[sourceLine]bool{}}
}

// function says where a function is declared, with its folders, and whether it is inlined wherever it is called.
func (g *guide) function(file string, line int, inlined bool) {
	if file == "" {
		return
	}
	at := sourceLine{base(file), line}
	g.paths[at] = file
	if _, known := g.files[at.File]; !known {
		g.files[at.File] = file
	}
	g.alone[at] = inlined
}

// book tells of all that was seen in a run.
func (g *guide) book(b *calltree.Book) {
	for _, f := range b.Funcs() {
		if base(f.File) != f.File { // else it is of a model file
			g.function(f.File, f.Line, false)
		}
	}
	for _, n := range b.Nodes() {
		for _, c := range n.Calls {
			g.call(n, c)
		}
	}
}

func (g *guide) call(caller, callee *calltree.Node) {
	if callee.Site == (calltree.Site{}) {
		return
	}
	k := callKey{keyOf(caller.Func), keyOf(callee.Func)}
	info := g.calls[k]
	if info == nil {
		info = &callInfo{}
		g.calls[k] = info
	}
	info.kinds[callee.Kind] = true
	at := sourceLine(callee.Site)
	if !slices.Contains(info.sites, at) && len(info.sites) < maxSites {
		info.sites = append(info.sites, at)
	}
}

func keyOf(f *calltree.Func) funcKey { return funcKey{f.Name, base(f.File)} }

// path is the file of a function with its folders, as far as they are known.
func (g *guide) path(file string, line int) string {
	if p, ok := g.paths[sourceLine{file, line}]; ok {
		return p
	}
	if p, ok := g.files[file]; ok {
		return p
	}
	return file
}

// compiled is how calls of a function by another were compiled: "inlined" or "jump" if all that are known were, else "call".
func (g *guide) compiled(caller, callee funcKey, line int) string {
	info := g.calls[callKey{caller, callee}]
	switch {
	case info == nil && g.alone[sourceLine{callee.file, line}]:
		return "inlined"
	case info == nil || info.kinds[calltree.Call]:
		return "call"
	case info.kinds[calltree.Inlined] && !info.kinds[calltree.Tail]:
		return "inlined"
	case info.kinds[calltree.Tail] && !info.kinds[calltree.Inlined]:
		return "jump"
	}
	return "call"
}
