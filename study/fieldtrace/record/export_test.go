package record

import "encoding/binary"

// MakePage is a page with the first of the given bytes as its tokens.
func MakePage(l Layout, tokens []byte) []byte {
	payload := make([]byte, (l.Chunk-checksumSize)*l.Chunks)
	for i := range payload {
		payload[i] = 0xFF
	}
	copy(payload, []byte{magic, version << 4, 0, 0, 0, 0, 0, 0, 0, 0})
	copy(payload[headerSize:], tokens)
	var page []byte
	crc := uint16(0xFFFF)
	for i := range l.Chunks {
		chunk := payload[i*(l.Chunk-checksumSize):][:l.Chunk-checksumSize]
		crc = checksum(crc, chunk)
		page = binary.LittleEndian.AppendUint16(append(page, chunk...), crc)
	}
	return page
}
