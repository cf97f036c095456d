package job

import (
	"errors"
	"motehound/observe/calltree"

	"motehound/study/fieldtrace/field"
	"motehound/world"
	"motehound/world/recipe"
)

// Field is what a mote in the field has recorded, for jobs that can take that instead of running its firmware.
type Field struct {
	Log
	Trace string `json:"trace,omitempty"` // the file of the log; "" to run the firmware
}

// Source opens the log of one of some motes, whose firmware it must be of; nil means all motes.
func (f *Field) Source(rec *recipe.Recipe, w *world.World, motes []int, h Host) (*field.Source, error) {
	log, teller, err := f.Open(f.Trace, h)
	if err != nil {
		return nil, err
	}
	if f.read == nil {
		return nil, errors.New("--trace needs the map of the firmware: give --trace-map")
	}
	of, err := tracedMote(w, motes)
	if err != nil {
		return nil, err
	}
	if err := f.Matches(FoundBeside(rec, rec.Motes[of].Firmware), ""); err != nil {
		return nil, err
	}
	m := w.Motes()[of]
	return &field.Source{Log: log, Teller: teller, Mote: of, Hertz: m.Hertz(), Vector: VectorName(m.Chip())}, nil
}

// tracedMote is the one mote that a log is of.
func tracedMote(w *world.World, motes []int) (int, error) {
	switch {
	case len(motes) == 1:
		return motes[0], nil
	case len(motes) == 0 && len(w.Motes()) == 1:
		return 0, nil
	}
	return 0, errors.New("--trace is the log of one mote: choose it with --node, or give its firmware")
}

// Instances gives the trace's instances to those who make and verify models.
func (f *Field) Instances(rec *recipe.Recipe, w *world.World, motes []int, book *calltree.Book, h Host, take func(calltree.Instance)) error {
	s, err := f.Source(rec, w, motes, h)
	if err != nil {
		return err
	}
	h.note("from a trace: trees have only the traced procedures and their paths, and cycles give only the order")
	return s.Instances(book, take)
}
