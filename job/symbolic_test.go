package job

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A finding with unknown bytes on the serial line, which no scenario names, replays; and it is refused if the bytes are others than it says.
func TestUnknownBytesReplay(t *testing.T) {
	t.Parallel()
	for _, pause := range []string{"", "1ms"} {
		f := NewSymbolic("example:novolatile")
		short := UsualTime / 10
		f.Board, f.SerialIn, f.SerialPause, f.Time, f.Out, f.Budget = "uno", []string{`a\?b\?`}, pause, &short, t.TempDir(), 0
		got, err := f.Do(context.Background(), Host{})
		if err != nil || len(got.Document.Findings) == 0 {
			t.Fatalf("%+v: %v", got, err)
		}
		file := got.Document.Findings[0].Recipe
		again, err := Replay{Recipe: file}.Do(context.Background(), Host{})
		if err != nil || again.Refused() != nil {
			t.Errorf("%v: %v", err, again.Refused())
		}
		another(t, file, " = 00", " = 37")
	}
}

// another has a recipe say that an input was another one: it is refused.
func another(t *testing.T, file, is, says string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	wrong := strings.Replace(string(text), is, says, 1)
	file = filepath.Join(t.TempDir(), "wrong.json")
	if err := os.WriteFile(file, []byte(wrong), 0o644); err != nil || wrong == string(text) {
		t.Fatalf("%v\n%s", err, text)
	}
	if again, err := (Replay{Recipe: file}).Do(context.Background(), Host{}); err != nil || again.Refused() == nil {
		t.Errorf("%v: another input is not refused", err)
	}
}

// A frame from outside with unknown bytes finds a length that is too large behind a checksum; the finding replays. With the check in the firmware there is nothing,
// and a button is pressed in every outcome.
func TestUnknownFrame(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]int{"example:remote-micaz": 1, "example:remote_fixed-micaz": 0} {
		f := NewSymbolic(name)
		short := UsualTime / 10
		f.Frames, f.Time, f.Out, f.Budget = []string{"am:101:" + strings.Repeat("??", 16)}, &short, t.TempDir(), 0
		got, err := f.Do(context.Background(), Host{})
		if err != nil || len(got.Document.Findings) != want || len(got.Document.Outcomes) < 3 {
			t.Fatalf("%s: %+v: %v", name, got, err)
		}
		for _, x := range got.Document.Findings {
			again, err := Replay{Recipe: x.Recipe}.Do(context.Background(), Host{})
			if err == nil && again.Refused() == nil {
				another(t, x.Recipe, "= 03 ", "= 02 ")
			}
			if err != nil || again.Refused() != nil || x.Function != "RemoteC.setLabel" {
				t.Errorf("%+v: %v: %v", x, err, again.Refused())
			}
		}
	}
	f := NewSymbolic("example:button-uno")
	short := UsualTime / 5
	f.Buttons, f.Time, f.Budget = []string{"PD2"}, &short, 0
	if got, err := f.Do(context.Background(), Host{}); err != nil || len(got.Document.Outcomes) != 1 {
		t.Errorf("%+v: %v", got, err)
	}
}
