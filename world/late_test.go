package world

import (
	"testing"

	"motehound/examples"
	"motehound/firmware/image"
	"motehound/mote"
	"motehound/mote/board"
	"motehound/world/medium"
)

// Bytes that a radio may be told late change nothing: motes do the same, to the cycle, when each is told at its moment.
func TestLateBytesMakeNoDifference(t *testing.T) {
	for _, app := range []string{"counter", "collect", "timesync"} {
		t.Run(app, func(t *testing.T) {
			t.Parallel()
			f, _ := examples.Find(app, "mica2")
			im, err := image.Parse(f.File(), f.ELF())
			if err != nil {
				t.Fatal(err)
			}
			k, err := mote.NewKind(&board.Mica2, im, nil)
			if err != nil {
				t.Fatal(err)
			}
			const n = 9
			links, err := medium.Named("grid", n, medium.DefaultGain, 0.1, 3)
			if err != nil {
				t.Fatal(err)
			}
			var worlds [2]*World
			for i := range worlds {
				net, err := medium.New(n, links)
				if err != nil {
					t.Fatal(err)
				}
				cfg := &Config{Net: net, Stagger: 1_000_000, Drift: 100}
				for id := range n {
					cfg.Motes = append(cfg.Motes, MoteConfig{Kind: k, ID: uint16(id)})
				}
				if worlds[i], err = New(cfg, Natural{Seed: 5}); err != nil {
					t.Fatal(err)
				}
			}
			late, prompt := worlds[0], worlds[1]
			prompt.sched.prompt = true
			end := uint64(20 * Second)
			if testing.Short() {
				end = 8 * Second
			}
			deferred := false
			for at := uint64(0); at < end; at += 7 * Millisecond {
				late.RunUntil(at)
				prompt.RunUntil(at)
				for i := range n {
					in := late.per[i].air.Inbox
					deferred = deferred || len(in) > 0 && late.urgent(i) != &in[0]
					a, b := late.motes[i], prompt.motes[i]
					if a.Cycles() != b.Cycles() || a.Core().Instructions != b.Core().Instructions || late.FramesReceived(i) != prompt.FramesReceived(i) {
						t.Fatalf("at %d ms mote %d has run %d cycles and %d instructions, heard %d; promptly %d, %d, %d", at/Millisecond, i, a.Cycles(),
							a.Core().Instructions, late.FramesReceived(i), b.Cycles(), b.Core().Instructions, prompt.FramesReceived(i))
					}
					for addr := uint16(0x100); addr < 0x1100; addr++ {
						if a.Peek(addr) != b.Peek(addr) {
							t.Fatalf("at %d ms mote %d has %#x at %#x, promptly %#x", at/Millisecond, i, a.Peek(addr), addr, b.Peek(addr))
						}
					}
				}
			}
			if !deferred {
				t.Error("no byte was ever late")
			}
		})
	}
}
