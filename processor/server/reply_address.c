/*
 * reply_address.c - making and reading reply addresses and Message-IDs.
 */
#include "processor/server/reply_address.h"

#include <ctype.h>

#include "processor/base/num.h"
#include "store/addresses.h"
#include "store/games.h"

struct span address_local(const struct config *cfg)
{
	struct span all = span_of(cfg->address);
	return span_slice(all, 0, span_find_char(all, '@'));
}

struct span address_domain(const struct config *cfg)
{
	struct span all = span_of(cfg->address);
	return span_slice(all, span_find_char(all, '@') + 1, all.len);
}

/*
 * Codes are made with the newest key. Those of an older one are good as long as a game is played that
 * began under it or before.
 */
bool address_check_code(const struct server *srv, const char *purpose, struct span what,
                        struct span code)
{
	unsigned number = keyring_number(srv->keys), oldest;

	if (keyring_check_token(srv->keys, purpose, what, code))
		return true;
	if (number == 1 || game_oldest_key(srv->store, &oldest) != ERR_NONE)
		return false;
	while (--number >= oldest)
		if (keyring_check_token(keyring_numbered(srv->keys, number), purpose, what,
		                        code))
			return true;
	return false;
}

static void token_text(int64_t game, unsigned seat, unsigned generation, struct strbuf *out)
{
	strbuf_addf(out, "seat\n%lld\n%u\n%u\n", (long long)game, seat, generation);
}

void address_add_reply(const struct server *srv, const struct game *game,
                       const struct seat *seat, unsigned serial, struct strbuf *out)
{
	struct strbuf what = STRBUF_INIT;

	token_text(game->id, seat->seat, seat->token_generation, &what);
	strbuf_add_span(out, address_local(&srv->cfg));
	strbuf_addf(out, "+%c%lld-%u.%u.", tolower((unsigned char)game->letter),
	            (long long)game->id, seat->seat, serial);
	keyring_add_token(srv->keys, "token", strbuf_span(&what), out);
	strbuf_addc(out, '@');
	strbuf_add_span(out, address_domain(&srv->cfg));
	strbuf_release(&what);
}

/* "w17-2.4.MAC" */
static bool read_seat(struct span text, struct reply_token *out)
{
	struct span game, seat, serial;
	uint64_t id;

	if (!span_next_field(&text, '-', &game) || !span_next_field(&text, '.', &seat) ||
	    !span_next_field(&text, '.', &serial) || game.len < 2)
		return false;
	if (!num_parse_u64(span_slice(game, 1, game.len), INT64_MAX, &id) ||
	    !num_parse_uint(seat, 1, 64, &out->seat) ||
	    !num_parse_uint(serial, 0, UINT32_MAX, &out->serial))
		return false;
	out->game = (int64_t)id;
	out->mac = text;
	return text.len == TOKEN_MAC_CHARS;
}

/* What stands behind the '+' of an address of this server: *tag borrows. */
static bool read_tag(const struct server *srv, struct span recipient, struct span *tag)
{
	size_t at = span_find_char(recipient, '@');
	struct span local = span_slice(recipient, 0, at);
	size_t plus = span_find_char(local, '+');

	*tag = span_slice(local, plus + 1, local.len);
	return plus < local.len && at < recipient.len &&
	       span_alike(span_slice(recipient, at + 1, recipient.len),
	                  address_domain(&srv->cfg)) &&
	       span_alike(span_slice(local, 0, plus), address_local(&srv->cfg));
}

static void digest_text(int64_t player, unsigned generation, struct strbuf *out)
{
	strbuf_addf(out, "digest\n%lld\n%u\n", (long long)player, generation);
}

void address_add_digest(const struct server *srv, const struct player *p, unsigned number,
                        struct strbuf *out)
{
	struct strbuf what = STRBUF_INIT;

	digest_text(p->id, p->token_generation, &what);
	strbuf_add_span(out, address_local(&srv->cfg));
	strbuf_addf(out, "+d-%lld.%u.", (long long)p->id, number);
	keyring_add_token(srv->keys, "digest", strbuf_span(&what), out);
	strbuf_addc(out, '@');
	strbuf_add_span(out, address_domain(&srv->cfg));
	strbuf_release(&what);
}

