//go:build !linux

package job

import (
	"errors"
	"os"
)

func openSerial(string, int) (*os.File, error) {
	return nil, errors.New("serial ports can be opened on Linux only: make one a TCP port (with socat, for example) and use --tcp")
}
