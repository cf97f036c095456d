package job

import (
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"motehound/job/phrase"
	"motehound/mote"
	"motehound/study/symbolic/plan"
	"motehound/world"
	"motehound/world/recipe"
	"motehound/world/scenario"
)

// strange is a frame from outside the network.
type strange struct {
	data    []byte
	unknown []stretch // of it, of which nobody says what they are
	at      uint64
}

// stretch is bytes that follow each other.
type stretch struct{ first, length int }

// listen puts the frames of the request, which come from outside the network, into a recipe. Every mote hears them.
func (f *World) listen(r *recipe.Recipe, h Host) error {
	open := uint64(0) // when all radios listen, once that is known
	var list []strange
	for _, text := range f.Frames {
		x, timed, err := parseFrame(text)
		if err == nil {
			err = f.hearable(text, &x, r)
		}
		if err != nil {
			return fmt.Errorf("--frame %s: %w", text, err)
		}
		if !timed && open == 0 {
			if open, err = opened(r, h); err != nil {
				return err
			}
		}
		if !timed {
			x.at = open
		}
		list = append(list, x)
	}
	slices.SortStableFunc(list, func(a, b strange) int { return cmp.Compare(a.at, b.at) })
	for n, x := range list {
		for i := range r.Motes {
			r.Events = append(r.Events, recipe.EventOf(world.Event{At: x.at, Mote: i, Kind: world.HearFrame, Frame: x.data}))
		}
		for _, u := range x.unknown {
			*f.unknown = append(*f.unknown, scenario.Symbolic{Kind: scenario.SymbolicFrame, Name: plan.FrameInput(n+1, u.first), Nth: uint32(n + 1),
				Offset: uint32(u.first), Length: uint32(u.length)})
		}
	}
	slices.SortStableFunc(r.Events, func(a, b recipe.Event) int { return cmp.Compare(a.At, b.At) })
	return nil
}

// hearable says why a frame cannot be heard, or not be tried.
func (f *World) hearable(text string, x *strange, r *recipe.Recipe) error {
	for i := range r.Motes {
		b, err := r.Motes[i].PlainBoard()
		switch {
		case err != nil:
			return err
		case b.Radio == nil:
			return fmt.Errorf("%s has no radio that could hear it", b.Name)
		case strings.HasPrefix(text, activeMessage) && b.Radio.Frames.LengthBits == 0:
			return fmt.Errorf("the firmware of %s makes its own frames: write all bytes behind the preamble, such as hex:33cc", b.Name)
		}
	}
	switch {
	case len(x.unknown) > 0 && f.unknown == nil:
		return errors.New("?? stands for any byte: only symbolic can try them all")
	case len(x.unknown) > 0 && len(r.Motes) > 1: // frames of others may come before
		return errors.New("?? stands for any byte, but only if there is one mote: leave --nodes out, or write a scenario with a symbolic frame")
	}
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

// parseFrame reads hex:BYTES or am:TYPE:PAYLOAD, both with @TIME behind them or not; ?? is a byte of which nobody says what it is.
func parseFrame(text string) (x strange, timed bool, err error) {
	text, when, timed := strings.Cut(text, "@")
	if timed {
		d, err := time.ParseDuration(when)
		if err != nil || d < 0 || d > time.Hour {
			return x, false, fmt.Errorf("write a time up to 1h behind @, such as @500ms")
		}
		x.at = uint64(d.Nanoseconds()) * 1000
	}
	bytes, ok := strings.CutPrefix(text, "hex:")
	if message, is := strings.CutPrefix(text, activeMessage); is {
		kind, payload, _ := strings.Cut(message, ":")
		n, err := strconv.ParseUint(kind, 0, 8)
		if err != nil {
			return x, false, fmt.Errorf("write the type of the message, 0 to 255, and its bytes, such as am:6:0001")
		}
		x.data, bytes, ok = scenario.ActiveMessage(uint8(n), nil), payload, true
	}
	bytes = strings.NewReplacer(" ", "", ",", "", "0x", "").Replace(bytes)
	for i := 0; i+1 < len(bytes); i += 2 {
		if bytes[i:i+2] == anyByte {
			x.doubt(len(x.data) + i/2)
			bytes = bytes[:i] + "00" + bytes[i+2:]
		}
	}
	more, err := hex.DecodeString(bytes)
	x.data = append(x.data, more...)
	switch {
	case err != nil || !ok:
		return x, false, fmt.Errorf("write hex: and the frame without length and check sequence, two digits for each byte, or am:TYPE:PAYLOAD, such as am:6:0001")
	case len(x.data) == 0 || len(x.data) > scenario.LongestFrame:
		return x, false, fmt.Errorf("a frame has 1 to %d bytes, this one %d", scenario.LongestFrame, len(x.data))
	}
	return x, timed, nil
}

// doubt adds a byte to the unknown ones.
func (x *strange) doubt(at int) {
	if n := len(x.unknown); n > 0 && x.unknown[n-1].first+x.unknown[n-1].length == at {
		x.unknown[n-1].length++
		return
	}
	x.unknown = append(x.unknown, stretch{at, 1})
}

// anyByte is how a byte is written of which nobody says what it is.
const anyByte = "??"
