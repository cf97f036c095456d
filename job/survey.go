package job

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"motehound/job/document"
	"motehound/study/explore"
	"motehound/study/guide/input"
	"motehound/study/verdict"
	"motehound/world"
	"motehound/world/scenario"
)

// Survey asks what a firmware or scenario is about, before anything is looked for in it.
type Survey struct {
	World
	File string `json:"file"` // firmware or scenario
}

// Surveyed is what is known of it.
type Surveyed struct {
	Scenario   bool     `json:"scenario"`             // it says itself which motes there are, and what comes in
	IDs        []int    `json:"ids"`                  // of the motes
	Boards     []string `json:"boards"`               // each once
	Radio      bool     `json:"radio"`                // the first firmware serves a radio
	Sends      bool     `json:"sends"`                // a frame was sent in an ordinary run
	Serial     bool     `json:"serial"`               // the first mote has a handler for bytes that come in
	Pins       []string `json:"pins,omitempty"`       // for which interrupts of the first mote wait
	Letters    []byte   `json:"letters,omitempty"`    // that its code compares something with
	Faults     bool     `json:"faults,omitempty"`     // the scenario allows some
	Unknown    bool     `json:"unknown,omitempty"`    // the scenario has inputs that may be anything
	Properties int      `json:"properties,omitempty"` // of the scenario
	Goals      bool     `json:"goals,omitempty"`      // some of them are about what must happen again and again
	// Firmware is a hash of all files that run, and of the scenario's.
	Firmware string           `json:"firmware"`
	Builds   []document.Built `json:"builds"`
}

// surveyTime is how long motes run until their interrupts are looked at.
const surveyTime = 2 * world.Second

// Do looks at the firmware, and at a short run of it.
func (f Survey) Do(ctx context.Context, h Host) (*Surveyed, error) {
	rec, w, watch, err := f.Load(ctx, f.File, h)
	if err != nil {
		return nil, err
	}
	x := &Surveyed{Scenario: watch != nil}
	if watch != nil {
		s := watch.Scenario
		x.Faults, x.Unknown, x.Properties = len(w.Config().Faults) > 0, len(s.Symbolic) > 0, len(s.Properties)
		x.Goals = slices.ContainsFunc(s.Properties, func(p scenario.Property) bool { return p.Kind == scenario.Eventually })
	}
	sum := sha256.New()
	for _, m := range rec.Motes {
		sum.Write([]byte(m.SHA256))
	}
	for _, s := range rec.Scenario {
		sum.Write([]byte(s.SHA256))
	}
	x.Firmware = hex.EncodeToString(sum.Sum(nil)[:16])
	x.Builds = builtOf(rec)
	first := w.Motes()[0]
	for _, m := range w.Motes() {
		x.IDs = append(x.IDs, int(m.ID()))
		if name := m.Board().Name; !slices.Contains(x.Boards, name) {
			x.Boards = append(x.Boards, name)
		}
	}
	for n := range first.USARTs() {
		x.Serial = x.Serial || verdict.Serial(first.Kind, n)
	}
	x.Radio = verdict.Radio(first.Kind)
	x.Letters = input.LearnDictionary(first.Kind.Image.Flash).Letters()
	w.Observe(world.Observer{Frame: func(world.Frame) { x.Sends = true }})
	w.RunUnless(func() bool { return ctx.Err() != nil }, surveyTime)
	if ctx.Err() != nil {
		return nil, &Unfinished{}
	}
	for _, p := range explore.Waits(first) {
		if name := p.Pin.String(); !slices.Contains(x.Pins, name) {
			x.Pins = append(x.Pins, name)
		}
	}
	return x, nil
}
