package tracing

import (
	"motehound/firmware/image"
	"motehound/mote"
	"motehound/study/fieldtrace/record"
)

// stored is the log of motes without a flash, whose firmware has testdata/store.c for one: the emulator takes each page where
// the firmware says that it is complete.
type stored struct {
	commit, page, buffer uint32 // addresses; commit is 0 if the firmware has a flash
	pages                []map[int][]byte
}

func newStored(im *image.Image, motes int) *stored {
	s := &stored{pages: make([]map[int][]byte, motes)}
	for name, to := range map[string]*uint32{"test_commit": &s.commit, "test_page": &s.page, "test_buffer": &s.buffer} {
		if symbol, ok := im.Symbol(name); ok {
			*to = symbol.Addr
		}
	}
	s.commit /= 2
	for i := range s.pages {
		s.pages[i] = map[int][]byte{}
	}
	return s
}

func (s *stored) at(pc uint32) bool { return s.commit != 0 && pc == s.commit }

func (s *stored) take(i int, m *mote.Mote) {
	bytes := make([]byte, record.AT45DB.Page())
	for j := range bytes {
		bytes[j] = m.Peek(uint16(s.buffer) + uint16(j))
	}
	s.pages[i][int(m.Peek(uint16(s.page)))] = bytes
}

// flash is a mote's pages as a flash would have them.
func (s *stored) flash(i int) (flash []byte) {
	for page := 0; s.pages[i][page] != nil; page++ {
		flash = append(flash, s.pages[i][page]...)
	}
	return flash
}
