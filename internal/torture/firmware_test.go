package torture

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"motehound/examples"
	"motehound/firmware/image"
	"motehound/firmware/kernel"
	"motehound/job"
	"motehound/job/document"
	"motehound/mote"
	"motehound/mote/board"
	"motehound/observe/lifecycle"
	"motehound/observe/outputs"
	"motehound/study/explore"
	"motehound/study/mining"
	"motehound/study/property"
	"motehound/world/recipe"
)

// fewMilliseconds of virtual time are some ten thousand instructions.
const fewMilliseconds = 5_000_000_000

// firmware takes a file through what run, mine and check do with it.
func firmware(name string, data []byte, boardName string) error {
	open := func(string) ([]byte, error) { return data, nil }
	im, err := image.Parse(name, data)
	if err != nil {
		return err
	}
	im.DebugNote()
	m := recipe.Mote{Firmware: name, Board: boardName}
	if b, _, err := mote.Infer(im); err == nil {
		if _, err := board.Find(b.Name); err == nil {
			m.Board = b.Name
		} else {
			m.Board, m.Chip, m.Hertz = "", b.Chip.Name, b.Hertz
		}
	} else if boardName == "" {
		return err
	}
	if _, _, err := mote.OwnID(im, nil); err != nil {
		return err
	}
	m.ID = 7
	rec := &recipe.Recipe{Version: recipe.Version, Seed: 1, Until: fewMilliseconds, Motes: []recipe.Mote{m}}
	w, err := rec.World(open)
	if err != nil {
		return err
	}
	var names []string
	for i, v := range w.Motes()[0].Kind.Image.Vars() {
		if i < 20 {
			names = append(names, v.Name)
		}
	}
	if ask, err := job.Ask(w, nil, names); err == nil {
		defer func() { _ = ask.Answer(w, new(document.Run)) }()
	}
	recorder := outputs.Record(w)
	if _, err := lifecycle.Record(w, func(int, kernel.Item) {}); err != nil {
		return err
	}
	w.RunUntil(rec.Until)
	rec.Finish(w)
	document.RunOf(w, recorder, rec, 0)
	return explored(rec, open)
}

// explored is what check and mine make ready.
func explored(rec *recipe.Recipe, open recipe.Opener) error {
	again := *rec
	w, err := again.World(open)
	if err != nil {
		return err
	}
	plan, err := property.Prepare(w.Config(), nil, property.Options{Explore: true, Learn: fewMilliseconds})
	if err != nil {
		return err
	}
	s, err := explore.New(w.Config(), explore.Options{Plan: plan})
	if err != nil {
		return err
	}
	s.Clone()
	field, err := mining.NewFirmware(w.Motes()[0].Kind)
	if err != nil {
		return err
	}
	h, err := field.Watch(w, 0, mining.Options{Losses: mining.NewLossTracker(field)}, func(*mining.Interval) {})
	if err != nil {
		return err
	}
	w.RunUntil(fewMilliseconds)
	h.Close()
	return nil
}

// Damaged firmware is refused, or runs. With MOTEHOUND_LONG=1 there are three times as many cases.
func TestFirmware(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 17))
	refused, all := 0, times(750)
	for i := range all {
		f := examples.All[r.IntN(len(examples.All))]
		data := mutateELF(r, f.ELF())
		if survive(t, fmt.Sprintf("case %d, %s", i, f.File()), data, func() error { return firmware(f.File(), data, f.Board) }) != nil {
			refused++
		}
	}
	if refused == 0 || refused == all {
		t.Errorf("%d of %d refused: the cases test nothing", refused, all)
	}
}
