package job

import (
	"fmt"
	"os"
	"syscall"
	"unsafe"
)

// speeds are those that motes use.
var speeds = map[int]uint32{9600: syscall.B9600, 19200: syscall.B19200, 38400: syscall.B38400, 57600: syscall.B57600, 115200: syscall.B115200}

// openSerial opens a serial port: 8 bits, no parity, bytes as they are.
func openSerial(name string, baud int) (*os.File, error) {
	speed, ok := speeds[baud]
	if !ok {
		return nil, fmt.Errorf("%d baud: give 9600, 19200, 38400, 57600 or 115200", baud)
	}
	file, err := os.OpenFile(name, os.O_RDWR|syscall.O_NOCTTY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	t := syscall.Termios{Cflag: syscall.CS8 | syscall.CREAD | syscall.CLOCAL | speed, Ispeed: speed, Ospeed: speed}
	t.Cc[syscall.VMIN] = 1
	raw, err := file.SyscallConn()
	if err == nil {
		var errno syscall.Errno
		err = raw.Control(func(fd uintptr) {
			_, _, errno = syscall.Syscall(syscall.SYS_IOCTL, fd, syscall.TCSETS, uintptr(unsafe.Pointer(&t)))
		})
		if err == nil && errno != 0 {
			err = fmt.Errorf("not a serial port: %w", errno)
		}
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}