/* "d-7.12.MAC" */
static bool read_digest(struct span text, struct digest_token *out)
{
	struct span word, player, number;
	uint64_t id;

	if (!span_next_field(&text, '-', &word) || !span_eq_nocase(word, "d") ||
	    !span_next_field(&text, '.', &player) || !span_next_field(&text, '.', &number) ||
	    !num_parse_u64(player, INT64_MAX, &id) ||
	    !num_parse_uint(number, 0, UINT32_MAX, &out->number))
		return false;
	out->player = (int64_t)id;
	out->mac = text;
	return text.len == TOKEN_MAC_CHARS;
}

bool address_check_digest(const struct server *srv, const struct digest_token *token,
                          const struct player *p)
{
	struct strbuf what = STRBUF_INIT;

	digest_text(p->id, p->token_generation, &what);
	bool ok = address_check_code(srv, "digest", strbuf_span(&what), token->mac);
	strbuf_release(&what);
	return ok;
}

/* How many characters of a code stand at the beginning of `text`. */
static size_t code_run(struct span text)
{
	size_t n = 0;

	while (n < text.len && isalnum((unsigned char)text.ptr[n]))
		n++;
	return n;
}

/* A code that was cut off, or its line, is known by so many of its characters. */
enum { CODE_SHOWS = 8 };

/* What is to be kept of "+w1-2.4.MAC@": up to the code; 0 when there is none. */
static size_t before_code(struct span tag)
{
	for (size_t i = 0; i < tag.len && (isalnum((unsigned char)tag.ptr[i]) ||
	                                   tag.ptr[i] == '.' || tag.ptr[i] == '-');
	     i++)
		if ((tag.ptr[i] == '.' || tag.ptr[i] == '-') &&
		    code_run(span_slice(tag, i + 1, tag.len)) >= CODE_SHOWS)
			return i + 1;
	return 0;
}

/* Whether "moles" stands just before the '+' at `plus`. */
static bool is_after(struct span text, size_t plus, struct span local)
{
	return plus >= local.len && span_alike(span_slice(text, plus - local.len, plus), local);
}

void address_redact(const struct server *srv, struct strbuf *text)
{
	struct strbuf out = STRBUF_INIT;
	struct span all = strbuf_span(text);
	size_t from = 0, at = span_find_char(all, '+');

	for (; at < all.len; at += 1 + span_find_char(span_slice(all, at + 1, all.len), '+')) {
		size_t keep = is_after(all, at, address_local(&srv->cfg))
		                  ? before_code(span_slice(all, at + 1, all.len))
		                  : 0;
		if (keep == 0)
			continue;
		strbuf_add_span(&out, span_slice(all, from, at + 1 + keep));
		strbuf_adds(&out, "...");
		from = at + 1 + keep;
		from += code_run(span_slice(all, from, all.len));
	}
	if (from > 0) {
		strbuf_add_span(&out, span_slice(all, from, all.len));
		strbuf_swap(text, &out);
	}
	strbuf_release(&out);
}

static bool is_code(struct span run)
{
	bool ok = run.len == TOKEN_MAC_CHARS;

	for (size_t i = 0; ok && i < run.len; i++) {
		unsigned char c = (unsigned char)run.ptr[i];

		ok = isalpha(c) || (c >= '2' && c <= '7');
	}
	return ok;
}

void address_redact_codes(struct strbuf *text)
{
	struct strbuf out = STRBUF_INIT;
	struct span rest = strbuf_span(text);

	while (rest.len > 0) {
		size_t n = code_run(rest), all = n > 0 ? n : 1;

		if (is_code(span_slice(rest, 0, n)))
			strbuf_adds(&out, "...");
		else
			strbuf_add_span(&out, span_slice(rest, 0, all));
		rest = span_slice(rest, all, rest.len);
	}
	strbuf_swap(text, &out);
	strbuf_release(&out);
}

bool address_check(const struct server *srv, const struct reply_token *token,
                   const struct seat *seat)
{
	struct strbuf what = STRBUF_INIT;

	token_text(token->game, token->seat, seat->token_generation, &what);
	bool ok = address_check_code(srv, "token", strbuf_span(&what), token->mac);
	strbuf_release(&what);
	return ok;
}

void address_add_message_id(const struct server *srv, const char *what, struct strbuf *out)
{
	strbuf_addc(out, '<');
	keyring_add_token(keyring_first(srv->keys), "message-id", span_of(what), out);
	strbuf_addf(out, ".%s@", srv->cfg.instance);
	strbuf_add_span(out, address_domain(&srv->cfg));
	strbuf_addc(out, '>');
}

