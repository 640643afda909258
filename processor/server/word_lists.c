/*
 * word_lists.c - reading word lists.
 */
#include "processor/server/word_lists.h"

#include <string.h>

#include "processor/base/file.h"

enum { FILE_MAX_BYTES = 16 << 20 };

static void make_tables(struct server *srv)
{
	if (srv->wordlists)
		return;
	srv->wordlists = arena_calloc(srv->arena, srv->cfg.nwordlists, sizeof(*srv->wordlists));
	for (size_t i = 0; i < srv->cfg.nwordlists; i++)
		srv->wordlists[i].name = srv->cfg.wordlists[i].name;
	srv->tables = (struct tables){srv->wordlists, srv->cfg.nwordlists};
}

enum err server_table_read(struct server *srv, size_t i, struct failure *e)
{
	struct span files = span_of(srv->cfg.wordlists[i].files), file;
	struct strbuf text = STRBUF_INIT;
	enum err rc = ERR_NONE;

	make_tables(srv);
	if (srv->wordlists[i].text.len > 0)
		return ERR_NONE;
	while (rc == ERR_NONE && span_next_word(&files, "", &file)) {
		const char *path =
		    config_path(&srv->cfg, arena_cstr(srv->arena, file), srv->arena);
		struct strbuf part = STRBUF_INIT;

		rc = file_read(path, FILE_MAX_BYTES, &part, e);
		if (text.len > 0 && text.ptr[text.len - 1] != '\n')
			strbuf_addc(&text, '\n');
		strbuf_add_span(&text, strbuf_span(&part));
		strbuf_release(&part);
	}
	if (rc == ERR_NONE) {
		srv->wordlists[i].text = arena_dup(srv->arena, strbuf_span(&text));
		srv->wordlists[i].hash = hash_of(strbuf_span(&text));
	}
	strbuf_release(&text);
	return rc;
}

static void read_named(struct server *srv, const char *name)
{
	struct failure e = ERR_INIT;

	for (size_t i = 0; i < srv->tables.count; i++)
		if (strcmp(srv->tables.items[i].name, name) == 0 &&
		    server_table_read(srv, i, &e) != ERR_NONE)
			log_debug(srv->log, "word list %s: %s", name, e.text.ptr);
	err_release(&e);
}

const struct tables *server_tables(struct server *srv, const struct options *o)
{
	static const struct tables none = {NULL, 0};

	if (!rules_use_tables(o->rules))
		return &none;
	make_tables(srv);
	for (size_t i = 0; i < o->rules->noptions; i++)
		if (o->rules->options[i].hash_of)
			read_named(srv, options_word(o, o->rules->options[i].hash_of));
	return &srv->tables;
}

const struct tables *server_all_tables(struct server *srv)
{
	make_tables(srv);
	for (size_t i = 0; i < srv->tables.count; i++)
		read_named(srv, srv->tables.items[i].name);
	return &srv->tables;
}
