package main

import (
	"errors"
	"flag"
	"fmt"
	"os"

	"motehound/examples"
	"motehound/firmware/image"
	"motehound/internal/motes"
	"motehound/mote"
	"motehound/mote/board"
	"motehound/study/check"
	"motehound/study/explore"
	"motehound/study/guide/input"
	"motehound/study/property"
	"motehound/world"
)

// framesFlag has a firmware of one's own get the frames.
var framesFlag = flag.String("frames-into", "", "of group frames: the `firmware` for MicaZ that gets the frames, instead of an example")

// frames is how many made-up frames of 40 bytes a receiver handles in a second of one core, with all checks on: from the same snapshot, and until nothing is left
// to be done. With scouting it also says which code each reaches, as fuzz needs it.
func frames() ([]result, error) {
	name, data := "example remote", []byte(nil)
	if f, ok := examples.Find("remote", board.MicaZ.Name); ok {
		data = f.ELF()
	}
	var err error
	if *framesFlag != "" {
		name = *framesFlag
		if data, err = os.ReadFile(name); err != nil {
			return nil, err
		}
	}
	base, port, err := receiver(name, data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var out []result
	for _, scouted := range []bool{false, true} {
		var rates []float64
		events := 0
		for range rounds {
			rate, n, err := handled(base, port, scouted, 3000)
			if err != nil {
				return nil, err
			}
			rates, events = append(rates, rate), n
		}
		what := fmt.Sprintf("frames of 40 bytes, checks on (%d events each)", events)
		if scouted {
			what += ", scouted"
		}
		out = append(out, result{what, median(rates), "/s", "at least", 3000})
	}
	return out, nil
}

// receiver is a mote some time after its radio began to listen, and where frames come in.
func receiver(name string, data []byte) (*explore.System, check.Port, error) {
	im, err := image.Parse(name, data)
	if err != nil {
		return nil, check.Port{}, err
	}
	k, err := mote.NewKind(&board.MicaZ, im, nil)
	if err != nil {
		return nil, check.Port{}, err
	}
	cfg := &world.Config{Motes: motes.Of(k, 2)[1:]}
	plan, err := property.Prepare(cfg, nil, property.Options{Explore: true})
	if err != nil {
		return nil, check.Port{}, err
	}
	s, err := explore.New(cfg, explore.Options{Plan: plan})
	if err != nil {
		return nil, check.Port{}, err
	}
	for range 5000 {
		e, now := earliest(s)
		if !now {
			for _, p := range s.Open(nil) {
				if p.Kind == input.Air {
					return s, p, nil
				}
			}
		}
		if _, err := s.Fire(e); err != nil {
			return nil, check.Port{}, err
		}
	}
	return nil, check.Port{}, errors.New("its radio never listens")
}

// earliest is the event that comes first in nature, and whether it comes at once.
func earliest(s *explore.System) (first check.Event, now bool) {
	due := ^uint64(0)
	for _, e := range s.Enabled(nil) {
		if at := s.Due(e); e.Class <= check.Task && at < due {
			first, due = e, at
		}
	}
	return first, due <= s.Clock(0)
}

// handled is how many frames a second, and how many events one is.
func handled(base *explore.System, p check.Port, scouted bool, n int) (rate float64, events int, err error) {
	base.Scout(scouted)
	sys := base.Clone().(*explore.System)
	defer sys.Release()
	frame := []byte{0x41, 0x88, 0, uint8(p.Network), uint8(p.Network >> 8), uint8(p.Own), uint8(p.Own >> 8), 2, 0, 0x3F, 6}
	frame = append(frame, make([]byte, 40-2-len(frame))...) // the radio adds a check sequence
	before := motes.CPUTime()
	for i := range n {
		sys.CopyFrom(base)
		frame[2], frame[11], frame[12], frame[len(frame)-1] = uint8(i), uint8(i>>8), uint8(i), uint8(i)
		made := sys.Feed(check.MadeInput{Kind: input.Air, Data: frame})
		for e, now := made, true; now; e, now = earliest(sys) {
			step, err := sys.Fire(e)
			if err != nil {
				return 0, 0, err
			}
			if len(step.Violations) > 0 {
				return 0, 0, errors.New(step.Violations[0].Property)
			}
			events++
		}
		sys.Drop(made)
	}
	return float64(n) / (motes.CPUTime() - before).Seconds(), events / n, nil
}
