//go:build !linux

package live

import "errors"

func newPTY(string) (peer, error) {
	return nil, errors.New("pseudo terminals work on Linux only: use tcp instead")
}
