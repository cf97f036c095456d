package scenario

import (
	"fmt"
	"strconv"
	"strings"

	"go.starlark.net/starlark"
)

// gainFile is a file in TOSSIM's format, read when the motes are known.
type gainFile struct {
	name  string
	data  []byte
	loss  float64
	delay uint64
}

// gains handles gains(file, loss, delay).
func (r *request) gains() (starlark.Value, error) {
	var (
		name  string
		loss  = starlark.Value(starlark.Float(0))
		delay instant
	)
	if err := r.unpack("file", &name, "loss?", &loss, "delay?", &delay); err != nil {
		return nil, err
	}
	lost, err := chance(loss)
	if err != nil {
		return nil, r.errorf("loss %v", err)
	}
	inside, err := r.files.beside(r.pos.File, name, r.name)
	if err != nil {
		return nil, err
	}
	data, err := r.files.read(inside, maxGains)
	if err != nil {
		return nil, err
	}
	f := &gainFile{name: r.files.shown(inside), data: data, loss: lost, delay: delay.ps}
	return &topology{about: "gains of " + name, file: f, pos: r.pos}, charge(r.thread, len(data)/16)
}

// eachNoise reads the lines "noise NODE FLOOR DEVIATION", which TOSSIM's LinkLayerModel writes beside the gains.
func (f *gainFile) eachNoise(set func(id int, n Noise)) error {
	number := 0
	for line := range strings.Lines(string(f.data)) {
		number++
		text, _, _ := strings.Cut(line, "#")
		fields := strings.Fields(text)
		if len(fields) == 0 || fields[0] != "noise" {
			continue
		}
		id, n, err := noiseLine(fields)
		if err != nil {
			return fmt.Errorf("%s:%d: %v: a line is \"noise NODE FLOOR DEVIATION\"", f.name, number, err)
		}
		set(id, n)
	}
	return nil
}

func noiseLine(fields []string) (id int, n Noise, err error) {
	if len(fields) != 4 {
		return 0, n, fmt.Errorf("%d fields", len(fields))
	}
	if id, err = strconv.Atoi(fields[1]); err != nil {
		return 0, n, fmt.Errorf("%q is not a node id", fields[1])
	}
	if n.FloorDBm, err = strconv.ParseFloat(fields[2], 64); err != nil || !(n.FloorDBm >= minNoise && n.FloorDBm <= maxNoise) {
		return 0, n, fmt.Errorf("%q is not a level in dBm", fields[2])
	}
	if n.DevDB, err = strconv.ParseFloat(fields[3], 64); err != nil || !(n.DevDB >= 0 && n.DevDB <= -minNoise) {
		return 0, n, fmt.Errorf("%q is not a deviation in dB", fields[3])
	}
	return id, n, nil
}

// Bounds on noise floors, in dBm.
const (
	defaultNoise = -98
	minNoise     = -200
	maxNoise     = 50
)
