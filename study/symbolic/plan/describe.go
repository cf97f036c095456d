package plan

import (
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"motehound/study/symbolic/core"
	"motehound/study/symbolic/engine"
	"motehound/study/symbolic/expr"
	"motehound/study/symbolic/solver"
	"motehound/world"
	"motehound/world/reception"
)

// Input is an input that was unknown, with the value that it has in one run.
type Input struct {
	Name  string `json:"name"`
	Mote  int    `json:"mote"` // its node id
	Kind  string `json:"kind"` // var, sensor, serial or frame
	Hex   string `json:"hex"`  // the bytes, as they lie in memory or follow each other
	Value uint64 `json:"value"`
	About string `json:"about,omitempty"`
}

// String is the input for people.
func (in Input) String() string {
	data, _ := hex.DecodeString(in.Hex)
	text := fmt.Sprintf("%s = %d", in.Name, in.Value)
	if len(data) > 4 || in.Kind == "serial" || in.Kind == "frame" {
		text = fmt.Sprintf("%s = %s", in.Name, spaced(data))
	}
	if printable(data) {
		text += fmt.Sprintf(" (%q)", data)
	}
	return fmt.Sprintf("%s, mote %d", text, in.Mote)
}

func spaced(data []byte) string { return fmt.Sprintf("% x", data) }

func printable(data []byte) bool {
	return len(data) > 1 && !slices.ContainsFunc(data, func(b byte) bool { return b < 0x20 || b > 0x7E })
}

// number is the value of bytes, the lowest first; of more than eight the first ones'.
func number64(data []byte) (n uint64) {
	for i, b := range data[:min(len(data), 8)] {
		n |= uint64(b) << (8 * i)
	}
	return n
}

// inputsOf lists the inputs of a run, as its world has them.
func (p *Plan) inputsOf(r *run) []Input {
	list := []Input{}
	ev := p.pool.NewEvaluator()
	ev.Use(r.Model)
	for _, m := range r.Inputs {
		in := Input{Name: m.Name, Mote: m.Mote, Kind: "var", About: m.Origin}
		if m.Sensor {
			in.Kind = "sensor"
		}
		list = append(list, in.with(evaluated(ev, m), p.cfg))
	}
	return append(list, received(&p.engine, r.w.Config())...)
}

// with is the input with its value. Its mote, a number until now, becomes a node id.
func (in Input) with(data []byte, cfg *world.Config) Input {
	in.Hex, in.Value, in.Mote = hex.EncodeToString(data), number64(data), int(cfg.Motes[in.Mote].ID)
	return in
}

// received lists the inputs that reach motes from outside, or from each other, with the values that they have in a world.
func received(e *engine.Config, cfg *world.Config) (list []Input) {
	for _, in := range e.Serial {
		for _, s := range cfg.Serial {
			if s.Mote == in.Mote && s.USART == in.USART && s.At == in.At && len(s.Bytes) == len(in.Bytes) {
				data := make([]byte, len(in.Symbolic))
				for i, at := range in.Symbolic {
					data[i] = s.Bytes[at]
				}
				list = append(list, Input{Name: in.Name, Mote: in.Mote, Kind: "serial", About: "serial input at " + seconds(in.At)}.with(data, cfg))
				break
			}
		}
	}
	for _, f := range e.Frames {
		var data []byte
		for _, x := range cfg.Edits {
			if x.Mote == f.Mote && x.Sent == f.Sent && x.Wire == f.Wire && x.Nth == f.Nth && x.Offset >= f.Offset && x.Offset < f.Offset+f.Length {
				data = append(data, x.Value)
			}
		}
		if data != nil {
			from := ""
			if f.Sent {
				from = " that it sends"
			}
			about := fmt.Sprintf("bytes from %d on of frame %d%s", f.Offset, f.Nth+1, from)
			list = append(list, Input{Name: f.Name, Mote: f.Mote, Kind: "frame", About: about}.with(data, cfg))
		}
	}
	return list
}

