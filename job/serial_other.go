//go:build !linux

package job

import (
	"errors"
	"os"
)

func openSerial(string, int) (*os.File, error) {
	return nil, errors.New("serial ports work on Linux only: forward the port to TCP (for example with socat) and use --tcp")
}
