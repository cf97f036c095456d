package scenario

import "motehound/firmware/image"

func (s *Scenario) Check(firmware func(mote int) *image.Image) error { return s.check(firmware) }
