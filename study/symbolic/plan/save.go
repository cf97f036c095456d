package plan

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"motehound/study/symbolic/engine"
)

// An exploration that is kept is the engine's own record, behind one line that has a checksum and says what it is of: the engine does not
// know what properties say.

const savedMagic = "motehound exploration "

// identity is what decides about an exploration besides what the engine knows.
func (p *Plan) identity() string {
	var b strings.Builder
	for _, s := range p.base.Scenario {
		fmt.Fprintf(&b, "%s ", s.SHA256)
	}
	for _, y := range p.opt.Inputs {
		fmt.Fprintf(&b, "%d:%d:%d ", y.Mote, y.Nth, y.Offset)
	}
	solver := p.opt.Solver
	if solver == "" {
		solver = "builtin"
	}
	return b.String() + solver
}

func save(e *engine.Engine, identity string) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(identity + "\n")
	if err := e.Save(&b); err != nil {
		return nil, err
	}
	return append([]byte(savedMagic+checksum(b.Bytes())+" "), b.Bytes()...), nil
}

// keep has the exploration kept as it is. What goes wrong then ends it.
func (p *Plan) keep() {
	data, err := save(p.running, p.identity())
	if err == nil {
		err = p.opt.Keep(data)
	}
	if err != nil {
		p.kept, p.told = fmt.Errorf("keeping the exploration: %w", err), true
	}
}

func checksum(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func load(data []byte, identity string) (*engine.Saved, error) {
	summed, ok := bytes.CutPrefix(data, []byte(savedMagic))
	if !ok {
		return nil, errors.New("this is not a saved exploration of this version: start again in another folder")
	}
	sum, summed, _ := bytes.Cut(summed, []byte(" "))
	is, rest, _ := bytes.Cut(summed, []byte("\n"))
	switch {
	case string(sum) != checksum(summed):
		return nil, errors.New("the saved exploration is truncated or was changed: its checksum is wrong; start again in another folder")
	case string(is) != identity:
		return nil, errors.New("the saved exploration belongs to another scenario or solver: continue with the same ones, or use another folder")
	}
	return engine.Load(bytes.NewReader(rest))
}
