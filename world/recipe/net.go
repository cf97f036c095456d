package recipe

import (
	"fmt"

	"motehound/world/medium"
)

// Link is one direction of hearing between motes, by index.
type Link struct {
	From  int     `json:"from"`
	To    int     `json:"to"`
	Gain  float64 `json:"gain_db"`
	Loss  float64 `json:"loss,omitempty"`
	Delay uint64  `json:"delay_ps,omitempty"`
}

// Cut takes a link away for a while.
type Cut struct {
	From  int    `json:"from"`
	To    int    `json:"to"`
	At    uint64 `json:"at_ps"`
	Until uint64 `json:"until_ps"`
}

// Wire joins two UARTs.
type Wire struct {
	A       [2]int  `json:"a"` // mote, usart
	B       [2]int  `json:"b"`
	Framing string  `json:"framing,omitempty"` // "", "slip" or "hdlc"
	Loss    float64 `json:"loss,omitempty"`
}

var framings = map[string]medium.Framing{"": medium.NoFraming, "slip": medium.SLIP, "hdlc": medium.HDLC}

// net is who hears whom, nil if nobody does.
func (r *Recipe) net() (*medium.Net, error) {
	if len(r.Links) == 0 && len(r.Wires) == 0 {
		return nil, nil
	}
	links := make([]medium.Link, len(r.Links))
	for i, l := range r.Links {
		links[i] = medium.Link{From: l.From, To: l.To, GainDB: l.Gain, Loss: l.Loss, Delay: l.Delay}
	}
	n, err := medium.New(len(r.Motes), links)
	if err != nil {
		return nil, err
	}
	for _, c := range r.Cuts {
		n.Cuts = append(n.Cuts, medium.Cut(c))
	}
	for _, w := range r.Wires {
		f, ok := framings[w.Framing]
		if !ok {
			return nil, fmt.Errorf("wire framing %q is unknown: leave it out, or say slip or hdlc", w.Framing)
		}
		for _, e := range [][2]int{w.A, w.B} {
			if e[0] < 0 || e[0] >= len(r.Motes) || e[1] < 0 || e[1] > 3 {
				return nil, fmt.Errorf("wire end [%d, %d]: there are %d motes, each with up to 4 USARTs", e[0], e[1], len(r.Motes))
			}
		}
		n.Wires = append(n.Wires, medium.Wire{A: end(w.A), B: end(w.B), Framing: f, Loss: w.Loss})
	}
	return n, nil
}

func end(e [2]int) medium.End { return medium.End{Mote: e[0], USART: uint8(e[1])} }

// SetLinks puts links into the recipe.
func (r *Recipe) SetLinks(links []medium.Link) {
	r.Links = nil
	for _, l := range links {
		r.Links = append(r.Links, Link{From: l.From, To: l.To, Gain: l.GainDB, Loss: l.Loss, Delay: l.Delay})
	}
}
