package hunt

import (
	"context"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"motehound/job"
	"motehound/job/document"
	"motehound/world"
	"motehound/world/recipe"
)

// regressions writes a scenario for each of the worst findings in a firmware file that shows it again, as a test to commit. One that does not
// show it is taken away: then the recipe is all that there is.
func (x *hunt) regressions(ctx context.Context) error {
	const most = 3
	if x.about.Scenario { // which is one itself
		return nil
	}
	for n, c := range x.causes {
		if n == most || ctx.Err() != nil || !c.Grade.Fails() || c.Bundle == "" {
			break
		}
		rec, err := recipe.Read(x.store.Path(c.Bundle))
		if err != nil {
			return err
		}
		if err := x.regression(ctx, c, rec); err != nil {
			return err
		}
	}
	return nil
}

// regression tries a timed run of what came in, and then other orders.
func (x *hunt) regression(ctx context.Context, c *cause, rec *recipe.Recipe) error {
	const name = "regression.star"
	for _, command := range []string{engineRun, engineCheck} {
		file, err := x.store.Keep(&c.Finding, name, nil) // its place decides how the firmware is named
		if err != nil {
			return err
		}
		if _, err = x.store.Keep(&c.Finding, name, x.script(c, rec, command, filepath.Dir(x.store.Path(file)))); err != nil {
			return err
		}
		shown, err := x.shows(ctx, c, command, x.store.Path(file))
		if shown && err == nil {
			c.Scenario, c.Test = file, fmt.Sprintf("motehound %s %s", command, x.store.Path(file))
			return x.keep(c)
		}
		if err := os.Remove(x.store.Path(file)); err != nil {
			return err
		}
	}
	return nil
}

// shows tells whether a scenario shows a cause. If there was no time to find that out, the error says so.
func (x *hunt) shows(ctx context.Context, c *cause, command, file string) (bool, error) {
	h := x.host
	h.Progress = func(job.Progress) {}
	same := func(s sight) bool { return s.Cause().Key() == c.Key }
	if command == engineRun {
		ctx, cancel := within(ctx, h, x.Budget/10)
		defer cancel()
		got, err := job.Run{World: job.NewWorld(), File: file}.Do(ctx, h)
		if err != nil {
			return false, err
		}
		return decided(slices.ContainsFunc(got.Document.Findings, func(f document.RunFinding) bool { return same(ranSight(&f, "")) }), ctx.Err() != nil)
	}
	f := job.NewCheck(file)
	events := 5_000
	f.Mode, f.Total, f.Events, f.Threads, f.Budget, f.NoRepair = "walk", 10_000, &events, x.Threads, x.Budget/10, true
	got, err := f.Do(ctx, h)
	if err != nil {
		return false, err
	}
	return decided(slices.ContainsFunc(got.Document.Findings, func(f *document.Found) bool { return same(exploredSight(f)) }), got.Report.Stopped)
}

// decided is an answer, unless it is no and was cut short.
func decided(shown, cut bool) (bool, error) {
	if cut && !shown {
		return false, job.ErrInterrupted
	}
	return shown, nil
}

// reconsider tries the regression scenarios of findings that earlier hunts saw in another build, and this one did not: those that still show are findings
// of this hunt, too. It gives the keys of the others.
func (x *hunt) reconsider(ctx context.Context) (gone []string, err error) {
	for _, f := range x.store.All() {
		if f.Subject != x.record.Subject || f.Last.Hunt == x.record.Number || f.Last.Firmware == x.record.Firmware || !f.State.Open() || f.Scenario == "" || ctx.Err() != nil {
			continue
		}
		c := &cause{document.HuntFinding{Finding: f}}
		still, tried := false, 0
		for _, command := range []string{engineRun, engineCheck} {
			shown, err := x.shows(ctx, c, command, x.store.Path(f.Scenario))
			still = still || shown
			if err == nil {
				tried++
			}
		}
		switch {
		case still:
			c.Seen = []document.HuntSight{{Engine: f.Engines[0], Network: "its regression scenario", Events: x.spent, AfterS: x.now().Seconds()}}
			if err := x.keep(c); err != nil {
				return nil, err
			}
			x.causes = append(x.causes, c)
		case tried == 2 && ctx.Err() == nil:
			gone = append(gone, f.Key)
		}
	}
	return gone, nil
}

