package findings

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// stored is the file of a store with some findings and hunts, on many pages.
func stored(t *testing.T, hunts, count int) []byte {
	t.Helper()
	folder := t.TempDir()
	s := create(t, folder)
	for h := range hunts {
		var samples []int
		for n := range count {
			if n%(h+1) == 0 {
				samples = append(samples, n)
			}
		}
		hunt(t, s, string(rune('a'+h)), samples...)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(folder, fileName))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// reopened is what a store with a file's content says.
func reopened(t *testing.T, data []byte) *Store {
	t.Helper()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, fileName), data, 0o644); err != nil {
		t.Fatal(err)
	}
	s, err := Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// Whatever is overwritten: the store opens, it keeps what is whole, names what is not, and keeps the damaged file.
func TestDamaged(t *testing.T) {
	const count = 60
	good := stored(t, 3, count)
	if s := reopened(t, good); s.Salvaged() != nil || len(s.findings) != count {
		t.Fatalf("the undamaged one: %v, %d findings", s.Salvaged(), len(s.findings))
	}
	random := rand.New(rand.NewPCG(3, 4))
	damaged, lost := 0, 0
	for range 40 {
		data := append([]byte{}, good...)
		for range 1 + random.IntN(6) {
			at := random.IntN(len(data))
			for i := range data[at:min(len(data), at+1+random.IntN(16000))] {
				data[at+i] = byte(random.Uint32())
			}
		}
		s := reopened(t, data)
		x := s.Salvaged()
		if x == nil { // only pages that are not in use
			if len(s.findings) != count {
				t.Fatalf("nothing is said of %d findings", count-len(s.findings))
			}
			continue
		}
		damaged++
		lost += judgeSalvage(t, s, data, count)
		if o := hunt(t, s, "z", 1); len(o.Still)+len(o.New)+len(o.CameBack) != 1 {
			t.Errorf("the repaired store does not work: in a hunt that sees one finding, %d are new, %d there still, %d came back", len(o.New), len(o.Still), len(o.CameBack))
		}
	}
	if damaged < 20 || lost < 20 {
		t.Errorf("%d of 40 files were damaged where it matters, and %d findings lost: too few to show anything", damaged, lost)
	}
}

// judgeSalvage compares what is left with what is said to be lost, and counts findings that are gone.
func judgeSalvage(t *testing.T, s *Store, data []byte, count int) (gone int) {
	t.Helper()
	x := s.Salvaged()
	kept, err := os.ReadFile(x.Kept)
	if err != nil || string(kept) != string(data) {
		t.Errorf("the damaged file is not kept as it was: %v", err)
	}
	said, open := 0, false
	for _, l := range x.Lost {
		open = open || strings.Contains(l, "there may have been others")
		if strings.HasPrefix(l, "finding ") {
			said++
		}
	}
	for _, f := range s.findings {
		if f.Key != f.Cause().Key() {
			t.Errorf("a finding is damaged: %+v", f)
		}
	}
	if gone = count - len(s.findings); gone != said && !open || x.Findings != len(s.findings) {
		t.Errorf("%d findings are gone; it says: %v", gone, x)
	}
	again, err := os.ReadFile(s.Path(fileName))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := readPages(again); err != nil {
		t.Errorf("the repaired file is damaged, too: %v", err)
	}
	return gone
}

// A file that was cut off, one that is no store at all, and an empty one.
func TestCut(t *testing.T) {
	good := stored(t, 1, 30)
	for _, length := range []int{0, 1, 100, 4096, 9000, len(good) / 2} {
		s := reopened(t, good[:length])
		if s.Salvaged() == nil {
			t.Errorf("%d bytes are taken for a store", length)
			continue
		}
		judgeSalvage(t, s, good[:length], 30)
	}
	if s := reopened(t, []byte(strings.Repeat("no store\x00", 3000))); s.Salvaged() == nil || len(s.findings) != 0 {
		t.Error("text is taken for a store")
	}
}

// FuzzPages: no file makes the reader fail, and what it takes for whole, bbolt can open.
func FuzzPages(f *testing.F) {
	data, err := os.ReadFile("testdata/version-1.db")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data, 5000, byte(7))
	f.Add(data[:8192], 16, byte(1))
	f.Fuzz(func(t *testing.T, data []byte, at int, to byte) {
		if at >= 0 && at < len(data) {
			data[at] = to
		}
		salvage(data)
		if _, err := readPages(data); err != nil {
			return
		}
		path := filepath.Join(t.TempDir(), fileName)
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		db, err := openBolt(path)
		if err != nil {
			t.Fatalf("read without a fault, and bbolt says %v", err)
		}
		db.Close()
	})
}
