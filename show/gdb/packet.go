package gdb

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
)

// maxPacket is the longest packet that a client may send. It is told so.
const maxPacket = 16384

// The two bytes of binary data: an escaped byte has bit 5 inverted.
const (
	escape = '}'
	invert = 0x20
)

// kind is something that a client sends.
type kind uint8

const (
	packet    kind = iota
	damaged        // a packet with a wrong checksum
	tooLong        // a packet longer than maxPacket
	again          // it wants the last packet again
	interrupt      // it wants the network to stop
)

// input is one thing that a client sent.
type input struct {
	kind kind
	data []byte
	seq  uint64 // counts packets
}

// receive reads the next thing. What is not part of any is skipped.
func receive(r *bufio.Reader) (input, error) {
	for {
		c, err := r.ReadByte()
		if err != nil {
			return input{}, err
		}
		switch c {
		case '-':
			return input{kind: again}, nil
		case 0x03:
			return input{kind: interrupt}, nil
		case '$':
			return receivePacket(r)
		}
	}
}

// receivePacket reads a packet behind its '$'. A '$' inside begins another one: the first was cut short.
func receivePacket(r *bufio.Reader) (input, error) {
	var data []byte
	long := false
	for {
		c, err := r.ReadByte()
		switch {
		case err != nil:
			return input{}, err
		case c == '#':
			var sum [2]byte
			if _, err := io.ReadFull(r, sum[:]); err != nil {
				return input{}, err
			}
			if long {
				return input{kind: tooLong}, nil
			}
			if string(sum[:]) != checksum(data) && string(bytes.ToLower(sum[:])) != checksum(data) {
				return input{kind: damaged, data: data}, nil
			}
			return input{kind: packet, data: data}, nil
		case c == '$':
			data, long = data[:0], false
		case len(data) == maxPacket:
			long = true
		default:
			data = append(data, c)
		}
	}
}

// checksum is that of a packet's data, in two hexadecimal digits.
func checksum(data []byte) string {
	var sum uint8
	for _, c := range data {
		sum += c
	}
	return fmt.Sprintf("%02x", sum)
}

// frame makes a packet of data.
func frame(data []byte) []byte {
	p := make([]byte, 0, len(data)+4)
	p = append(p, '$')
	p = append(p, data...)
	p = append(p, '#')
	return append(p, checksum(data)...)
}

// escaped is binary data as it stands in a packet, up to a length; used says how much of the data that is.
func escaped(data []byte, limit int) (out []byte, used int) {
	for _, c := range data {
		if len(out)+2 > limit {
			break
		}
		switch c {
		case '#', '$', escape, '*':
			out = append(out, escape, c^invert)
		default:
			out = append(out, c)
		}
		used++
	}
	return out, used
}
