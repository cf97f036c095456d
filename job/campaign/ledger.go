package campaign

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"motehound/job"
	"motehound/job/document"
)

// Ledger knows which items there are, which are done, and what they gave. It is a function of the campaign and of the results that it was told: in whatever
// order, and however often. It has no clock and knows no worker.
type Ledger struct {
	c       *Campaign
	id      string
	strands []*strand
	done    map[string]bool
	items   int // that there are, as far as is known
	blobs   map[string][]byte
}

// strand is how far a strand is.
type strand struct {
	*Strand
	number int
	epoch  int
	base   int    // items of the epoch that are counted, not listed
	next   int    // the first of those that was not handed out
	queue  []Item // others that were not handed out: pieces of a search
	cuts   []cut
	left   int // items of the epoch without a result
	over   bool

	sum     sum
	doc     json.RawMessage
	bundles [][]byte
}

// NewLedger begins with nothing done.
func NewLedger(c *Campaign) (*Ledger, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	l := &Ledger{c: c, id: c.ID(), done: make(map[string]bool), blobs: make(map[string][]byte)}
	for i := range c.Strands {
		s := &strand{Strand: &c.Strands[i], number: i, sum: newSum()}
		l.strands = append(l.strands, s)
		l.begin(s)
	}
	return l, nil
}

// begin begins an epoch of a strand.
func (l *Ledger) begin(s *strand) {
	s.base, s.next, s.queue = 0, 0, nil
	switch {
	case !s.split():
		s.base = 1
	case s.explains() && s.parted():
		s.base = min(1, len(s.sum.begin)) // if there is something to put together
	case s.explains():
		s.base = min(1, len(s.sum.best))
	default:
		s.base, s.queue = s.Items, s.first()
	}
	s.left = s.base + len(s.queue)
	l.items += s.left
	l.advance(s)
}

// first is the items with which the search begins: the whole, to be cut if it is too large.
func (s *strand) first() []Item {
	if s.Events == 0 || s.epoch > 0 || s.parted() && s.Items > 0 {
		return nil
	}
	return []Item{{Strand: s.number, Number: s.Items, Share: job.Share{Search: true, Events: s.Events}}}
}

// explains tells whether the epoch is the last: what was found is explained, or what parts gave is put together.
func (s *strand) explains() bool { return s.epoch == max(1, s.Epochs) }

// advance goes to the next epoch if this one is done.
func (l *Ledger) advance(s *strand) {
	if s.left > 0 {
		return
	}
	if !s.split() || s.explains() {
		s.over = true
		return
	}
	if s.parted() {
		if list := s.sum.ordered(); len(list) > 0 {
			s.sum.begin = l.keep(list)
		}
		s.sum.portions = nil
	} else if s.Epochs > 0 {
		s.sum.begin = l.keep(s.sum.corpus())
	}
	s.epoch++
	l.begin(s)
}

// keep makes something known by its hash.
func (l *Ledger) keep(what any) string {
	data, err := json.Marshal(what)
	if err != nil {
		panic("BUG: a corpus cannot be written: " + err.Error())
	}
	hash := digest(data)
	l.blobs[hash] = data
	return hash
}

// item is the item with a number among those that are counted.
func (s *strand) item(n int) Item {
	i := Item{Strand: s.number, Epoch: s.epoch, Number: n}
	switch {
	case !s.split():
	case s.parted():
		i.Share.Events = s.Events
		if s.explains() {
			i.Begin = s.sum.begin
		}
	case s.explains():
		i.Share.Known = s.sum.findings()
	default:
		at := (s.epoch*s.Items + n) * s.Walks
		i.Share.From, i.Share.Until = at, at+s.Walks
		if s.epoch > 0 {
			i.Begin = s.sum.begin
		}
	}
	return i
}

