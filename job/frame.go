package job

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"motehound/job/phrase"
	"motehound/mote"
	"motehound/world"
	"motehound/world/recipe"
	"motehound/world/scenario"
)

// listen puts the frames of the request, which come from outside the network, into a recipe. Every mote hears them.
func (f *World) listen(r *recipe.Recipe, h Host) error {
	open := uint64(0) // when all radios listen, once that is known
	for _, text := range f.Frames {
		data, at, timed, err := parseFrame(text)
		if err != nil {
			return fmt.Errorf("--frame %s: %w", text, err)
		}
		for i := range r.Motes {
			b, err := r.Motes[i].PlainBoard()
			switch {
			case err != nil:
				return err
			case b.Radio == nil:
				return fmt.Errorf("--frame %s: %s has no radio that could hear it", text, b.Name)
			case strings.HasPrefix(text, activeMessage) && b.Radio.Frames.LengthBits == 0:
				return fmt.Errorf("--frame %s: the firmware of %s makes its own frames: write all bytes behind the preamble, such as hex:33cc", text, b.Name)
			}
			if !timed && open == 0 {
				if open, err = opened(r, h); err != nil {
					return err
				}
			}
			if !timed {
				at = open
			}
			r.Events = append(r.Events, recipe.EventOf(world.Event{At: at, Mote: i, Kind: world.HearFrame, Frame: data}))
		}
	}
	slices.SortStableFunc(r.Events, func(a, b recipe.Event) int { return cmp.Compare(a.At, b.At) })
	return nil
}

// opened is a moment at which all radios have listened for a while: frames of which nobody says when come then.
func opened(r *recipe.Recipe, h Host) (uint64, error) {
	w, err := r.World(OpenFirmware)
	if err != nil {
		return 0, err
	}
	deaf := w.Motes()
	for w.Now() < min(patience, r.Until) && len(deaf) > 0 && !w.Stopped() {
		w.RunUntil(w.Now() + world.Millisecond)
		deaf = slices.DeleteFunc(slices.Clone(deaf), func(m *mote.Mote) bool { return m.Radio() != nil && m.Radio().Listening() })
	}
	for _, m := range deaf {
		h.note("mote %d has not switched its receiver on in its first %s: give --frame a time, such as @20s", m.ID(), phrase.Seconds(w.Now()))
	}
	return w.Now() + listens, nil
}

// activeMessage begins the short form of a TinyOS message.
const activeMessage = "am:"

// parseFrame reads hex:BYTES or am:TYPE:PAYLOAD, both with @TIME behind them or not.
func parseFrame(text string) (data []byte, at uint64, timed bool, err error) {
	text, when, timed := strings.Cut(text, "@")
	if timed {
		d, err := time.ParseDuration(when)
		if err != nil || d < 0 || d > time.Hour {
			return nil, 0, false, fmt.Errorf("write a time up to 1h behind @, such as @500ms")
		}
		at = uint64(d.Nanoseconds()) * 1000
	}
	bytes, ok := strings.CutPrefix(text, "hex:")
	if message, is := strings.CutPrefix(text, activeMessage); is {
		kind, payload, _ := strings.Cut(message, ":")
		n, err := strconv.ParseUint(kind, 0, 8)
		if err != nil {
			return nil, 0, false, fmt.Errorf("write the type of the message, 0 to 255, and its bytes, such as am:6:0001")
		}
		data, bytes, ok = scenario.ActiveMessage(uint8(n), nil), payload, true
	}
	more, err := hex.DecodeString(strings.NewReplacer(" ", "", ",", "", "0x", "").Replace(bytes))
	data = append(data, more...)
	switch {
	case err != nil || !ok:
		return nil, 0, false, fmt.Errorf("write hex: and the frame without length and check sequence, two digits for each byte, or am:TYPE:PAYLOAD, such as am:6:0001")
	case len(data) == 0 || len(data) > scenario.LongestFrame:
		return nil, 0, false, fmt.Errorf("a frame has 1 to %d bytes, this one %d", scenario.LongestFrame, len(data))
	}
	return data, at, timed, nil
}
