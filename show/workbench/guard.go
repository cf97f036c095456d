package workbench

import (
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// policy is what the page may load: its own files, and nothing else. Nothing is evaluated, and nobody may frame it.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// guard refuses whoever does not know the token, and pages of other sites. A name that somebody else's DNS server has for this machine is refused, too: it
// would make another site look like this one.
func (s *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		switch {
		case !ownHost(r.Host):
			refuse(w, http.StatusMisdirectedRequest, "this server is not called "+quoted(r.Host)+": open the address that motehound serve has printed")
		case !sameOrigin(r):
			refuse(w, http.StatusForbidden, "requests of other sites are refused")
		case s.admits(w, r):
			r.Body = http.MaxBytesReader(w, r.Body, mostUpload)
			next.ServeHTTP(w, r)
		}
	})
}

// ownHost reports whether a request was sent to an address, rather than to a name that anybody can give to it.
func ownHost(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	if name == "localhost" {
		return true
	}
	_, err := netip.ParseAddr(strings.Trim(name, "[]"))
	return err == nil
}

// sameOrigin reports whether a request comes from the server's own page, or from no page at all.
func sameOrigin(r *http.Request) bool {
	if origin := r.Header.Get("Origin"); origin != "" && origin != "http://"+r.Host {
		return false
	}
	site := r.Header.Get("Sec-Fetch-Site")
	if site == "" || site == "same-origin" || site == "none" {
		return true
	}
	// Somebody may have clicked on a link.
	return r.Method == http.MethodGet && r.URL.Path == "/" && r.Header.Get("Sec-Fetch-Mode") == "navigate"
}

// admits reports whether a request knows the token. One that has it in its address gets it as a cookie, and is sent to the address without it.
func (s *Server) admits(w http.ResponseWriter, r *http.Request) bool {
	known := func(token string) bool { return subtle.ConstantTimeCompare([]byte(token), []byte(s.Token)) == 1 }
	if q := r.URL.Query(); q.Has("token") && r.URL.Path == "/" && r.Method == http.MethodGet && known(q.Get("token")) {
		http.SetCookie(w, &http.Cookie{Name: cookie(r), Value: s.Token, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
		q.Del("token")
		to := "/"
		if rest := q.Encode(); rest != "" {
			to += "?" + rest
		}
		http.Redirect(w, r, to, http.StatusSeeOther)
		return false
	}
	if token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok && known(token) {
		return true
	}
	if c, err := r.Cookie(cookie(r)); err == nil && known(c.Value) {
		return true
	}
	refuse(w, http.StatusUnauthorized, "the token is missing or wrong: open the address that motehound serve has printed")
	return false
}

// cookie is its name: browsers do not tell the ports of a machine apart.
func cookie(r *http.Request) string {
	_, port, _ := net.SplitHostPort(r.Host)
	return "motehound-" + port
}
