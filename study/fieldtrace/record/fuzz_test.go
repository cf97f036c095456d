package record_test

import (
	"testing"

	"motehound/study/fieldtrace/record"
)

// No bytes make the reader panic or run away; what it says of a log is in order.
func FuzzRead(f *testing.F) {
	s := newStory(1, 10, 0.5, 0.2)
	for i := range 60 {
		s.task(i)
	}
	flash, _ := host{64, 4}.run(f, s.script.String()+"f 3\nw\ne 1\nf 2\n")
	f.Add(flash, uint8(33), uint8(8))
	f.Add(flash[:264], uint8(33), uint8(8))
	f.Add(make([]byte, 264), uint8(33), uint8(8))
	f.Fuzz(func(t *testing.T, flash []byte, chunk, chunks uint8) {
		log, err := record.Read(record.Layout{Chunk: int(chunk), Chunks: int(chunks)}, flash)
		if err != nil {
			return
		}
		n := 0
		last := -1
		for at, e := range log.Events() {
			if at.Page < last || at.Page >= len(log.Pages) {
				t.Fatalf("page %d after %d", at.Page, last)
			}
			last = at.Page
			if e.Kind <= record.Leave && e.Count != 1 || e.Kind == record.Call || e.Session < 0 || e.Depth < 0 {
				t.Fatalf("%+v", e)
			}
			if n++; n > 100_000 {
				break
			}
		}
	})
}

// FuzzTokens gets past the checksums: it makes pages of its bytes, as a tracer would.
func FuzzTokens(f *testing.F) {
	f.Add([]byte{0x1D, 0x04, 0x1D, 0x0B, 0x03, 0x20, 0x1F, 0x05})
	f.Add([]byte{0x5F, 1, 0, 0x1E, 5, 4, 2, 0x3F, 9, 0x9F, 0xFF, 1, 0xFF})
	f.Fuzz(func(t *testing.T, tokens []byte) {
		log, err := record.Read(record.AT45DB, record.MakePage(record.AT45DB, tokens))
		if err != nil || len(log.Pages) != 1 {
			t.Fatalf("%v, %d pages", err, len(log.Pages))
		}
		n := 0
		for range log.Events() {
			if n++; n > 100_000 {
				break
			}
		}
	})
}
