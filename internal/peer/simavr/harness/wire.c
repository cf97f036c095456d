// Framing, growing buffers, and the errors of the protocol.

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness.h"

enum { MAX_FRAME = 1 << 30 };

static int answer_fd = -1;
static uint8_t *in, *out;
static size_t in_cap, out_cap, out_len;
static bool out_failed;

static void die(const char *what)
{
	fprintf(stderr, "simavr harness: %s: %s\n", what, strerror(errno));
	exit(1);
}

static uint8_t *grow(uint8_t *p, size_t *cap, size_t need)
{
	if (need <= *cap)
		return p;
	size_t n = *cap ? *cap : 4096;
	while (n < need)
		n *= 2;
	p = realloc(p, n);
	if (!p)
		die("out of memory");
	*cap = n;
	return p;
}

void wire_init(void)
{
	answer_fd = dup(STDOUT_FILENO);
	int null = open("/dev/null", O_WRONLY);
	if (answer_fd < 0 || null < 0 || dup2(null, STDOUT_FILENO) < 0)
		die("moving standard output away");
	close(null);
}

static bool read_all(uint8_t *p, size_t n)
{
	while (n) {
		ssize_t r = read(STDIN_FILENO, p, n);
		if (r < 0 && errno == EINTR)
			continue;
		if (r <= 0)
			return false;
		p += r;
		n -= r;
	}
	return true;
}

int wire_next(int *op, request *q)
{
	uint32_t n;
	out = grow(out, &out_cap, 5);
	out_len = 5;
	out_failed = false;
	if (!read_all((uint8_t *)&n, 4))
		return 0;
	if (n < 1 || n > MAX_FRAME) {
		fprintf(stderr, "simavr harness: request of %u bytes: not a frame of this protocol\n", n);
		exit(1);
	}
	in = grow(in, &in_cap, n);
	if (!read_all(in, n)) {
		fprintf(stderr, "simavr harness: input ended inside a request\n");
		exit(1);
	}
	*op = in[0];
	*q = (request){ .p = in + 1, .end = in + n };
	return 1;
}

void wire_answer(void)
{
	uint32_t n = out_len - 4;
	memcpy(out, &n, 4);
	out[4] = out_failed;
	for (uint8_t *p = out, *end = out + out_len; p < end;) {
		ssize_t w = write(answer_fd, p, end - p);
		if (w < 0 && errno == EINTR)
			continue;
		if (w < 0)
			die("answering");
		p += w;
	}
}

void fail(const char *format, ...)
{
	char text[512];
	va_list ap;
	if (out_failed)
		return;
	va_start(ap, format);
	vsnprintf(text, sizeof text, format, ap);
	va_end(ap);
	out_len = 5;
	memcpy(put(strlen(text)), text, strlen(text));
	out_failed = true;
}

bool failed(void) { return out_failed; }

uint8_t *put(size_t n)
{
	out = grow(out, &out_cap, out_len + n);
	uint8_t *p = out + out_len;
	out_len += n;
	return p;
}

void put8(uint8_t v) { *put(1) = v; }
void put16(uint16_t v) { memcpy(put(2), &v, 2); }
void put32(uint32_t v) { memcpy(put(4), &v, 4); }
void put64(uint64_t v) { memcpy(put(8), &v, 8); }

const uint8_t *get_bytes(request *q, size_t n)
{
	if ((size_t)(q->end - q->p) < n) {
		q->short_read = true;
		q->p = q->end;
		return NULL;
	}
	const uint8_t *p = q->p;
	q->p += n;
	return p;
}

#define GETTER(name, type)                                   \
	type name(request *q)                                \
	{                                                    \
		type v = 0;                                  \
		const uint8_t *p = get_bytes(q, sizeof v);   \
		if (p)                                       \
			memcpy(&v, p, sizeof v);             \
		return v;                                    \
	}
GETTER(get8, uint8_t)
GETTER(get16, uint16_t)
GETTER(get32, uint32_t)
GETTER(get64, uint64_t)

char *get_string(request *q)
{
	uint16_t n = get16(q);
	const uint8_t *p = get_bytes(q, n);
	return p ? strndup((const char *)p, n) : strdup("");
}
