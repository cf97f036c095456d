package picture

import (
	"motehound/study/behavior"
)

// Guide leads from the names of a model file, which has neither folders nor how a call was compiled, to the source.
type Guide struct {
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
	kinds [behavior.Inlined + 1]bool
	sites []sourceLine
}

// maxSites is how many places of a call are shown.
const maxSites = 8

// NewGuide makes a guide that knows nothing.
func NewGuide() *Guide {
	return &Guide{paths: map[sourceLine]string{}, files: map[string]string{}, calls: map[callKey]*callInfo{}, alone: map[sourceLine]bool{}}
}

// Function tells where a function is declared, with its folders, and whether it is inlined wherever it is called.
func (g *Guide) Function(file string, line int, inlined bool) {
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

// Book tells of all that was seen in a run.
func (g *Guide) Book(b *behavior.Book) {
	for _, f := range b.Funcs() {
		if base(f.File) != f.File { // else it is of a model file
			g.Function(f.File, f.Line, false)
		}
	}
	for _, n := range b.Nodes() {
		for _, c := range n.Calls {
			g.call(n, c)
		}
	}
}

func (g *Guide) call(caller, callee *behavior.Node) {
	if callee.Site == (behavior.Site{}) {
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
	for _, s := range info.sites {
		if s == at {
			return
		}
	}
	if len(info.sites) < maxSites {
		info.sites = append(info.sites, at)
	}
}

func keyOf(f *behavior.Func) funcKey { return funcKey{f.Name, base(f.File)} }

// path is the file of a function with its folders, as far as they are known.
func (g *Guide) path(file string, line int) string {
	if p, ok := g.paths[sourceLine{file, line}]; ok {
		return p
	}
	if p, ok := g.files[file]; ok {
		return p
	}
	return file
}

// compiled is how calls of a function by another were compiled: "inlined" or "jump" if all that are known were, else "call".
func (g *Guide) compiled(caller, callee funcKey, line int) string {
	info := g.calls[callKey{caller, callee}]
	switch {
	case info == nil && g.alone[sourceLine{callee.file, line}]:
		return "inlined"
	case info == nil || info.kinds[behavior.Call]:
		return "call"
	case info.kinds[behavior.Inlined] && !info.kinds[behavior.Tail]:
		return "inlined"
	case info.kinds[behavior.Tail] && !info.kinds[behavior.Inlined]:
		return "jump"
	}
	return "call"
}
