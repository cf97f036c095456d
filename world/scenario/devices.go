package scenario

import (
	"encoding/hex"
	"fmt"

	"go.starlark.net/starlark"

	"motehound/mote/board"
	"motehound/world/recipe"
)

// i2c handles i2c(mote, address, registers).
func (r *request) i2c() (starlark.Value, error) {
	var (
		who            nodeRef
		address, table starlark.Value
	)
	if err := r.unpack("mote", &who, "address", &address, "registers", &table); err != nil {
		return nil, err
	}
	n, err := intIn(address, 0, 127)
	if err != nil {
		return nil, r.errorf("address %v", err)
	}
	return starlark.None, r.device(pad{who: who}, recipe.Device{Address: uint8(n)}, table)
}

// spi handles spi(mote, select, registers).
func (r *request) spi() (starlark.Value, error) {
	var (
		p     pad
		table starlark.Value
	)
	if err := r.unpack("mote", &p.who, "select", &p.name, "registers", &table); err != nil {
		return nil, err
	}
	return starlark.None, r.device(p, recipe.Device{Select: p.name}, table)
}

// device adds a device to a mote.
func (r *request) device(p pad, d recipe.Device, table starlark.Value) error {
	b, err := r.registers(table)
	if err != nil {
		return err
	}
	d.Table = hex.EncodeToString(b)
	r.then(r, func() error {
		i, err := r.resolve(p.who)
		if err == nil && p.name != "" {
			_, _, err = r.find(p)
		}
		if err != nil {
			return err
		}
		m := &r.sc.Motes[i]
		for _, other := range m.Devices {
			if other.Select == d.Select && other.Address == d.Address {
				return fmt.Errorf("mote %d has another device there", m.ID)
			}
		}
		if m.Devices = append(m.Devices, d); len(m.Devices) > board.MaxDevices {
			return fmt.Errorf("mote %d has more than %d devices", m.ID, board.MaxDevices)
		}
		return nil
	})
	return nil
}

// registers reads the table of a device: values from register 0 on; values by register; or a function of the register, which is asked about
// all of them now.
func (r *request) registers(v starlark.Value) ([]byte, error) {
	table := make([]byte, 256)
	put := func(at int, v starlark.Value) error {
		n, err := intIn(v, 0, 255)
		if err != nil {
			return r.errorf("register %d %v", at, err)
		}
		table[at] = byte(n)
		return nil
	}
	switch v := v.(type) {
	case starlark.Callable:
		for at := range table {
			x, err := starlark.Call(r.thread, v, starlark.Tuple{starlark.MakeInt(at)}, nil)
			if err == nil {
				err = put(at, x)
			}
			if err != nil {
				return nil, err
			}
		}
	case *starlark.Dict:
		for _, pair := range v.Items() {
			at, err := intIn(pair[0], 0, 255)
			if err != nil {
				return nil, r.errorf("register %v", err)
			}
			if err := put(int(at), pair[1]); err != nil {
				return nil, err
			}
		}
	case *starlark.List:
		if v.Len() > len(table) {
			return nil, r.errorf("%d registers: at most %d", v.Len(), len(table))
		}
		for at := range v.Len() {
			if err := put(at, v.Index(at)); err != nil {
				return nil, err
			}
		}
	default:
		return nil, r.errorf("registers: got %s, want a list, a dict or a function of the register", shown(v))
	}
	return table, nil
}
