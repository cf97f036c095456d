package plan

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"motehound/study/symbolic/engine"
)

// An exploration that is kept is the engine's own record, behind one line that says what it is of: the engine does not know what
// properties say.

const savedMagic = "motehound symbolic "

// identity is what decides about an exploration besides what the engine knows.
func (p *Plan) identity() string {
	var b strings.Builder
	for _, s := range p.base.Scenario {
		fmt.Fprintf(&b, "%s ", s.SHA256)
	}
	solver := p.opt.Solver
	if solver == "" {
		solver = "builtin"
	}
	return b.String() + solver
}

func save(e *engine.Engine, identity string) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(savedMagic + identity + "\n")
	err := e.Save(&b)
	return b.Bytes(), err
}

func load(data []byte, identity string) (*engine.Saved, error) {
	line, rest, _ := bytes.Cut(data, []byte("\n"))
	is, ok := strings.CutPrefix(string(line), savedMagic)
	switch {
	case !ok:
		return nil, errors.New("this is no exploration that symbolic has kept")
	case is != identity:
		return nil, errors.New("the exploration that was kept is of another scenario, or was made with another solver: go on with those that it was begun with, or take another folder")
	}
	return engine.Load(bytes.NewReader(rest))
}
