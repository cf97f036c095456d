package findings

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
)

// This file reads bbolt's file format, version 2, with every offset checked. bbolt itself maps the file into memory and follows its pointers, so
// a damaged file could end the process: it only ever gets files that were read here without a fault.

const (
	pageHead    = 16 // id, flags, count, overflow
	elementSize = 16 // of branch and leaf pages alike
	metaSize    = 64
	flagBranch  = 1
	flagLeaf    = 2
	flagBucket  = 1 // of an element: its value is a bucket
	boltMagic   = 0xED0CDAED
	boltVersion = 2
	maxDepth    = 64
)

// pages is a file of bbolt.
type pages struct {
	data    []byte
	size    uint64 // of a page
	beyond  uint64 // number of the first page that is not in use
	visited map[uint64]bool
	records []*record
}

// readPages lists all records of a file, or says what is wrong with it.
func readPages(data []byte) ([]*record, error) {
	root, p, err := openPages(data)
	if err != nil {
		return nil, err
	}
	if err := p.bucketPages(root, "", 0); err != nil {
		return nil, err
	}
	return p.records, nil
}

// openPages reads the two meta pages. The one with the later transaction counts; but if the other one is damaged, then it may have been later.
func openPages(data []byte) (root uint64, p *pages, err error) {
	if len(data) < pageHead+metaSize {
		return 0, nil, errors.New("it is too short")
	}
	size := uint64(binary.LittleEndian.Uint32(data[pageHead+8:]))
	if size < 512 || size > 1<<20 || uint64(len(data)) < 2*size {
		return 0, nil, errors.New("its first page is damaged")
	}
	var latest uint64
	p = &pages{data: data, size: size, visited: map[uint64]bool{}}
	for n := range uint64(2) {
		m := data[n*size+pageHead:][:metaSize]
		sum := fnv.New64a()
		sum.Write(m[:metaSize-8])
		if binary.LittleEndian.Uint32(m) != boltMagic || binary.LittleEndian.Uint32(m[4:]) != boltVersion ||
			binary.LittleEndian.Uint64(m[metaSize-8:]) != sum.Sum64() {
			return 0, nil, fmt.Errorf("meta page %d is damaged", n)
		}
		if tx := binary.LittleEndian.Uint64(m[48:]); n == 0 || tx > latest {
			latest, root, p.beyond = tx, binary.LittleEndian.Uint64(m[16:]), binary.LittleEndian.Uint64(m[40:])
		}
	}
	if p.beyond > uint64(len(data))/size {
		return 0, nil, errors.New("it is cut off")
	}
	return root, p, nil
}

// bucketPages reads the page with a number, and those below it.
func (p *pages) bucketPages(number uint64, bucket string, depth int) error {
	if number < 2 || number >= p.beyond || p.visited[number] || depth > maxDepth {
		return fmt.Errorf("it refers to page %d, which cannot be", number)
	}
	p.visited[number] = true
	at := number * p.size
	if binary.LittleEndian.Uint64(p.data[at:]) != number {
		return fmt.Errorf("page %d is damaged", number)
	}
	overflow := uint64(binary.LittleEndian.Uint32(p.data[at+12:]))
	if number+overflow >= p.beyond {
		return fmt.Errorf("page %d is cut off", number)
	}
	if err := p.page(p.data[at:at+(1+overflow)*p.size], bucket, depth); err != nil {
		return fmt.Errorf("page %d: %w", number, err)
	}
	return nil
}

// page reads the elements of a page.
func (p *pages) page(b []byte, bucket string, depth int) error {
	if len(b) < pageHead {
		return errors.New("too short")
	}
	flags, count := binary.LittleEndian.Uint16(b[8:]), int(binary.LittleEndian.Uint16(b[10:]))
	if len(b) < pageHead+count*elementSize || flags != flagBranch && flags != flagLeaf {
		return errors.New("damaged")
	}
	for i := range count {
		e := b[pageHead+i*elementSize:]
		if flags == flagBranch {
			if err := p.bucketPages(binary.LittleEndian.Uint64(e[8:]), bucket, depth+1); err != nil {
				return err
			}
			continue
		}
		at, keys, values := uint64(binary.LittleEndian.Uint32(e[4:])), uint64(binary.LittleEndian.Uint32(e[8:])), uint64(binary.LittleEndian.Uint32(e[12:]))
		if keys == 0 || at+keys+values > uint64(len(e)) {
			return fmt.Errorf("element %d is damaged", i)
		}
		key, value := string(e[at:at+keys]), e[at+keys:at+keys+values]
		if err := p.element(binary.LittleEndian.Uint32(e), key, value, bucket, depth); err != nil {
			return fmt.Errorf("element %d: %w", i, err)
		}
	}
	return nil
}

// element reads a bucket, or a record that is what its key says.
func (p *pages) element(flags uint32, key string, value []byte, bucket string, depth int) error {
	if flags == flagBucket {
		switch {
		case bucket != "" || len(value) < 16:
			return errors.New("a bucket is damaged")
		case binary.LittleEndian.Uint64(value) == 0: // it is small, and follows at once
			return p.page(value[16:], key, depth+1)
		}
		return p.bucketPages(binary.LittleEndian.Uint64(value), key, depth+1)
	}
	r, n, err := unframe(value)
	switch {
	case err != nil:
		return err
	case n != len(value) || r.Bucket != bucket || r.ID != key:
		return errors.New("a record stands in the wrong place")
	}
	p.records = append(p.records, r)
	return nil
}
