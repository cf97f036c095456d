package image

import "testing"

func TestShortPath(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{
		"":                     "",
		"examples/drop/drop.c": "examples/drop/drop.c",
		"/opt/tinyos/tos/chips/cc1000/CC1000CsmaP.nc": "tos/chips/cc1000/CC1000CsmaP.nc",
		"/home/me/apps/Relay/RelayC.nc":               "Relay/RelayC.nc",
		`C:\contiki\core\net\rime.c`:                  "core/net/rime.c",
		"/main.c":                                     "/main.c",
	} {
		if got := ShortPath(file); got != want {
			t.Errorf("%s: %q, want %q", file, got, want)
		}
	}
}
