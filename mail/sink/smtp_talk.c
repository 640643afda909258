/*
 * smtp_talk.c - commands, answers and the time they may take.
 *
 * Nothing the server says is trusted: an answer is read up to a bound, kept to one bounded and
 * printable line, and counts only for the command it was the next answer to.
 */
#include "mail/sink/smtp_talk.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

#include "mail/sink/private.h"
#include "mail/sink/sender.h"
#include "processor/base/clock.h"
#include "processor/base/num.h"
#include "processor/base/step.h"

enum { QUIT_MS = 2000, SAID_MAX = 500, ANSWER_LINES_MAX = 100 };

void smtp_talk_init(struct smtp_talk *t, const struct libcurl *lib)
{
	*t = (struct smtp_talk){.lib = lib};
	strbuf_init(&t->out);
	strbuf_init(&t->said);
}

void smtp_talk_release(struct smtp_talk *t)
{
	strbuf_release(&t->out);
	strbuf_release(&t->said);
}

void smtp_talk_forget(struct smtp_talk *t)
{
	t->easy = NULL;
	t->pipelining = t->takes_size = false;
	t->owed = 0;
	t->takes_text = t->lost = false;
	t->looked = t->held = 0;
	strbuf_clear(&t->said);
	t->said_all = false;
}

bool smtp_talk_begin(struct smtp_talk *t, CURL *easy, bool is_tls, long timeout_s)
{
	t->is_tls = is_tls;
	t->timeout_s = timeout_s;
	if (t->lib->curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, &t->socket) != CURLE_OK ||
	    t->socket == CURL_SOCKET_BAD)
		return false;
	t->easy = easy;
	return true;
}

/* ------------------------------------------------------------------ what is heard */

/* The last line of an answer has no "-" behind its code. */
static bool is_last(struct span line)
{
	return line.len < 4 || line.ptr[3] != '-';
}

static void add_said(struct smtp_talk *t, struct span line)
{
	if (t->said_all)
		strbuf_clear(&t->said);
	if (t->said.len > 0 && t->said.len < SAID_MAX)
		strbuf_addc(&t->said, ' ');
	if (t->said.len < SAID_MAX)
		sink_add_words(&t->said, span_slice(line, 0, SAID_MAX - t->said.len));
	t->said_all = is_last(line);
}

/* "250-SIZE 1000" announces SIZE. */
static bool announces(struct span line, const char *what)
{
	struct span word = span_slice(line, 4, line.len);
	size_t n = 0;

	while (n < word.len && (unsigned char)word.ptr[n] > ' ')
		n++;
	return span_starts(line, "250") && span_eq_nocase(span_slice(word, 0, n), what);
}

/* What was announced before STARTTLS was answered, with 220 like the greeting, counts no more. */
void smtp_talk_hear(struct smtp_talk *t, struct span line)
{
	if (span_starts(line, "220"))
		t->pipelining = t->takes_size = false;
	t->pipelining = t->pipelining || announces(line, "PIPELINING");
	t->takes_size = t->takes_size || announces(line, "SIZE");
	add_said(t, line);
}

/* 100 to 999; 0 = there is none. */
static unsigned code_of(struct span line)
{
	unsigned code = 0;

	if (line.len <= 3 || strchr(" -\r", line.ptr[3]) != NULL)
		(void)num_parse_uint(span_slice(line, 0, 3), 100, 999, &code);
	return code;
}

unsigned smtp_talk_code(const struct smtp_talk *t)
{
	return code_of(strbuf_span(&t->said));
}

/* ------------------------------------------------------------------ the line */

