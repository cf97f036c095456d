// Package pull gets the log of a traced mote by asking the mote for it, over anything that carries small messages.
//
// Invariants: the result is what the mote sent, in whole pages; lost messages are requested again; a mote that does not answer, or an
// answer that cannot be understood, ends in an error that says so, with the pages that did come. The messages are described in
// ../runtime/src/motehound_trace_query.c.
package pull

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"motehound/study/fieldtrace/record"
)

// Link carries messages to a mote and back.
type Link interface {
	// Send sends a message to the mote.
	Send(message []byte) error
	// Receive is the next message from the mote. ok is false if none came for so long that none will.
	Receive() (message []byte, ok bool, err error)
}

// AM is the type of the active messages that carry requests and replies.
const AM = 84

// Query says what is wanted of a log.
type Query struct {
	Bytes int   // only the newest pages that hold so many; 0 for all
	Proc  int   // only pages in which this procedure may be; -1 for all
	Since *Time // only the pages since then
}

// Time is a moment as a mote counts it.
type Time struct {
	Boot  uint16
	Ticks uint32
}

// Requests and replies.
const (
	request = 0x51
	reply   = 0x52

	askNewest = 1
	askSince  = 2
	askPages  = 3

	sayPiece = 1
	sayEnd   = 2

	everyProc = 0xFFFF
)

// tries is how often something is asked for without any answer before the mote is given up.
const tries = 5

func message(what uint8, proc, page, pages int, t Time) []byte {
	b := []byte{request, what}
	for _, n := range []int{proc, page, pages} {
		b = binary.LittleEndian.AppendUint16(b, uint16(n))
	}
	return binary.LittleEndian.AppendUint16(binary.LittleEndian.AppendUint32(b, t.Ticks), t.Boot)
}

// Message is the query as a mote gets it.
func (q Query) Message(l record.Layout) []byte {
	proc, pages := everyProc, 0xFFFF
	if q.Proc >= 0 {
		proc = q.Proc
	}
	if q.Since != nil {
		return message(askSince, proc, 0, 0, *q.Since)
	}
	if q.Bytes > 0 {
		pages = min((q.Bytes+l.Page()-1)/l.Page(), pages)
	}
	return message(askNewest, proc, 0, pages, Time{})
}

// session is what has come so far.
type session struct {
	layout   record.Layout
	pages    map[int]*page
	order    []int
	progress func(pages int)
	ended    bool
	bytes    int // that are there
}

type page struct {
	bytes []byte
	have  []bool
}

// errSilent: the mote does not answer.
var errSilent = errors.New("the mote does not answer: check that it is in range, and built with the query service (mh_trace_request)")

// Pull asks for a log. The pages come with the error, too, if there is one. progress, if not nil, is told how many there are.
func Pull(l Link, layout record.Layout, q Query, progress func(pages int)) ([]record.Piece, error) {
	if err := layout.Check(); err != nil {
		return nil, err
	}
	s := &session{layout: layout, pages: map[int]*page{}, progress: progress}
	err := s.ask(l, q.Message(layout))
	for stale := 0; err == nil; stale++ {
		missing, had := s.incomplete(), s.bytes
		if len(missing) == 0 {
			break
		}
		for _, place := range missing {
			if err = s.ask(l, message(askPages, everyProc, place, 1, Time{})); err != nil {
				break
			}
		}
		if s.bytes > had {
			stale = 0
		}
		if err == nil && stale == tries {
			err = fmt.Errorf("%d of %d pages are incomplete, although they were requested again", len(missing), len(s.order))
		}
	}
	return s.pieces(), err
}

// ask sends a request and takes replies until the mote says that these are all, or is silent.
func (s *session) ask(l Link, request []byte) error {
	for range tries {
		if err := l.Send(request); err != nil {
			return err
		}
		heard := false
		for {
			m, ok, err := l.Receive()
			if err != nil {
				return err
			}
			if !ok {
				break
			}
			s.ended = false
			if s.take(m) {
				heard = true
			}
			if s.ended {
				return nil
			}
		}
		if heard {
			return nil // the end was lost; what else is missing is found out by the caller
		}
	}
	return errSilent
}

// take takes one reply and tells whether it was one.
func (s *session) take(m []byte) bool {
	if len(m) < 4 || m[0] != reply {
		return false
	}
	place := int(binary.LittleEndian.Uint16(m[2:]))
	switch m[1] {
	case sayEnd:
		s.ended = true
		return true
	case sayPiece:
		if len(m) < 6 {
			return false
		}
		return s.piece(place, int(binary.LittleEndian.Uint16(m[4:])), m[6:])
	}
	return false
}

func (s *session) piece(place, offset int, bytes []byte) bool {
	if offset+len(bytes) > s.layout.Page() {
		return false
	}
	p := s.pages[place]
	if p == nil {
		p = &page{bytes: slices.Repeat([]byte{0xFF}, s.layout.Page()), have: make([]bool, s.layout.Page())}
		s.pages[place] = p
		s.order = append(s.order, place)
		if s.progress != nil {
			s.progress(len(s.order))
		}
	}
	for i, b := range bytes {
		if !p.have[offset+i] {
			s.bytes++
		}
		p.bytes[offset+i], p.have[offset+i] = b, true
	}
	return true
}

// incomplete is the places of pages of which something is missing: those of which some came, and those between them.
func (s *session) incomplete() []int {
	var missing []int
	for _, place := range s.order {
		if slices.Contains(s.pages[place].have, false) {
			missing = append(missing, place)
		}
	}
	slices.Sort(missing)
	return missing
}

func (s *session) pieces() []record.Piece {
	places := slices.Clone(s.order)
	slices.Sort(places)
	var out []record.Piece
	for _, place := range places {
		out = append(out, record.Piece{Place: place, Bytes: s.pages[place].bytes})
	}
	return out
}

// Image is a copy of the flash as far as it came; the rest is 0xFF, as in a flash that was erased.
func Image(l record.Layout, pieces []record.Piece) []byte {
	n := 0
	for _, p := range pieces {
		n = max(n, p.Place+1)
	}
	image := slices.Repeat([]byte{0xFF}, n*l.Page())
	for _, p := range pieces {
		copy(image[p.Place*l.Page():], p.Bytes)
	}
	return image
}

// String says what is wanted, for people.
func (q Query) String() string {
	switch {
	case q.Since != nil:
		return fmt.Sprintf("since tick %d of boot %d", q.Since.Ticks, q.Since.Boot)
	case q.Proc >= 0:
		return fmt.Sprintf("pages with procedure %d", q.Proc)
	case q.Bytes > 0:
		return fmt.Sprintf("the newest %d bytes", q.Bytes)
	}
	return "the whole log"
}
