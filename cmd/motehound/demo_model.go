package main

import (
	"fmt"
	"io"

	"motehound/job"
	"motehound/job/document"
	"motehound/show/text"
	"motehound/study/behavior"
	"motehound/study/calltree"
	"motehound/world"
	"motehound/world/medium"
	"motehound/world/recipe"
)

// demoModel mines how a relay works while it is quiet, and holds a busy run to that.
func demoModel(to io.Writer) error {
	const relay, spi, clock = 1, 18, 16
	fmt.Fprintf(to, "\n7. How does a relay work, and does it still when it is busy? (examples/drop, on Mica2)\n")
	watched := func(vars []recipe.Variable, seconds uint64, book *behavior.Book, take func(behavior.Instance)) (*world.World, error) {
		r, err := exampleNetwork("drop-mica2", 3, medium.Line(3, medium.DefaultGain, 0))
		if err != nil {
			return nil, err
		}
		r.Motes[2].Vars = vars
		w, err := r.World(job.OpenFirmware)
		if err != nil {
			return nil, err
		}
		h, err := calltree.Watch(w, book, calltree.Options{Motes: []int{relay}, ByStart: true}, take)
		if err != nil {
			return nil, err
		}
		w.RunUntil(seconds * world.Second)
		h.Close()
		return w, nil
	}
	book := behavior.NewBook()
	m := behavior.NewMiner(book, behavior.Plan{Depth: 2 * 2, Background: []uint16{clock}}, []uint16{spi})
	const least, spread = "DropC__least", "DropC__spread" // between two packets, in 1/1024 s
	w, err := watched([]recipe.Variable{{Path: least, Value: 950}, {Path: spread, Value: 0}}, 3, book, m.Take)
	if err != nil {
		return err
	}
	name := job.VectorName(w.Motes()[relay].Chip())
	file := m.FileOf(m.Finish(), behavior.Source{VectorName: name, MoteID: func(i int) int { return i }})
	p := text.Models{To: to}
	for _, v := range file.Vectors {
		if v.Vector == spi {
			p.File(&behavior.File{Vectors: []behavior.FileVector{v}}, nil)
		}
	}
	fmt.Fprintf(to, "\n   Three packets came and went. Now they come at random:\n")
	book = behavior.NewBook()
	doc := &document.VerifiedModels{}
	v, err := behavior.NewVerifier(book, file, func(x *behavior.Violation) {
		doc.Violations = append(doc.Violations, &document.VerifiedViolation{Violation: x, VectorName: name(x.Vector)})
	})
	if err != nil {
		return err
	}
	if w, err = watched(nil, 20, book, v.Take); err != nil {
		return err
	}
	v.Finish()
	for _, x := range doc.Violations {
		p.Violation(x)
	}
	dropped, err := readOf(w, relay, "DropC__dropped")
	if err != nil {
		return err
	}
	fmt.Fprintf(to, "\n   A second packet came before the first had left. The firmware itself counts those it dropped: %s\n", dropped[0])
	return nil
}