// neverMet lists the symbolic inputs that are in no outcome and no finding: mostly a name or a number is wrong then.
func (p *Plan) neverMet(r *Result) (list []string) {
	met := map[string]bool{}
	note := func(inputs []Input) {
		for _, in := range inputs {
			met[in.declared()] = true
		}
	}
	for _, o := range r.Outcomes {
		note(o.Inputs)
	}
	for _, f := range r.Findings {
		note(f.Inputs)
	}
	look := func(mote int, name string) {
		in := Input{Name: name, Mote: int(p.cfg.Motes[mote].ID)}
		if !met[in.declared()] {
			list = append(list, in.declared())
		}
	}
	for _, v := range p.engine.Vars {
		look(v.Mote, v.Name)
	}
	for _, x := range p.engine.Readings {
		look(x.Mote, x.Name)
	}
	for _, f := range p.engine.Frames {
		look(f.Mote, f.Name)
	}
	return list
}

// declared is how a scenario's input is named to people.
func (in Input) declared() string { return fmt.Sprintf("%s, mote %d", in.Name, in.Mote) }

func evaluated(ev *expr.Evaluator, m core.Made) []byte {
	data := make([]byte, len(m.Bytes))
	for i, x := range m.Bytes {
		data[i] = uint8(ev.Eval(x))
	}
	return data
}

// failuresOf tells which answers are not the ordinary ones, and which interrupts wait.
func (p *Plan) failuresOf(r *run) []string {
	list := []string{}
	for _, f := range r.failures() {
		if h := f.hold; h != nil {
			m := p.cfg.Motes[h.Mote]
			list = append(list, fmt.Sprintf("interrupt %d (%s) of mote %d waits, to %.6f s", h.Vector, m.Kind.Board.Chip.Vectors[h.Vector], m.ID,
				float64(h.Until)/world.Second))
			continue
		}
		a := f.answer
		id := p.cfg.Motes[a.Mote].ID
		switch a.Kind {
		case world.ChoiceReception, world.ChoiceWire:
			on := "on the air"
			if a.Kind == world.ChoiceWire {
				on = "on the wire"
			}
			what := [...]string{reception.Lost: "is lost", reception.Corrupted: "is corrupted", reception.Duplicated: "comes twice",
				reception.Delayed: "comes late", reception.Reordered: "comes after the next one"}[a.Answer]
			list = append(list, fmt.Sprintf("frame %d %s to mote %d %s", a.Number+1, on, id, what))
		case world.ChoiceCorruption:
			list = append(list, fmt.Sprintf("corrupted frame %d to mote %d has bit %d wrong", a.Number+1, id, a.Answer))
		case world.ChoiceFault:
			what := [...]string{world.FaultReboot: "reboots", world.FaultOutage: "fails", world.FaultBusy: "finds its channel busy"}[a.Answer]
			after := "a frame"
			if a.Number > 0 {
				after = fmt.Sprintf("%d frames", a.Number+1)
			}
			list = append(list, fmt.Sprintf("mote %d %s after %s", id, what, after))
		}
	}
	return list
}

// moteName is how expressions name inputs: by the mote's index.
var moteName = regexp.MustCompile(`\bmote(\d+)\.`)

// maxCondition is how long a condition may be that is written out.
const maxCondition = 400

// conditionsOf writes a path for people, each condition once, in the order in which they came.
func (p *Plan) conditionsOf(set *solver.Set) []string {
	list := []string{}
	if set == nil {
		return list
	}
	for _, c := range set.Conditions() {
		if p.pool.IsTrue(c) {
			continue
		}
		text := moteName.ReplaceAllStringFunc(p.pool.Format(c), func(s string) string {
			i, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(s, "mote"), "."))
			if err != nil || i >= len(p.cfg.Motes) {
				return s
			}
			return fmt.Sprintf("mote%d.", p.cfg.Motes[i].ID)
		})
		if len(text) > maxCondition {
			text = text[:maxCondition] + " ..."
		}
		if !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return list
}
