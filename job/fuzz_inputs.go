package job

import (
	"encoding/hex"
	"fmt"
	"math"
	"strings"

	"motehound/study/check"
	"motehound/study/guide/input"
	"motehound/world/recipe"
)

// madeInputs is inputs as recipes have them.
func madeInputs(list []check.MadeInput) []recipe.MadeInput {
	var all []recipe.MadeInput
	for _, in := range list {
		all = append(all, recipe.MadeInput{Mote: int(in.Mote), Kind: in.Kind.String(), Number: in.Number, Hex: hex.EncodeToString(in.Data)})
	}
	return all
}

// give makes the inputs of a recipe known to the system.
func (s *subject) give(list []recipe.MadeInput) error {
	for n, x := range list {
		in, err := s.madeInput(x)
		if err != nil {
			return fmt.Errorf("input %d: %w", n+1, err)
		}
		check.Give(s.base, []check.MadeInput{in})
	}
	return nil
}

// madeInput reads one input of a recipe for the motes that there are.
func (s *subject) madeInput(x recipe.MadeInput) (check.MadeInput, error) {
	in, err := madeInput(x)
	switch {
	case err != nil:
		return in, err
	case len(in.Data) > input.Longest:
		return in, fmt.Errorf("%d bytes: at most %d can come at once", len(in.Data), input.Longest)
	case x.Mote >= len(s.cfg.Motes):
		return in, fmt.Errorf("there is no mote with index %d", x.Mote)
	}
	return in, nil
}

// madeInput reads one input.
func madeInput(x recipe.MadeInput) (check.MadeInput, error) {
	data, err := hex.DecodeString(x.Hex)
	kind, ok := input.ParseKind(x.Kind)
	switch {
	case err != nil:
		return check.MadeInput{}, fmt.Errorf("%q are no bytes in hexadecimal", x.Hex)
	case !ok:
		return check.MadeInput{}, fmt.Errorf("%q is no kind of input: use serial, air, sensor or pin", x.Kind)
	case len(data) > longestList:
		return check.MadeInput{}, fmt.Errorf("%d bytes: at most %d can come at once", len(data), longestList)
	case x.Mote < 0 || x.Mote > math.MaxInt16:
		return check.MadeInput{}, fmt.Errorf("there is no mote with index %d", x.Mote)
	}
	return check.MadeInput{Mote: int16(x.Mote), Kind: kind, Number: x.Number, Data: data}, nil
}

// longestList is the most bytes that come one after the other on a serial line.
const longestList = 1 << 16

// inputTexts is the made-up inputs of a trace for people: "mote 0 serial 0: 41 42".
func (s *subject) inputTexts(trace []check.Event) []string {
	list := []string{}
	for _, in := range check.Messages(s.system, trace) {
		switch in.Kind {
		case input.Serial:
			list = append(list, fmt.Sprintf("mote %d, serial line %d: %s", s.id(in.Mote), in.Number, bytesText(in.Data)))
		case input.Air:
			list = append(list, fmt.Sprintf("mote %d, frame: %s", s.id(in.Mote), bytesText(in.Data)))
		case input.Sensor:
			list = append(list, fmt.Sprintf("mote %d, channel %d: %d", s.id(in.Mote), in.Number, int(in.Data[0])|int(in.Data[1])<<8))
		default:
			list = append(list, fmt.Sprintf("mote %d, pin %d: %d", s.id(in.Mote), in.Number, in.Data[0]))
		}
	}
	return list
}

// bytesText is bytes as a text in quotes, if they are one, or else in hexadecimal.
func bytesText(data []byte) string {
	for _, b := range data {
		if b < ' ' && b != '\n' && b != '\r' && b != '\t' || b >= 0x7F {
			return fmt.Sprintf("% x", data)
		}
	}
	return strings.ReplaceAll(fmt.Sprintf("%q", data), `\x00`, `\0`)
}
