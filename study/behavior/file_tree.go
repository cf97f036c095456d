package behavior

import (
	"fmt"
	"strconv"
	"strings"
)

// A function is one line of a model file: two spaces for each layer above it, "int: ", "task: " or "post: " unless it is a call,
// its name, and " @ FILE:LINE" if that is known.

// lineKinds are the words for how a function came to run; a call has none, however the compiler made it.
var lineKinds = []struct {
	word string
	kind CallKind
}{{"int: ", Interrupt}, {"task: ", Task}, {"post: ", Post}}

// treeLine is a line that was read.
type treeLine struct {
	layer int // from 1
	kind  CallKind
	name  string
	file  string
	line  int
}

func formatLine(n *Node, layer int) string {
	var b strings.Builder
	for range layer - 1 {
		b.WriteString("  ")
	}
	for _, k := range lineKinds {
		if n.Kind == k.kind {
			b.WriteString(k.word)
		}
	}
	b.WriteString(n.Func.Name)
	if f := baseName(n.Func.File); f != "" {
		fmt.Fprintf(&b, " @ %s:%d", f, n.Func.Line)
	}
	return b.String()
}

// formatTree is a tree as lines.
func formatTree(tree *Node, layers int) []string {
	lines := []string{}
	for _, it := range sequence(tree, layers) {
		lines = append(lines, formatLine(it.Node, it.Layer))
	}
	return lines
}

func parseLine(text string) (treeLine, error) {
	rest := strings.TrimLeft(text, " ")
	indent := len(text) - len(rest)
	if indent%2 != 0 {
		return treeLine{}, fmt.Errorf("%q: a layer is two spaces", text)
	}
	l := treeLine{layer: indent/2 + 1, kind: Call}
	for _, k := range lineKinds {
		if after, ok := strings.CutPrefix(rest, k.word); ok {
			l.kind, rest = k.kind, after
			break
		}
	}
	l.name = rest
	if at := strings.LastIndex(rest, " @ "); at >= 0 {
		place := rest[at+3:]
		colon := strings.LastIndexByte(place, ':')
		if colon < 0 {
			return l, fmt.Errorf("%q: after @ goes FILE:LINE", text)
		}
		n, err := strconv.ParseUint(place[colon+1:], 10, 31)
		if err != nil {
			return l, fmt.Errorf("%q: after @ goes FILE:LINE", text)
		}
		l.name, l.file, l.line = rest[:at], baseName(place[:colon]), int(n)
	}
	if strings.TrimSpace(l.name) != l.name || l.name == "" || strings.ContainsAny(l.name, "\n\r") {
		return l, fmt.Errorf("%q: a function needs a name, without spaces around it", text)
	}
	return l, nil
}

// maxTreeLayers keeps a file from nesting deeper than any program.
const maxTreeLayers = int(MaxDepth) / 2

// maxTreeLines is more functions than one event procedure has.
const maxTreeLines = 50_000

// parseTree makes a tree of lines.
func parseTree(b *Book, lines []string) (*Node, error) {
	if len(lines) > maxTreeLines {
		return nil, fmt.Errorf("a model of %d functions: there are at most %d", len(lines), maxTreeLines)
	}
	parsed := make([]treeLine, len(lines))
	layer := 0
	for i, text := range lines {
		l, err := parseLine(text)
		if err != nil {
			return nil, err
		}
		if l.layer > layer+1 || l.layer > maxTreeLayers {
			return nil, fmt.Errorf("%q is in layer %d, and nothing above calls it", text, l.layer)
		}
		layer = l.layer
		parsed[i] = l
	}
	calls, _ := buildCalls(b, parsed, 1)
	return b.Node(Root, b.Func("instance", "", 0), Site{}, calls), nil
}

// buildCalls makes the nodes of a layer from the first lines, and returns the lines that are left.
func buildCalls(b *Book, lines []treeLine, layer int) (calls []*Node, rest []treeLine) {
	for len(lines) > 0 && lines[0].layer == layer {
		l := lines[0]
		var below []*Node
		below, lines = buildCalls(b, lines[1:], layer+1)
		calls = append(calls, b.Node(l.kind, b.Func(l.name, l.file, l.line), Site{}, below))
	}
	return calls, lines
}
