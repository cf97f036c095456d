package mcu

// Compares gives the ADC channel that the analog comparator looks at through the multiplexer, if it does.
func (m *Machine) Compares() (channel uint8, ok bool) { return m.dev().comparator.Borrows() }

// Sensed has the comparator look at its inputs again: a sensor's reading has changed.
func (m *Machine) Sensed() { m.dev().comparator.Sensed(m) }

// Converts gives the channel that the ADC converts, or has converted last; ok says that it is a single one.
func (m *Machine) Converts() (channel uint8, ok bool) { return m.dev().adc.Converts() }

// Resample has that conversion lead to another code.
func (m *Machine) Resample(code uint16) { m.dev().adc.Resample(code) }
