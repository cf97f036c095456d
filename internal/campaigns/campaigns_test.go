//go:build linux

package main

import "testing"

// Whoever is killed, the result is the same. More of both: go run ./internal/campaigns, with -cluster or not.
func TestDisturbed(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds two programs")
	}
	t.Parallel()
	for name, cluster := range map[string]bool{"one server": false, "cluster": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if err := disturb("check", 150, 1, 6, cluster, false); err != nil {
				t.Error(err)
			}
		})
	}
}
