package engine

import (
	"errors"
	"fmt"

	"motehound/world"
)

// Piece is which of the outcomes are explored: those of one piece, of a piece, and so on. Outcomes that have taken too long are cut into pieces, by what inputs and choices
// have told apart until then. Everything up to a cut is the same in each piece, so it is made again there; it counts for the first piece alone.
type Piece struct {
	Steps uint64 // instructions after which outcomes are cut, or never if there is only one; 0 for no pieces
	Path  []int  // which piece of each cut
}

const (
	mostPieces = 8
	// mostInPiece is how many states are run side by side before they are cut, whatever it took.
	mostInPiece = 1024
	// pieceTime bounds a window, so that outcomes can be cut also where no mote can reach another.
	pieceTime = 10 * world.Millisecond
)

// large tells whether outcomes are to be cut.
func (e *Engine) large(g *group) bool {
	p := &e.cfg.Piece
	return p.Steps > 0 && (e.stats.Instructions-e.since > p.Steps || len(g.nodes) > mostInPiece)
}

// divide cuts outcomes into pieces, and goes on with one of them; or it ends, if it is not said with which.
func (e *Engine) divide(g *group) error {
	all, done := []*group{g}, map[*group]bool{} // done are those of one outcome
	for len(all) < mostPieces {
		var most *group
		for _, x := range all {
			if !done[x] && (most == nil || len(x.nodes) > len(most.nodes)) {
				most = x
			}
		}
		if most == nil {
			break
		}
		if h, ok := e.part(most); ok {
			all = append(all, h)
		} else {
			done[most] = true
		}
	}
	switch {
	case len(all) == 1:
		e.since = e.stats.Instructions // it is asked again after as long
		return nil
	case e.cuts == len(e.cfg.Piece.Path):
		e.stats.Pieces = len(all)
		e.stop("it is cut into pieces")
		return nil
	}
	chosen := e.cfg.Piece.Path[e.cuts]
	if chosen < 0 || chosen >= len(all) {
		return fmt.Errorf("there is no piece %v: cut %d gives %d", e.cfg.Piece.Path, e.cuts+1, len(all))
	}
	e.cuts++
	for i, x := range all {
		if i != chosen {
			e.search.Remove(x.id)
			e.discard(x)
		}
	}
	if chosen > 0 {
		e.stats = Stats{Windows: e.stats.Windows}
		for i := range e.findings {
			e.findings[i].Before = true
		}
	}
	e.since = e.stats.Instructions
	return nil
}

var errNoPiece = errors.New("the exploration ended before the piece that was asked for")
