package main

import (
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"motehound/job"
	"motehound/job/document"
	"motehound/job/phrase"
	"motehound/observe/outputs"
	"motehound/study/verdict"
	"motehound/world"
	"motehound/world/recipe"
	"motehound/world/serialframe"
)

func demoCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "Run built-in examples and show what happened",
		Long: `Runs examples that are built in: firmware for motes, as one would flash it. Nothing else needs to be installed. Their
sources are in the folder examples of Motehound's repository.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return demo(cmd.Context(), cmd.OutOrStdout()) },
	}
}

// demonstration is a run of a built-in example.
type demonstration struct {
	to     io.Writer
	recipe recipe.Recipe
	world  *world.World
	rec    *outputs.Recorder
	took   time.Duration
}

// demonstrate runs an example, on a mote with the id that is in its firmware.
func demonstrate(to io.Writer, example string, until uint64, serial ...recipe.Serial) (*demonstration, error) {
	m := recipe.Mote{ID: 1}
	if _, _, err := (job.Hardware{}).Choose(job.ExamplePrefix+example, &m); err != nil {
		return nil, err
	}
	d := &demonstration{to: to, recipe: recipe.Recipe{Version: recipe.Version, Motes: []recipe.Mote{m}, Serial: serial}}
	w, err := d.recipe.World(job.OpenFirmware)
	if err != nil {
		return nil, err
	}
	d.world, d.rec = w, outputs.Record(w)
	start := time.Now()
	w.RunUntil(until)
	d.took = time.Since(start)
	d.recipe.Finish(w)
	return d, nil
}

func (d *demonstration) printf(format string, args ...any) { fmt.Fprintf(d.to, format+"\n", args...) }

// shown is what people are shown of the mote.
func (d *demonstration) shown() *job.Shown { return &job.RanOf(d.world, d.rec, nil, d.took).Motes[0] }

// speed says how long the run took, and how much of it the CPU slept.
func (d *demonstration) speed() {
	m := d.world.Motes()[0]
	virtual := float64(d.world.Now()) / world.Second
	d.printf("   %.3g s of the mote's time took %s ms here, %s:", virtual, milliseconds(d.took),
		phrase.Times(virtual/d.took.Seconds()))
	d.printf("   %s cycles, of which the CPU slept %.2f %%, and %s instructions.", phrase.Grouped(m.Cycles()),
		100*float64(m.SleepCycles())/float64(m.Cycles()), phrase.Grouped(m.Core().Instructions))
}

// milliseconds has two digits, or more before the point.
func milliseconds(d time.Duration) string {
	ms := d.Seconds() * 1000
	if ms >= 10 {
		return fmt.Sprintf("%.0f", ms)
	}
	return fmt.Sprintf("%.2g", ms)
}

func demo(ctx context.Context, to io.Writer) error {
	fmt.Fprintf(to, "Motehound runs the binaries that people flash. Here are some that are built in, on a MicaZ mote.\n")
	blink, err := demoBlink(to)
	if err != nil {
		return err
	}
	serial, err := demoSerial(to)
	if err != nil {
		return err
	}
	same, err := demoAgain(to, serial)
	if err != nil {
		return err
	}
	if ctx.Err() != nil {
		return verdict.ErrInterrupted
	}
	busy, err := demonstrate(to, "cpu-crypt", 2*world.Second)
	if err != nil {
		return err
	}
	busy.printf("\n4. A program that never sleeps is the hardest to run: AES, SHA-256 and CRC-32 (examples/cpu/crypt.c)\n")
	busy.speed()
	if ctx.Err() != nil {
		return verdict.ErrInterrupted
	}
	if err := demoNetwork(to); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return verdict.ErrInterrupted
	}
	if err := demoMine(ctx, to); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return verdict.ErrInterrupted
	}
	if err := demoModel(to); err != nil {
		return err
	}
	fmt.Fprintf(to, "\nNow your own: motehound run FIRMWARE.elf (see motehound run --help). Some of these again:\n"+
		"   motehound run %s --time 2s\n   motehound run %s --serial tcp:9001\n"+
		"   motehound run --nodes 5 --topology line --loss 0.3 --time 60s example:relay-micaz\n"+
		"   motehound mine --nodes 2 --node 1 --vector ADC example:pollute-micaz\n"+
		"   motehound model mine --nodes 3 --topology line --node 1 example:drop-mica2\n", blink.recipe.Motes[0].Firmware,
		serial.recipe.Motes[0].Firmware)
	if !same {
		return errFound
	}
	return nil
}

// demoBlink shows when lights change, to the cycle.
func demoBlink(to io.Writer) (*demonstration, error) {
	d, err := demonstrate(to, "blink-micaz", 2*world.Second)
	if err != nil {
		return nil, err
	}
	m := d.shown()
	d.printf("\n1. Blink: three timers toggle three LEDs (examples/blink/blink.c)\n")
	d.speed()
	d.printf("")
	printChart(to, m, d.world.Now())
	d.printf("          0 s%*s", columns-3, "2 s")
	d.printf("\n   The first changes, exactly:\n")
	for _, c := range m.Changes[:min(4, len(m.Changes))] {
		d.printf("   %s  cycle %10s  %s %s", phrase.Seconds(c.At), phrase.Grouped(c.Cycle), m.LEDs[c.LED],
			map[bool]string{true: "on", false: "off"}[c.On])
	}
	return d, nil
}

// demoSerial sends a frame to a mote and shows what it answers.
func demoSerial(to io.Writer) (*demonstration, error) {
	ask := serialframe.Frame{Protocol: serialframe.ProtoPacket, Sequence: 7, Message: &serialframe.Message{
		Dest: 1, Src: 0, Group: 0x22, Type: 9, Data: []byte{0, 5},
	}}
	const at = world.Second / 2
	d, err := demonstrate(to, "serial-micaz", 3*world.Second/2,
		recipe.Serial{At: at, Hex: hex.EncodeToString(ask.Bytes())})
	if err != nil {
		return nil, err
	}
	sent, _ := d.rec.UART(0, 0)
	frames, err := serialframe.Parse(sent)
	d.printf("\n2. Serial: TinyOS frames both ways, at 57,600 baud (examples/serial/serial.c)\n")
	d.speed()
	d.printf("\n   To the mote, at %s:\n   % x\n     %s, acknowledgement wanted", phrase.Seconds(at), ask.Bytes(), ask)
	d.printf("\n   From the mote, %d bytes in %d frames:", len(sent), len(frames))
	for _, f := range frames {
		d.printf("   % x\n     %s", f.Bytes(), f)
	}
	if err != nil {
		d.printf("   and what is no frame: %v", err)
	}
	d.printf("\n   Its LEDs show the number in the message, 5: %s", strings.Join(d.shown().On, " and "))
	return d, nil
}

// demoAgain makes a run again, in two ways, and compares.
func demoAgain(to io.Writer, d *demonstration) (same bool, err error) {
	d.printf("\n3. The same again: a run is its recipe, and a mote's whole state can be copied, hashed and put back\n")
	again, err := recipeAgain(d.recipe)
	if err != nil {
		return false, err
	}
	half, until := d.world.Now()/2, d.world.Now()
	again.RunUntil(half)
	snapshot := again.Clone()
	again.RunUntil(until)
	straight := again.Hash()
	again.CopyFrom(snapshot)
	back := again.Hash()
	again.RunUntil(until)
	same = d.recipe.Hash == straight.String() && straight == again.Hash()
	row := func(what string, hash any) { d.printf("   %-32s %s", what, hash) }
	row("state after the run above", d.recipe.Hash)
	row("made again from its recipe", straight)
	row(fmt.Sprintf("put back to the middle (%.3g s)", float64(half)/world.Second), back)
	row("and run on from there", again.Hash())
	if same {
		d.printf("   The three final states are equal, bit for bit.")
	} else {
		d.printf("   They are NOT equal: this is a bug in Motehound, please report it.")
	}
	return same, nil
}

// recipeAgain makes the world of a recipe that was only in memory, through its file format.
func recipeAgain(r recipe.Recipe) (*world.World, error) {
	var file strings.Builder
	if err := document.WritePlain(&file, r); err != nil {
		return nil, err
	}
	again, err := recipe.Parse([]byte(file.String()))
	if err != nil {
		return nil, err
	}
	return again.World(job.OpenFirmware)
}
