/*
 * zones.c - finding time zones, and those read so far.
 *
 * The list of names is tzdata.zi, which begins lines with "Z name" for a zone and "L zone name"
 * for another name of one.
 */
#include "processor/server/zones.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "processor/base/file.h"

#define ZONE_FOLDER "/usr/share/zoneinfo/"

enum { ZONE_FILE_MOST = 1 << 20, KEPT_MOST = 64 };

struct kept_zones {
	const struct zone *zones[KEPT_MOST];
	size_t n;
};

/* Many names are links to others: unlike the server's own files these may be followed. */
static enum err read_file(const char *name, struct strbuf *out, struct failure *e)
{
	struct strbuf path = STRBUF_INIT;
	enum err rc;
	int fd;

	strbuf_addf(&path, ZONE_FOLDER "%s", name);
	fd = open(path.ptr, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		rc = err_set_errno(e, errno == ENOENT ? ERR_NOT_FOUND : ERR_IO, "%s", path.ptr);
	else
		rc = file_read_fd(fd, ZONE_FILE_MOST, out, e);
	if (fd >= 0)
		close(fd);
	strbuf_release(&path);
	return rc;
}

static const struct zone *find_kept(const struct server *srv, struct span name)
{
	for (size_t i = 0; srv->zones && i < srv->zones->n; i++)
		if (span_eq_str(name, zone_name(srv->zones->zones[i])))
			return srv->zones->zones[i];
	return NULL;
}

const char *zone_human(const struct zone *zone, int64_t t_utc, struct arena *arena)
{
	struct strbuf text = STRBUF_INIT;

	zone_format_human(&text, zone, t_utc);
	return arena_take(arena, &text).ptr;
}

enum err zone_load(struct server *srv, struct span name, const struct zone **out,
                   struct failure *e)
{
	struct strbuf bytes = STRBUF_INIT;
	const char *text;
	enum err rc;

	*out = find_kept(srv, name);
	if (*out)
		return ERR_NONE;
	if (!zone_name_ok(name))
		return err_set(e, ERR_NOT_FOUND, "'%.*s' is no name of a time zone",
		               SPAN_ARGS(name));
	text = arena_cstr(srv->arena, name);
	rc = read_file(text, &bytes, e);
	if (rc == ERR_NONE)
		rc = zone_read(strbuf_span(&bytes), text, srv->arena, out, e);
	if (rc == ERR_NONE) {
		if (!srv->zones)
			srv->zones = arena_calloc(srv->arena, 1, sizeof(*srv->zones));
		if (srv->zones->n < KEPT_MOST)
			srv->zones->zones[srv->zones->n++] = (*out);
	}
	strbuf_release(&bytes);
	return rc;
}

const struct zone *zone_named(struct server *srv, struct span name)
{
	struct failure e = ERR_INIT;
	const struct zone *z = NULL;

	if (name.len == 0)
		name = span_of(srv->cfg.zone);
	if (name.len > 0 && !span_eq_str(name, "UTC") &&
	    zone_load(srv, name, &z, &e) != ERR_NONE)
		log_debug(srv->log, "time zone %.*s: %s", SPAN_ARGS(name), e.text.ptr);
	err_release(&e);
	return z;
}

const struct zone *zone_of_reader(struct server *srv, const struct player *reader)
{
	return zone_named(srv, reader ? reader->zone : SPAN_EMPTY);
}

/* ---- what somebody typed ---- */

static bool same_place(struct span name, struct span typed)
{
	if (name.len != typed.len)
		return false;
	for (size_t i = 0; i < name.len; i++) {
		char a = ascii_lower(name.ptr[i]), b = ascii_lower(typed.ptr[i]);

		if ((a == '_' ? ' ' : a) != (b == '_' ? ' ' : b))
			return false;
	}
	return true;
}

static struct span last_part(struct span name)
{
	size_t at = name.len;

	while (at > 0 && name.ptr[at - 1] != '/')
		at--;
	return span_slice(name, at, name.len);
}

/*
 * The names on lines of one kind: the zone's own, or the second word of a link. True: a whole name, which ends the
 * search, since nothing can be meant more.
 */
static bool match_lines(struct arena *arena, struct span text, char kind, struct span typed,
                        const char **out, size_t *n)
{
	struct span line, word, name;

	while (span_next_line(&text, &line)) {
		if (line.len < 2 || line.ptr[0] != kind || line.ptr[1] != ' ')
			continue;
		(void)span_next_word(&line, "", &word);
		if (!span_next_word(&line, "", &name) ||
		    (kind == 'L' && !span_next_word(&line, "", &name)))
			continue;
		bool whole = same_place(name, typed);
		if (whole)
			*n = 0;
		if (*n < ZONE_MATCHES && (whole || same_place(last_part(name), typed)))
			out[(*n)++] = arena_cstr(arena, name);
		if (whole)
			return true;
	}
	return false;
}

void zones_match(struct server *srv, struct span typed, const char **out, size_t *n)
{
	struct strbuf text = STRBUF_INIT;
	struct failure e = ERR_INIT;

	*n = 0;
	typed = span_trim(typed);
	if (read_file("tzdata.zi", &text, &e) == ERR_NONE) {
		if (!match_lines(srv->arena, strbuf_span(&text), 'Z', typed, out, n) && *n == 0)
			(void)match_lines(srv->arena, strbuf_span(&text), 'L', typed, out, n);
	} else {
		log_warnx(srv->log, "the list of time zones cannot be read: %s", e.text.ptr);
	}
	err_release(&e);
	strbuf_release(&text);
}
