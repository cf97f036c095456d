package job

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"motehound/mote/periph"
	"motehound/world"
	"motehound/world/recipe"
)

// What a button is like that --button presses. A scenario can have others.
const (
	pressedAt = world.Second
	held      = 100 * world.Millisecond
	bounces   = 2
	bouncing  = 2 * world.Millisecond
)

// press puts the buttons of the request, and their presses, into a recipe. They are the first mote's.
func (f *World) press(r *recipe.Recipe) error {
	for _, text := range f.Buttons {
		pin, at, err := parseButton(text)
		if err != nil {
			return err
		}
		b, err := r.Motes[0].PlainBoard()
		if err != nil {
			return err
		}
		if !b.Chip.HasPin(pin) {
			return fmt.Errorf("--button %s: %s has no pin %s", text, b.Chip.Name, pin)
		}
		p := world.Press{At: at, Hold: held, Bounces: bounces, Within: bouncing, Seed: r.Seed}
		_, rest := p.Drives()
		own := &r.Motes[0].Pins
		if x := (recipe.Pin{Pin: pin.String(), Drive: rest.String()}); !slices.Contains(*own, x) {
			*own = append(slices.Clone(*own), x)
		}
		for _, c := range p.Contacts() {
			r.Events = append(r.Events, recipe.EventOf(world.Event{At: c.At, Kind: world.SetPin, Pin: pin, Drive: c.Drive}))
		}
	}
	slices.SortStableFunc(r.Events, func(a, b recipe.Event) int { return cmp.Compare(a.At, b.At) })
	return nil
}

// parseButton reads PIN[@TIME].
func parseButton(text string) (pin periph.Pin, at uint64, err error) {
	name, when, timed := strings.Cut(text, "@")
	if pin, err = periph.FindPin(strings.ToUpper(name)); err != nil {
		return pin, 0, fmt.Errorf("--button %s: %w", text, err)
	}
	if !timed {
		return pin, pressedAt, nil
	}
	d, err := time.ParseDuration(when)
	if err != nil || d < 0 || d > time.Hour {
		return pin, 0, fmt.Errorf("--button %s: write a pin and a time up to 1h, such as PD2@500ms", text)
	}
	return pin, uint64(d.Nanoseconds()) * 1000, nil
}
