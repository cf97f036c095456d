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
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		wrong := strings.Replace(string(text), " = 00", " = 37", 1)
		file = filepath.Join(f.Out, "wrong.json")
		if err := os.WriteFile(file, []byte(wrong), 0o644); err != nil || wrong == string(text) {
			t.Fatalf("%v\n%s", err, text)
		}
		if again, err := (Replay{Recipe: file}).Do(context.Background(), Host{}); err != nil || again.Refused() == nil {
			t.Errorf("%v: another input is not refused", err)
		}
	}
}
