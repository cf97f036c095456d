package board

import (
	"testing"

	"motehound/mote/block"
	"motehound/mote/digest"
	"motehound/mote/periph"
	"motehound/mote/radio"
)

// Every board's radio has a complete row, and a wire to every pin of its own.
func TestRadios(t *testing.T) {
	for _, b := range All() {
		w := b.Radio
		if w == nil {
			continue
		}
		if w.Name == "" || w.Frames == nil || w.Frames.Sync == 0 || w.Busy == 0 {
			t.Errorf("%s: its radio's row %+v has gaps", b.Name, *w.Model)
		}
		if f := w.Frames; f.LengthBits == 0 && (f.Check != nil || f.AckBits != 0) {
			t.Errorf("%s: frames without a length have neither a check sequence nor acknowledgements", b.Name)
		}
		if err := digest.Plain(w.State); err != nil {
			t.Errorf("%s: %v", b.Name, err)
		}
		used := map[periph.Pin]bool{}
		for n, p := range w.Pins {
			if p == periph.NoPin || used[p] {
				t.Errorf("%s: pin %d of its radio leads to %v, which is no pad or another pin's", b.Name, n, p)
			}
			used[p] = true
		}
		if int(w.Outputs) >= len(w.Pins) {
			t.Errorf("%s: %d of %d pins are outputs: the radio cannot be reached", b.Name, w.Outputs, len(w.Pins))
		}
		r := w.Mount(make(block.Block, block.SizeOf(w.State)/8), 0, nil, w.Crystal)
		_, slave := r.(radio.Slave)
		if _, streams := r.(radio.Streamer); streams != w.Streams || slave == streams {
			t.Errorf("%s: a radio either clocks the SPI (a Streamer, and its row says so) or is a Slave there", b.Name)
		}
	}
}
