package findings

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
)

// record is one value of the store's file. It says itself what it is and which change wrote it, and has a checksum, so that it can be found
// again in a file of which the rest is damaged.
type record struct {
	Bucket   string          `json:"bucket"`
	ID       string          `json:"id"`
	Revision uint64          `json:"revision"` // of the store, when it was written
	Data     json.RawMessage `json:"data"`
}

// The buckets of the store's file.
const (
	bucketFindings = "findings"
	bucketHunts    = "hunts"
	bucketStore    = "store" // with the records version and catalogue
)

var buckets = []string{bucketFindings, bucketHunts, bucketStore}

const (
	idVersion   = "version"
	idCatalogue = "catalogue"
)

// A frame is the magic, the length of the record's JSON, the first eight bytes of its SHA-256, and that JSON, in which no byte is 0: the magic
// is nowhere else.
var magic = []byte{0, 'm', 'h', 1}

const frameHead = 4 + 4 + 8

// frame is a record as bytes.
func (r *record) frame() ([]byte, error) {
	text, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(text)
	b := binary.LittleEndian.AppendUint32(bytes.Clone(magic), uint32(len(text)))
	return append(append(b, sum[:8]...), text...), nil
}

// unframe reads the record at the beginning of the bytes, and how long its frame is.
func unframe(b []byte) (*record, int, error) {
	if len(b) < frameHead || !bytes.Equal(b[:4], magic) {
		return nil, 0, errors.New("no record begins there")
	}
	n := binary.LittleEndian.Uint32(b[4:])
	if uint64(n) > uint64(len(b)-frameHead) {
		return nil, 0, errors.New("a record is cut off")
	}
	text := b[frameHead : frameHead+int(n)]
	if sum := sha256.Sum256(text); !bytes.Equal(sum[:8], b[8:frameHead]) {
		return nil, 0, errors.New("a record's checksum is wrong")
	}
	r := new(record)
	if err := json.Unmarshal(text, r); err != nil {
		return nil, 0, fmt.Errorf("a record is not JSON: %w", err)
	}
	return r, frameHead + int(n), nil
}

// catalogue lists what the store holds, so that a damaged file can say what it has lost.
type catalogue struct {
	Revision uint64  `json:"revision"` // of the latest change
	Hunts    int     `json:"hunts"`    // that began
	Findings []entry `json:"findings"` // by id
}

// entry is a finding in the catalogue.
type entry struct {
	ID       string `json:"id"`
	Revision uint64 `json:"revision"`
	Title    string `json:"title"`
}
