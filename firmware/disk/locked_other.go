//go:build !unix && !windows

package disk

import "os"

// OpenLocked opens a file, for others as well: such systems have no locks that we know of.
func OpenLocked(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
}