/* Both names of the mail: a number alone may be another mail's in a database restored from a copy. */
static void bounce_text(const struct outbox_mail *m, struct strbuf *out)
{
	strbuf_addf(out, "bounce\n%lld\n%.*s\n", (long long)m->id, SPAN_ARGS(m->message_id));
}

void address_add_bounce(const struct server *srv, const struct outbox_mail *m,
                        struct strbuf *out)
{
	struct strbuf what = STRBUF_INIT;

	if (!srv->cfg.plus_address || srv->cfg.fixed_sender) {
		strbuf_adds(out, srv->cfg.address);
		return;
	}
	bounce_text(m, &what);
	strbuf_add_span(out, address_local(&srv->cfg));
	strbuf_addf(out, "+b-%lld-", (long long)m->id);
	keyring_add_token(srv->keys, "bounce", strbuf_span(&what), out);
	strbuf_addc(out, '@');
	strbuf_add_span(out, address_domain(&srv->cfg));
	strbuf_release(&what);
}

bool address_check_bounce(const struct server *srv, const struct bounce_token *token,
                          const struct outbox_mail *m)
{
	struct strbuf what = STRBUF_INIT;

	bounce_text(m, &what);
	bool ok = address_check_code(srv, "bounce", strbuf_span(&what), token->mac);
	strbuf_release(&what);
	return ok;
}

/* ---- reading ---- */

/* "y-7.1.MAC" */
static bool read_confirmation(struct span text, struct confirmation_token *out)
{
	struct span word, player, end;
	unsigned which;
	uint64_t id;

	if (!span_next_field(&text, '-', &word) || !span_eq_nocase(word, "y") ||
	    !span_next_field(&text, '.', &player) || !span_next_field(&text, '.', &end) ||
	    !num_parse_u64(player, INT64_MAX, &id) ||
	    !num_parse_uint(end, CONFIRMATION_TO_PLAYER, CONFIRMATION_TO_ADDRESS, &which))
		return false;
	out->player = (int64_t)id;
	out->end = (enum confirmation_end)which;
	out->mac = text;
	return text.len == TOKEN_MAC_CHARS;
}

/* "b-17-MAC" */
static bool read_bounce(struct span text, struct bounce_token *out)
{
	struct span id;
	uint64_t n;

	if (!span_starts_nocase(text, "b-"))
		return false;
	text = span_slice(text, 2, text.len);
	if (!span_next_field(&text, '-', &id) || text.len != TOKEN_MAC_CHARS ||
	    !num_parse_u64(id, INT64_MAX, &n))
		return false;
	out->outbox = (int64_t)n;
	out->mac = text;
	return true;
}

const struct recipient *address_read_all(const struct server *srv, const struct span_list *to,
                                         struct arena *arena)
{
	struct recipient *all = arena_calloc(arena, to->count + 1, sizeof(*all));

	for (size_t i = 0; i < to->count; i++) {
		struct span tag;

		all[i].kind = RECIPIENT_OTHER;
		if (read_tag(srv, to->items[i], &tag)) {
			if (read_seat(tag, &all[i].seat))
				all[i].kind = RECIPIENT_SEAT;
			else if (read_digest(tag, &all[i].digest))
				all[i].kind = RECIPIENT_DIGEST;
			else if (read_confirmation(tag, &all[i].confirmation))
				all[i].kind = RECIPIENT_CONFIRMATION;
			else if (read_bounce(tag, &all[i].bounce))
				all[i].kind = RECIPIENT_BOUNCE;
		}
	}
	return all;
}

enum err seat_renew_token(struct server *srv, struct seat *seat)
{
	seat->token_generation++;
	return reply_revoke(srv->store, seat->game, seat->seat);
}

const char *seat_reply_address_sentence(const struct server *srv, const char *game,
                                        struct arena *arena)
{
	return arena_printf(
	    arena,
	    srv->cfg.plus_address
		? "From now on your reply address for %s is the one this mail comes with: just "
		  "reply to this mail or any later one. Replies to older mails are no longer "
		  "accepted."
		: "From now on only replies to this mail or to a later one about %s are taken "
		  "as yours. Replies to older mails are no longer accepted.",
	    game);
}