// script is the scenario: the motes, and what came in, in the order in which it did.
func (x *hunt) script(c *cause, rec *recipe.Recipe, command, folder string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# Found by motehound hunt. %s\n#\n# A fixed build has nothing to report: motehound %s FILE\n\n", c.Title, command)
	m := &rec.Motes[0]
	hardware := fmt.Sprintf("board = %q", m.Board)
	if m.Board == "" {
		hardware = fmt.Sprintf("chip = %q, hertz = %d", m.Chip, m.Hertz)
	}
	fmt.Fprintf(&b, "network(\n    motes = [mote(id = %d + i, %s, firmware = %q) for i in range(%d)],\n", m.ID, hardware, x.firmware(m, folder), len(rec.Motes))
	if len(rec.Motes) > 1 {
		fmt.Fprintf(&b, "    links = full(%d),\n", len(rec.Motes))
	}
	fmt.Fprintf(&b, ")\nrun(time = \"10s\", seed = %d)\n", rec.Seed)
	id := func(mote int) uint16 { return rec.Motes[mote].ID }
	for i := range rec.Motes {
		for _, p := range rec.Motes[i].Pins {
			fmt.Fprintf(&b, "pin(mote = %d, pin = %q, level = %q)\n", id(i), p.Pin, p.Drive)
		}
	}
	for _, s := range rec.Serial {
		fmt.Fprintf(&b, "serial(mote = %d, usart = %d, at = %s, data = %s)\n", id(s.Mote), s.USART, moment(s.At), numbers(s.Hex))
	}
	for _, e := range rec.Events {
		switch {
		case e.Pin != "":
			fmt.Fprintf(&b, "pin(mote = %d, pin = %q, level = %q, at = %s)\n", id(e.Mote), e.Pin, e.Drive, moment(e.At))
		case e.Frame != "":
			fmt.Fprintf(&b, "frame(mote = %d, at = %s, data = %s)\n", id(e.Mote), moment(e.At), numbers(e.Frame))
		}
	}
	if c.Explored != nil {
		made(&b, rec, c.Explored.Made)
	}
	return []byte(b.String())
}

// made is the inputs that fuzz made up: half a second apart, from the first second on.
func made(b *strings.Builder, rec *recipe.Recipe, list []recipe.MadeInput) {
	when := uint64(world.Second)
	for _, in := range list {
		id := rec.Motes[in.Mote].ID
		switch in.Kind {
		case "serial":
			fmt.Fprintf(b, "serial(mote = %d, usart = %d, at = %s, data = %s)\n", id, in.Number, moment(when), numbers(in.Hex))
		case "air":
			fmt.Fprintf(b, "frame(mote = %d, at = %s, data = %s)\n", id, moment(when), numbers(in.Hex))
		}
		when += world.Second / 2
	}
}

// firmware is the name of the firmware file, as seen from the scenario.
func (x *hunt) firmware(m *recipe.Mote, folder string) string {
	if strings.HasPrefix(x.File, job.ExamplePrefix) {
		return m.Firmware
	}
	return job.RelativeTo(folder, x.File)
}

// moment is a time as scenarios have it.
func moment(ps uint64) string { return fmt.Sprintf("%q", time.Duration(ps/1000).String()) }

// numbers is bytes as scenarios have them.
func numbers(digits string) string {
	data, _ := hex.DecodeString(digits) // recipes have been read before
	parts := make([]string, len(data))
	for i, c := range data {
		parts[i] = fmt.Sprintf("0x%02x", c)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}
