package plan

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"motehound/study/symbolic/core"
	"motehound/study/symbolic/engine"
	"motehound/world"
	"motehound/world/recipe"
	"motehound/world/scenario"
)

// misnamed lists what a claim says of its inputs that is not what the recipe's run gets.
func (c *claim) misnamed(rec *recipe.Recipe, sc *scenario.Scenario) (differs []string, err error) {
	left, err := c.given(rec, sc)
	if err != nil {
		return nil, err
	}
	var wrong []string
	for _, text := range c.Inputs {
		i := slices.IndexFunc(left, func(may []string) bool { return slices.Contains(may, text) })
		if i < 0 && sc == nil && c.typed(text) {
			continue
		}
		if i < 0 {
			wrong = append(wrong, text)
			continue
		}
		left = slices.Delete(left, i, i+1)
	}
	for _, text := range wrong {
		differs = append(differs, fmt.Sprintf("the run has no input %q", text))
	}
	for _, may := range left {
		differs = append(differs, fmt.Sprintf("the run has an input %q, which is not among the recipe's", may[0]))
	}
	return differs, nil
}

// typed tells whether an input is bytes that a mote's serial lines get, in this order, or bytes of a frame. Without a scenario nobody has written down which bytes were unknown.
func (c *claim) typed(text string) bool {
	what, mote, _ := strings.Cut(text, ", mote ")
	name, digits, _ := strings.Cut(what, " = ")
	data, err := hex.DecodeString(strings.ReplaceAll(digits, " ", ""))
	cfg := c.w.Config()
	var nth, first int
	if _, wrong := fmt.Sscanf(name, frameInput, &nth, &first); wrong == nil && err == nil && name == FrameInput(nth, first) {
		return slices.ContainsFunc(cfg.Motes, func(m world.MoteConfig) bool { return fmt.Sprint(m.ID) == mote }) && framed(cfg, nth, first, data)
	}
	if err != nil || len(data) == 0 || !strings.HasPrefix(name, SerialInput) {
		return false
	}
	for _, in := range cfg.Serial {
		if fmt.Sprint(cfg.Motes[in.Mote].ID) != mote {
			continue
		}
		for _, b := range in.Bytes {
			if len(data) > 0 && data[0] == b {
				data = data[1:]
			}
		}
	}
	return len(data) == 0
}

// framed tells whether the run puts some bytes into a frame that is heard on the air, the nth counted from 1.
func framed(cfg *world.Config, nth, first int, data []byte) bool {
	for i, b := range data {
		if !slices.ContainsFunc(cfg.Edits, func(e world.Edit) bool {
			return !e.Sent && e.Wire == world.None && e.Nth == nth-1 && e.Offset == first+i && e.Value == b
		}) {
			return false
		}
	}
	return len(data) > 0
}

// FrameInput names unknown bytes of a frame from outside, the nth counted from 1, if no scenario does.
func FrameInput(nth, first int) string { return fmt.Sprintf(frameInput, nth, first) }

const frameInput = "frame %d, from byte %d"

// SerialInput begins the names of unknown bytes on a serial line that no scenario names.
const SerialInput = "serial input"

// given lists the inputs of the recipe's run, each by the texts that it may have.
func (c *claim) given(rec *recipe.Recipe, sc *scenario.Scenario) (list [][]string, err error) {
	e, err := c.unknown(sc)
	if err != nil {
		return nil, err
	}
	cfg := c.w.Config()
	for _, x := range rec.Pokes {
		data, err := hex.DecodeString(x.Hex)
		if err != nil {
			return nil, err
		}
		conf := core.Mote{Index: x.Mote, Kind: cfg.Motes[x.Mote].Kind, Inputs: e.VarsOf(x.Mote)}
		names, err := core.Names(&conf, x.PC, len(data))
		if err != nil {
			return nil, err
		}
		may := []string{fmt.Sprintf("bytes %s at %#x of mote %d", spaced(data), x.Addr, cfg.Motes[x.Mote].ID)} // if it is none of the inputs
		if len(names) > 0 {
			may = nil
		}
		for _, name := range names {
			may = append(may, Input{Name: name, Mote: x.Mote, Kind: "var"}.with(data, cfg).String())
		}
		list = append(list, may)
	}
	for _, in := range slices.Concat(readings(e, cfg), received(e, cfg)) {
		list = append(list, []string{in.String()})
	}
	return list, nil
}

// unknown is what the scenario says is unknown.
func (c *claim) unknown(sc *scenario.Scenario) (*engine.Config, error) {
	w := *c.w.Config()
	w.Serial, w.Sensors = nil, nil
	e := &engine.Config{World: &w}
	if sc == nil {
		return e, nil
	}
	for _, in := range sc.Serial {
		w.Serial = append(w.Serial, in.Serial)
	}
	w.Sensors = slices.Clone(sc.Sensors)
	return e, inputs(sc, e)
}

// readings lists the symbolic readings of sensors: each is a value for one picosecond.
func readings(e *engine.Config, cfg *world.Config) (list []Input) {
	for _, r := range e.Readings {
		for i, s := range cfg.Sensors {
			if s.Mote != r.Mote || s.Channel != r.Channel || i+1 == len(cfg.Sensors) {
				continue
			}
			if then := cfg.Sensors[i+1]; then == (world.Sensor{Mote: r.Mote, Channel: r.Channel, At: s.At + 1, Value: r.Value}) {
				in := Input{Name: r.Name, Mote: r.Mote, Kind: "sensor"}
				list = append(list, in.with([]byte{byte(s.Value), byte(s.Value >> 8)}, cfg))
			}
		}
	}
	return list
}
