package avr

// maxWords is the number of records in a Program: the largest flash (256 KiB), so that a masked program counter
// needs no bounds check in the execution loop, and a core with all of it wraps by the mask alone.
const maxWords = 1 << 17

// Program is flash, decoded. It is immutable once built and shared by all motes that run it; a mote that programs
// itself goes on with a copy of its own.
type Program struct {
	code  [maxWords]Inst
	words uint32
	has   Need
}

// Compile decodes flash for a core with the given features and flash size in words. Bytes beyond the slice are
// erased.
func Compile(flash []byte, words uint32, has Need) *Program {
	if words == 0 || words > maxWords {
		panic("BUG: flash size out of range")
	}
	p := &Program{words: words, has: has}
	for pc := range words {
		p.code[pc] = Decode(wordAt(flash, pc), wordAt(flash, wrap(pc+1, words)), pc, has, words)
	}
	for pc := words; pc < maxWords; pc++ {
		p.code[pc] = Inst{Op: opWrap}
	}
	p.fuse()
	return p
}

func wordAt(flash []byte, pc uint32) uint16 {
	lo, hi := byte(0xFF), byte(0xFF)
	if i := int(pc) * 2; i+1 < len(flash) {
		lo, hi = flash[i], flash[i+1]
	} else if i < len(flash) {
		lo = flash[i]
	}
	return uint16(lo) | uint16(hi)<<8
}

// Words is the size of flash in words.
func (p *Program) Words() uint32 { return p.words }

// Has is the features of the core that it is for.
func (p *Program) Has() Need { return p.has }

// At is the decoded instruction at a word address.
func (p *Program) At(pc uint32) Inst { return p.code[wrap(pc, p.words)].alone() }

// Copy makes a program that its owner may Patch.
func (p *Program) Copy() *Program {
	q := *p
	return &q
}

// Patch decodes again what the n words from word address pc on, now read through word, mean. Only the owner of a Copy
// may call it, before anybody else sees the program or while nobody else does.
func (p *Program) Patch(pc, n uint32, word func(pc uint32) uint16) {
	p.each(pc, n, func(i uint32) {
		p.code[i] = Decode(word(i), word(wrap(i+1, p.words)), i, p.has, p.words)
	})
}

// Dynamic marks words whose flash contents differ between motes that share this program (a patched node id): they are
// decoded when executed, from the mote's own flash.
func (p *Program) Dynamic(pc, n uint32) {
	p.each(pc, n, func(i uint32) { p.code[i] = Inst{Op: opDynamic} })
}

// each visits the records that n words of flash from pc on can be part of: theirs, and the one before, where a two-word
// instruction may begin (the last word of flash comes before the first).
func (p *Program) each(pc, n uint32, visit func(i uint32)) {
	for i := range n + 1 {
		at := wrap(pc+p.words-1+i, p.words)
		p.part(at)
		visit(at)
	}
}
