package bus_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"motehound/job/campaign/bus"
)

// team is a server as a team runs its own.
func team(t *testing.T, opt *server.Options) string {
	t.Helper()
	opt.Host, opt.Port, opt.JetStream, opt.StoreDir, opt.NoSigs, opt.NoLog = "127.0.0.1", server.RANDOM_PORT, true, t.TempDir(), true, true
	s, err := server.NewServer(opt)
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() {
		s.Shutdown()
		s.WaitForShutdown()
	})
	if !s.ReadyForConnections(time.Minute) {
		t.Fatal("the server is not ready")
	}
	return s.ClientURL()
}

// works has a small campaign done by somebody with this access.
func works(t *testing.T, a bus.Access) {
	t.Helper()
	a.Wait = wait
	reach := func() *bus.Bus {
		b, err := bus.Connect(t.Context(), a)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(b.Close)
		return b
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	work(t, ctx, reach(), 1)
	coordinate(t, ctx, reach(), many(t, 3))
}

// refused tells whether this access is refused, with the reason.
func refused(t *testing.T, a bus.Access, why string) {
	t.Helper()
	b, err := bus.Connect(t.Context(), a)
	if err == nil {
		b.Close()
		t.Errorf("%+v gets in", a)
	} else if !strings.Contains(err.Error(), why) {
		t.Errorf("the reason is %q, and not that %q", err, why)
	}
}

// authority signs certificates.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	dir  string
}

func newAuthority(t *testing.T) *authority {
	a := &authority{dir: t.TempDir()}
	a.cert, a.key = a.sign(t, "ca", &x509.Certificate{IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign})
	return a
}

func (a *authority) file(name string) string { return filepath.Join(a.dir, name) }

// sign makes a certificate and its key, as files.
func (a *authority) sign(t *testing.T, name string, c *x509.Certificate) (*x509.Certificate, *ecdsa.PrivateKey) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c.SerialNumber, c.Subject, c.NotBefore, c.NotAfter = big.NewInt(1), pkix.Name{CommonName: name}, time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
	parent, by := a.cert, a.key
	if parent == nil {
		parent, by = c, key
	}
	cert, err := x509.CreateCertificate(rand.Reader, c, parent, &key.PublicKey, by)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for file, block := range map[string]*pem.Block{name + ".pem": {Type: "CERTIFICATE", Bytes: cert}, name + ".key": {Type: "EC PRIVATE KEY", Bytes: private}} {
		if err := os.WriteFile(a.file(file), pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := x509.ParseCertificate(cert)
	if err != nil {
		t.Fatal(err)
	}
	return got, key
}

// A server with TLS that wants certificates is reached with one of its authority, and by nobody else.
func TestTLS(t *testing.T) {
	t.Parallel()
	ours, others := newAuthority(t), newAuthority(t)
	both := []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}
	ours.sign(t, "server", &x509.Certificate{ExtKeyUsage: both, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}})
	for _, a := range []*authority{ours, others} {
		a.sign(t, "client", &x509.Certificate{ExtKeyUsage: both})
	}
	cert, err := tls.LoadX509KeyPair(ours.file("server.pem"), ours.file("server.key"))
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(ours.cert)
	url := team(t, &server.Options{TLS: true, TLSVerify: true, TLSConfig: &tls.Config{Certificates: []tls.Certificate{cert}, ClientCAs: pool, ClientAuth: tls.RequireAndVerifyClientCert}})
	works(t, bus.Access{URL: url, CA: ours.file("ca.pem"), Cert: ours.file("client.pem"), Key: ours.file("client.key")})
	refused(t, bus.Access{URL: url, Cert: ours.file("client.pem"), Key: ours.file("client.key")}, "--nats-ca")
	refused(t, bus.Access{URL: url, CA: others.file("ca.pem"), Cert: ours.file("client.pem"), Key: ours.file("client.key")}, "--nats-ca")
	refused(t, bus.Access{URL: url, CA: ours.file("ca.pem")}, "--nats-cert")
	refused(t, bus.Access{URL: url, CA: ours.file("ca.pem"), Cert: others.file("client.pem"), Key: others.file("client.key")}, "--nats-cert")
}

// credentials are those of a user of a new account, as a file.
func credentials(t *testing.T, operator nkeys.KeyPair, accounts *server.MemAccResolver, name string) (file, id string) {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	pair := func(make func() (nkeys.KeyPair, error)) (nkeys.KeyPair, string) {
		k, err := make()
		must(err)
		public, err := k.PublicKey()
		must(err)
		return k, public
	}
	account, id := pair(nkeys.CreateAccount)
	claims := jwt.NewAccountClaims(id)
	claims.Name = name
	if name != "system" {
		claims.Limits.JetStreamLimits = jwt.JetStreamLimits{MemoryStorage: -1, DiskStorage: -1, Streams: -1, Consumer: -1}
	}
	signed, err := claims.Encode(operator)
	must(err)
	must(accounts.Store(id, signed))
	user, public := pair(nkeys.CreateUser)
	token, err := jwt.NewUserClaims(public).Encode(account)
	must(err)
	seed, err := user.Seed()
	must(err)
	data, err := jwt.FormatUserConfig(token, seed)
	must(err)
	file = filepath.Join(t.TempDir(), name+".creds")
	must(os.WriteFile(file, data, 0o600))
	return file, id
}

// A server with accounts is reached with credentials. Campaigns of one account are not seen by another.
func TestAccounts(t *testing.T) {
	t.Parallel()
	operator, err := nkeys.CreateOperator()
	if err != nil {
		t.Fatal(err)
	}
	id, err := operator.PublicKey()
	if err != nil {
		t.Fatal(err)
	}
	accounts := new(server.MemAccResolver)
	_, system := credentials(t, operator, accounts, "system")
	ours, _ := credentials(t, operator, accounts, "ours")
	others, _ := credentials(t, operator, accounts, "others")
	url := team(t, &server.Options{TrustedKeys: []string{id}, AccountResolver: accounts, SystemAccount: system})
	works(t, bus.Access{URL: url, Credentials: ours})
	refused(t, bus.Access{URL: url}, "--nats-creds")
	stranger, err := nkeys.CreateOperator()
	if err != nil {
		t.Fatal(err)
	}
	theirs, _ := credentials(t, stranger, new(server.MemAccResolver), "stranger")
	refused(t, bus.Access{URL: url, Credentials: theirs}, "--nats-creds")
	b, err := bus.Connect(t.Context(), bus.Access{URL: url, Credentials: others, Wait: wait})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if list, err := b.List(t.Context()); err != nil || len(list) > 0 {
		t.Errorf("another account sees %v (%v)", list, err)
	}
}

// Who looks on is told that the server has died, and does not wait until it comes back.
func TestOnce(t *testing.T) {
	s, err := bus.Serve(bus.ServerOptions{Dir: t.TempDir(), Token: "secret"})
	if err != nil {
		t.Fatal(err)
	}
	b, err := bus.Connect(t.Context(), bus.Access{URL: s.URL(), Token: "secret", Name: "test", Wait: wait, Once: true})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	s.Close()
	for n := 0; n < 10 && !errors.Is(err, nats.ErrConnectionClosed); n++ { // the first may be on its way while the server ends
		_, err = b.Blob(t.Context(), "something")
	}
	if !errors.Is(err, nats.ErrConnectionClosed) {
		t.Errorf("%v", err)
	}
}
