package live

import (
	"context"

	"motehound/show/forwarder"
)

// sfPeer is TinyOS's serial forwarder: clients get and send packets, the mote frames.
type sfPeer struct {
	server *forwarder.Server
	now    func() uint64 // virtual time, for the mote's acknowledgements
}

func newSF(addr string, log func(line string)) (*sfPeer, error) {
	s, err := forwarder.Listen(addr, log)
	if err != nil {
		return nil, err
	}
	return &sfPeer{server: s, now: func() uint64 { return 0 }}, nil
}

func (p *sfPeer) where() string { return p.server.Where() }
func (p *sfPeer) live() bool    { return true }
func (p *sfPeer) close() error  { return p.server.Close() }

func (p *sfPeer) receive() []byte { return p.server.Receive(p.now()) }

func (p *sfPeer) send(_ context.Context, b []byte) error {
	p.server.Send(b)
	return nil
}