static int64_t sooner(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t patience_ms(const struct smtp_talk *t)
{
	return sooner(t->over_ms, clock_monotonic_ms() + t->timeout_s * 1000);
}

static CURLcode wait_for(const struct smtp_talk *t, short events, int64_t until_ms)
{
	struct pollfd fd = {.fd = t->socket, .events = events};
	int64_t left;
	int n;

	do {
		left = until_ms - clock_monotonic_ms();
		n = poll(&fd, 1, left > 0 ? (int)left : 0);
	} while (n < 0 && errno == EINTR);
	if (n > 0)
		return CURLE_OK;
	return n == 0 ? CURLE_OPERATION_TIMEDOUT : CURLE_RECV_ERROR;
}

static CURLcode say(struct smtp_talk *t, struct span words, int64_t until_ms)
{
	while (words.len > 0) {
		size_t n = 0;
		CURLcode r = t->lib->curl_easy_send(t->easy, words.ptr, words.len, &n);

		if (r == CURLE_AGAIN)
			r = wait_for(t, POLLOUT, until_ms);
		if (r != CURLE_OK)
			return r;
		words = span_slice(words, n, words.len);
	}
	return CURLE_OK;
}

/* Adds to t->in. TLS may have bytes in hand of which the socket says nothing. */
static CURLcode read_more(struct smtp_talk *t, int64_t until_ms)
{
	CURLcode r = t->is_tls ? CURLE_OK : wait_for(t, POLLIN, until_ms);
	size_t n = 0;

	memmove(t->in, t->in + t->looked, t->held - t->looked);
	t->held -= t->looked;
	t->looked = 0;
	if (t->held == sizeof(t->in))
		return CURLE_WEIRD_SERVER_REPLY;
	while (r == CURLE_OK) {
		r = t->lib->curl_easy_recv(t->easy, t->in + t->held, sizeof(t->in) - t->held,
		                           &n);
		if (r != CURLE_AGAIN)
			break;
		r = wait_for(t, POLLIN, until_ms);
	}
	t->held += n;
	return r == CURLE_OK && n == 0 ? CURLE_GOT_NOTHING : r;
}

/* The span is good until the next one is read. */
static CURLcode next_line(struct smtp_talk *t, int64_t until_ms, struct span *line)
{
	struct span rest = {t->in + t->looked, t->held - t->looked};
	CURLcode r = CURLE_OK;
	size_t n;

	while ((n = span_find_char(rest, '\n')) == rest.len && r == CURLE_OK) {
		r = read_more(t, until_ms);
		rest = (struct span){t->in + t->looked, t->held - t->looked};
	}
	if (r != CURLE_OK)
		return r;
	*line = span_slice(rest, 0, n);
	t->looked += n + 1;
	return CURLE_OK;
}

/* The next answer, kept in `said`. */
static CURLcode hear_answer(struct smtp_talk *t, int64_t until_ms, unsigned *code)
{
	struct span line = SPAN_EMPTY;
	unsigned lines = 0;

	*code = 0;
	do {
		CURLcode r = lines++ < ANSWER_LINES_MAX ? next_line(t, until_ms, &line)
		                                        : CURLE_WEIRD_SERVER_REPLY;

		if (r != CURLE_OK)
			return r;
		add_said(t, line);
	} while (!is_last(line));
	t->owed--;
	*code = code_of(line);
	return *code != 0 ? CURLE_OK : CURLE_WEIRD_SERVER_REPLY;
}

/* ------------------------------------------------------------------ a mail */

/* Says the next command, or all that are left. */
static CURLcode say_commands(struct smtp_talk *t, struct span *left)
{
	size_t n = t->pipelining ? left->len : span_find_char(*left, '\n') + 1;
	CURLcode r = CURLE_OK;

	if (left->len > 0) {
		t->owed += t->pipelining ? 3 : 1;
		r = say(t, span_slice(*left, 0, n), patience_ms(t));
		*left = span_slice(*left, n, left->len);
	}
	return r;
}

/* The answer at this stage. False: it was refused, or the line is lost. */
static bool hear_end(struct smtp_talk *t, struct smtp_end *end)
{
	end->result = hear_answer(t, patience_ms(t), &end->code);
	if (end->result != CURLE_OK)
		return false;
	if (end->stage == SMTP_AT_DATA ? end->code == 354 : end->code >= 200 && end->code < 300)
		return true;
	if (end->code < 400)
		end->result = CURLE_WEIRD_SERVER_REPLY;
	return false;
}

/* MAIL, RCPT and DATA. At SMTP_AT_TEXT afterwards, unless one was refused or the line is lost. */
static struct smtp_end open_mail(struct smtp_talk *t)
{
	struct span left = strbuf_span(&t->out);
	struct smtp_end end = {.stage = SMTP_AT_MAIL};

	while (end.stage < SMTP_AT_TEXT) {
		end.result = say_commands(t, &left);
		if (end.result != CURLE_OK || !hear_end(t, &end))
			return end;
		end.stage++;
		end.code = 0;
	}
	t->takes_text = true;
	return end;
}

/* A word too many from the server, and what it said before would be taken for later answers. */
static bool is_in_step(const struct smtp_talk *t)
{
	return t->looked == t->held;
}

static void give_text(struct smtp_talk *t, struct span wire, struct smtp_end *end)
{
	step("smtp: the text is waited for");
	if (!is_in_step(t)) {
		end->result = CURLE_WEIRD_SERVER_REPLY;
		return;
	}
	if (t->text_begins)
		t->text_begins(t->ctx);
	t->owed++;
	end->result = say(t, wire, t->over_ms);
	if (end->result != CURLE_OK)
		return;
	end->stage = SMTP_AT_DOT;
	t->takes_text = false;
	(void)hear_end(t, end);
}

struct smtp_end smtp_talk_mail(struct smtp_talk *t, struct span from, struct span rcpt,
                               struct span wire)
{
	struct smtp_end end;

	t->over_ms = clock_monotonic_ms() + (t->timeout_s + SEND_MAIL_S) * 1000;
	strbuf_clear(&t->said);
	strbuf_clear(&t->out);
	strbuf_addf(&t->out, "MAIL FROM:<%.*s>", SPAN_ARGS(from));
	if (t->takes_size)
		strbuf_addf(&t->out, " SIZE=%zu", wire.len - strlen(SMTP_DOT));
	strbuf_addf(&t->out, "\r\nRCPT TO:<%.*s>\r\nDATA\r\n", SPAN_ARGS(rcpt));
	if (is_in_step(t))
		end = open_mail(t);
	else
		end = (struct smtp_end){.result = CURLE_WEIRD_SERVER_REPLY};
	if (end.stage == SMTP_AT_TEXT)
		give_text(t, wire, &end);
	t->lost = end.result != CURLE_OK;
	return end;
}

/* ------------------------------------------------------------------ the end */

/*
 * After a refusal the server has still to answer what was said together with the command it
 * refused. If it asks for the text all the same, any word would be taken for that.
 */
static void hear_the_rest(struct smtp_talk *t, int64_t until_ms)
{
	unsigned code = 0;

	while (t->owed > 0 && !t->lost) {
		t->lost = hear_answer(t, until_ms, &code) != CURLE_OK;
		t->takes_text = t->takes_text || code == 354;
	}
}

void smtp_talk_quit(struct smtp_talk *t)
{
	int64_t until_ms = clock_monotonic_ms() + QUIT_MS;
	unsigned code;

	if (!t->easy)
		return;
	hear_the_rest(t, until_ms);
	if (t->lost || t->takes_text)
		return;
	t->owed++;
	t->lost = say(t, SPAN_LIT("QUIT\r\n"), until_ms) != CURLE_OK ||
	          hear_answer(t, until_ms, &code) != CURLE_OK;
}

/* ------------------------------------------------------------------ what became of a mail */

/*
 * 552 to RCPT means "too many recipients" to old servers and is no verdict, RFC 5321
 * 4.5.3.1.10; to MAIL it means "too large". Any other refusal of the sender is not the fault
 * of the mail: there is time to mend the configuration before it is given up. 503 is a server
 * out of step.
 */
static enum smtp_verdict judge_refusal(const struct smtp_end *end)
{
	if (end->code == 421 || end->code == 503)
		return SMTP_AGAIN;
	/* "Log in first", to whatever command: RFC 4954 and RFC 3207. */
	if (end->code == 530 || end->code == 534 || end->code == 535 || end->code == 538)
		return SMTP_UNUSABLE;
	if (end->code < 500)
		return SMTP_RETRY;
	if (end->stage == SMTP_AT_MAIL)
		return end->code == 552 ? SMTP_DEAD : SMTP_RETRY;
	return end->code == 552 ? SMTP_RETRY : SMTP_DEAD;
}

enum smtp_verdict smtp_end_judge(const struct smtp_end *end)
{
	if (end->stage != SMTP_AT_DOT)
		return end->code >= 400 ? judge_refusal(end) : SMTP_AGAIN;
	/* All was handed over: only a refusal that was read says that it was not taken. */
	return end->code >= 500                      ? SMTP_DEAD
	       : end->code >= 400                    ? SMTP_RETRY
	       : end->code >= 200 && end->code < 300 ? SMTP_SENT
	                                             : SMTP_MAYBE;
}

/* ------------------------------------------------------------------ a message as it goes over the line */

static void add_without_cr(struct strbuf *out, struct span line)
{
	while (line.len > 0) {
		size_t n = span_find_char(line, '\r');

		strbuf_add(out, line.ptr, n);
		line = span_slice(line, n + 1, line.len);
	}
}

/*
 * A dot that begins a line is doubled, RFC 5321 4.5.2, and no line ends but by CRLF: behind a bare LF or CR a lenient
 * server might take a dot for the end of the mail, and the rest for commands.
 */
void smtp_wire(struct strbuf *out, struct span message)
{
	strbuf_clear(out);
	strbuf_grow(out, message.len + message.len / 32 + 2);
	while (message.len > 0) {
		size_t n = span_find_char(message, '\n');
		struct span line = span_slice(message, 0, n);
		size_t begin = out->len;

		if (memchr(line.ptr, '\r', line.len) != NULL)
			add_without_cr(out, line);
		else
			strbuf_add(out, line.ptr, line.len);
		/* Now that its CRs are gone: one before the dot would have hidden it. */
		if (out->len > begin && out->ptr[begin] == '.') {
			strbuf_addc(out, '.');
			memmove(out->ptr + begin + 1, out->ptr + begin, out->len - 1 - begin);
		}
		strbuf_add(out, "\r\n", 2);
		message = span_slice(message, n + 1, message.len);
	}
	strbuf_adds(out, SMTP_DOT);
}
