package image

import "errors"

// arithmetic does DWARF's operations 0x19 to 0x2E, except for the jump 0x28, on 32-bit
// values: that is the address size that avr-gcc declares.
func (m *machine) arithmetic(op uint8, c *cursor) error {
	b, err := m.pop()
	if err != nil {
		return err
	}
	if v, ok := unaryOp(op, int32(b), c); ok {
		m.push(uint64(uint32(v)))
		return nil
	}
	a, err := m.pop()
	if err != nil {
		return err
	}
	v, err := binaryOp(op, int32(a), int32(b))
	m.push(uint64(uint32(v)))
	return err
}

func unaryOp(op uint8, b int32, c *cursor) (int32, bool) {
	switch op {
	case 0x19:
		return max(b, -b), true
	case 0x1F:
		return -b, true
	case 0x20:
		return ^b, true
	case 0x23:
		return b + int32(c.uleb()), true
	}
	return 0, false
}

func binaryOp(op uint8, a, b int32) (int32, error) {
	switch op {
	case 0x1A:
		return a & b, nil
	case 0x1B, 0x1D:
		if b == 0 {
			return 0, errors.New("its location expression divides by zero")
		}
		if op == 0x1B {
			return a / b, nil
		}
		return int32(uint32(a) % uint32(b)), nil
	case 0x1C:
		return a - b, nil
	case 0x1E:
		return a * b, nil
	case 0x21:
		return a | b, nil
	case 0x22:
		return a + b, nil
	case 0x24:
		return a << min(uint32(b), 32), nil
	case 0x25:
		return int32(uint32(a) >> min(uint32(b), 32)), nil
	case 0x26:
		return a >> min(uint32(b), 31), nil
	case 0x27:
		return a ^ b, nil
	}
	return truth(op, a, b), nil
}

func truth(op uint8, a, b int32) int32 {
	yes := false
	switch op {
	case 0x29:
		yes = a == b
	case 0x2A:
		yes = a >= b
	case 0x2B:
		yes = a > b
	case 0x2C:
		yes = a <= b
	case 0x2D:
		yes = a < b
	case 0x2E:
		yes = a != b
	}
	if yes {
		return 1
	}
	return 0
}