// Next hands out items that are not done, at most so many. Each is handed out once; see Again.
func (l *Ledger) Next(most int) (list []Item) {
	for _, s := range l.strands {
		for len(list) < most && s.next < s.base {
			if i := s.item(s.next); !l.done[i.ID()] {
				list = append(list, i)
			}
			s.next++
		}
		for len(list) < most && len(s.queue) > 0 {
			if i := s.queue[0]; !l.done[i.ID()] {
				list = append(list, i)
			}
			s.queue = s.queue[1:]
		}
	}
	return list
}

// Blob is what items name by its hash.
func (l *Ledger) Blob(hash string) []byte { return l.blobs[hash] }

// Done takes a result. One that is known already changes nothing.
func (l *Ledger) Done(r *Result) error {
	if err := r.check(l.id, l.c); err != nil {
		return fmt.Errorf("a result is refused: %w", err)
	}
	s, id := l.strands[r.Item.Strand], r.Item.ID()
	switch {
	case l.done[id]:
		return nil
	case r.Item.Epoch != s.epoch || s.over:
		return fmt.Errorf("a result is refused: item %s is of epoch %d, and the campaign is in epoch %d of this strand", id, r.Item.Epoch, s.epoch)
	case len(r.Item.Piece) == 0 && (r.Item.Number < 0 || r.Item.Number > s.base):
		return fmt.Errorf("a result is refused: there is no item %s", id)
	}
	l.done[id] = true
	s.left--
	switch {
	case r.Failed != "":
		s.sum.failed[id] = r.Failed
	case r.Portion != nil:
		l.cut(s, r, r.Portion.Pieces)
		s.sum.portion(&r.Item, r.Portion)
	case r.Part == nil:
		s.doc, s.bundles = r.Document, r.Bundles
	case s.explains():
		s.sum.explained = r.Part
	default:
		l.add(s, r)
	}
	l.advance(s)
	return nil
}

// add adds what was explored, and cuts what was too large.
func (l *Ledger) add(s *strand, r *Result) {
	l.cut(s, r, r.Part.Pieces)
	s.sum.add(&r.Item, r.Part)
}

// cut makes pieces of an item.
func (l *Ledger) cut(s *strand, r *Result, n int) {
	if n == 0 {
		return
	}
	s.cuts = append(s.cuts, cut{r.Item, n})
	s.queue = append(s.queue, s.cuts[len(s.cuts)-1].pieces()...)
	s.left += n
	l.items += n
}

// Finished tells whether everything is done.
func (l *Ledger) Finished() bool {
	return !slices.ContainsFunc(l.strands, func(s *strand) bool { return !s.over })
}

// Progress is how many items are done, how many there are as far as is known, and how many causes were found.
func (l *Ledger) Progress() (done, items, found int) {
	for _, s := range l.strands {
		found += len(s.sum.best) + len(s.sum.causes)
	}
	return len(l.done), l.items, found
}

// Causes names what was found, in order. It is not explained yet, and may be none in the end.
func (l *Ledger) Causes() []string {
	list := []string{}
	for _, s := range l.strands {
		for c := range s.sum.best {
			list = append(list, strings.TrimSuffix(c.Property+", in "+document.PlaceText(c.Function, c.File, c.Line), ", in "))
		}
		list = slices.AppendSeq(list, maps.Keys(s.sum.causes))
	}
	slices.Sort(list)
	return list
}

// Rewind has items handed out again that have no result: of a bus that has lost them.
func (l *Ledger) Rewind() {
	for _, s := range l.strands {
		s.next, s.queue = 0, s.first()
		for _, c := range s.cuts {
			s.queue = append(s.queue, c.pieces()...)
		}
	}
}

// cut is an item of a search that was too large.
type cut struct {
	Item
	into int
}

// pieces are the items that it was cut into.
func (c *cut) pieces() (list []Item) {
	for i := range c.into {
		child := c.Item
		child.Piece = append(slices.Clone(c.Piece), i)
		child.Share.Piece = child.Piece
		list = append(list, child)
	}
	return list
}
