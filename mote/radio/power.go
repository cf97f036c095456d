package radio

// Draw is what a radio takes power for.
type Draw struct {
	Mode DrawMode
	DBm  int16 // of Transmits: the power that is sent
}

// DrawMode is a mode of a radio, as datasheets list currents.
type DrawMode uint8

// The modes.
const (
	Off       DrawMode = iota // its voltage regulator is off
	PowerDown                 // nothing runs
	Idles                     // its oscillator runs
	Tunes                     // its synthesizer runs, too
	Receives
	Transmits
	NumDrawModes
)

var drawNames = [NumDrawModes]string{"off", "power-down", "idle", "synthesizer on", "receive", "transmit"}

// String is the mode's name for people.
func (m DrawMode) String() string { return drawNames[m] }

// Draw implements Radio. Calibrating is part of what it is done for.
func (r *cc2420) Draw() Draw {
	switch m := r.S.Mode; {
	case !r.S.VREN && !r.S.Powered:
		return Draw{Mode: Off}
	case m == cc2420PowerDown:
		return Draw{Mode: PowerDown}
	case m == cc2420Idle:
		return Draw{Mode: Idles}
	case m >= cc2420TXCalibrate:
		return Draw{Transmits, r.dBm()}
	}
	return Draw{Mode: Receives}
}

// Draw implements Radio.
func (r *cc1000) Draw() Draw {
	switch main := r.S.Reg[cc1000MAIN]; {
	case main&cc1000COREPD != 0:
		return Draw{Mode: PowerDown}
	case r.S.Mode == cc1000Receive:
		return Draw{Mode: Receives}
	case r.S.Mode == cc1000Transmit:
		return Draw{Transmits, r.carrier().DBm}
	case main&cc1000FSPD == 0 && main&cc1000BIASPD == 0:
		return Draw{Mode: Tunes}
	}
	return Draw{Mode: Idles}
}
