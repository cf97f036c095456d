package testkit

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// The layout of a traced mote's log on the Mica boards (record.AT45DB), and the size of what begins a page.
const (
	traceChunk  = 33
	traceChunks = 8
	traceSum    = 2
	traceHeader = 10
)

// TracePage is a page of a traced mote's log that begins with some tokens, with the checksums that fit.
func TracePage(number uint16, tokens []byte) []byte {
	payload := bytes.Repeat([]byte{0xFF}, (traceChunk-traceSum)*traceChunks)
	copy(payload, []byte{0x4D, 2 << 4, byte(number), byte(number >> 8), 0, 0, 0, 0, 1, 0})
	copy(payload[traceHeader:], tokens)
	var page []byte
	for part := range slices.Chunk(payload, traceChunk-traceSum) {
		page = append(page, append(bytes.Clone(part), 0, 0)...)
	}
	return TraceSums(page)
}

// EndlessTrace is a log of a few hundred bytes that stands for billions of events.
func EndlessTrace() []byte {
	tokens := []byte{30, 4, 255, 30, 4, 255, 0} // a procedure is entered 255 times, and again; that is known now, and predicted
	for len(tokens) < 200 {
		tokens = append(tokens, 31, 0xFF, 0xFF, 3) // 65,535 times as predicted
	}
	var log []byte
	for n := range uint16(12) {
		log = append(log, TracePage(n, tokens)...)
	}
	return log
}

// TraceSums gives the pages of a log the checksums that fit. What was erased stays so.
func TraceSums(log []byte) []byte {
	const size = traceChunk * traceChunks
	out := bytes.Clone(log)
	for from := 0; from+size <= len(out); from += size {
		page := out[from:][:size]
		if bytes.Count(page, []byte{0xFF}) == size {
			continue
		}
		crc := uint16(0xFFFF)
		for i := range traceChunks {
			chunk := page[i*traceChunk:][:traceChunk]
			for _, b := range chunk[:traceChunk-traceSum] {
				b ^= uint8(crc)
				b ^= b << 4
				crc = (uint16(b)<<8 | crc>>8) ^ uint16(b>>4) ^ uint16(b)<<3
			}
			binary.LittleEndian.PutUint16(chunk[traceChunk-traceSum:], crc)
		}
	}
	return out
}
