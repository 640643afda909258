/*
 * reader.c - the reading half of intake, with one position in place of a store.
 */
#include "tests/support/reader.h"

#include "processor/intake/choose_text.h"

static bool read_item(const struct reader_seat *at, struct span lines, struct strbuf *canonical,
                      struct diags *diags)
{
	return at->rules->read_orders(at->state, at->seat, SPAN_EMPTY, &at->tables, lines,
	                              canonical, diags);
}

static enum err judge(void *ctx, struct span lines, enum speech *out)
{
	const struct reader_seat *at = ctx;
	struct strbuf canonical = STRBUF_INIT;
	struct diags diags = DIAGS_INIT;
	bool good = read_item(at, lines, &canonical, &diags);
	bool wrong = diags_has_errors(&diags);

	*out = good    ? (wrong ? SPEECH_FLAWED : SPEECH_CLEAR)
	       : wrong ? SPEECH_WRONG
	               : SPEECH_NONE;
	strbuf_release(&canonical);
	diags_release(&diags);
	return ERR_NONE;
}

/* The whole line as it was written, for a piece of it. */
static struct span line_of(const struct command_text *l, const struct diag *d)
{
	for (size_t i = 0; d->line != 0 && i < l->nlines; i++)
		if (l->lines[i].line == d->line)
			return l->lines[i].text;
	return span_of(d->quoted);
}

static void add_remarks(const struct command_text *l, struct span orders,
                        const struct diags *game, struct reader_result *out)
{
	struct diags merged = DIAGS_INIT;

	merge_diags(l, orders, game, &merged);
	for (size_t i = 0; i < merged.count; i++) {
		const struct diag *d = &merged.items[i];

		diags_add(&out->remarks, d->level, d->line, d->column, line_of(l, d),
		          d->example, "%s", d->message);
	}
	diags_release(&merged);
}

/* A game that saw prose only keeps silent: the guide speaks then. */
static void take_orders(const struct reader_seat *at, const struct command_text *l,
                        const struct command *item, struct reader_result *out)
{
	struct strbuf canonical = STRBUF_INIT;
	struct diags diags = DIAGS_INIT;
	bool ok = read_item(at, item->orders, &canonical, &diags);

	add_remarks(l, item->orders, &diags, out);
	if (ok && out->orders.len > 0)
		strbuf_addc(&out->orders, '\n');
	if (ok)
		strbuf_add_span(&out->orders, strbuf_span(&canonical));
	strbuf_release(&canonical);
	diags_release(&diags);
}

void reader_read(const struct reader_seat *at, const struct mail_in *mail, struct arena *arena,
                 struct reader_result *out)
{
	struct reader_seat seat = *at;
	unsigned tried = 0;
	struct command_text l;

	*out = (struct reader_result){
	    .orders = STRBUF_INIT, .commands = STRBUF_INIT, .remarks = DIAGS_INIT};
	ENSURE(choose_text(mail, USUAL_COMMANDS, arena, judge, &seat, &l, &out->text) ==
	       ERR_NONE);
	for (size_t i = 0; i < l.nitems; i++) {
		if (l.items[i].verb == CMD_ORDERS) {
			take_orders(at, &l, &l.items[i], out);
			tried++;
		} else {
			strbuf_addf(&out->commands, "%.*s\n", SPAN_ARGS(l.items[i].text));
		}
	}
	if (tried == 0)
		add_remarks(&l, SPAN_EMPTY, NULL, out);
	out->stopped_at_signature = l.stopped_at_signature;
	out->stopped_at_marker = l.stopped_at_marker;
	command_text_release(&l);
}

void reader_release(struct reader_result *r)
{
	strbuf_release(&r->orders);
	strbuf_release(&r->commands);
	diags_release(&r->remarks);
}

static void add_lines(struct strbuf *out, const char *what, struct span lines)
{
	struct span line;

	while (span_next_line(&lines, &line))
		strbuf_addf(out, "%s: %.*s\n", what, SPAN_ARGS(line));
}

static void add_remark(struct strbuf *out, const struct diag *d)
{
	if (d->level == DIAG_IGNORED)
		strbuf_addf(out, "ignored: %s\n", d->quoted);
	else
		strbuf_addf(out, "%s: %s | %s\n", diag_level_name(d->level), d->quoted,
		            d->message);
}

void reader_describe(const struct reader_result *r, const struct mail_in *mail,
                     struct strbuf *out)
{
	strbuf_addf(out, "read: %s", mail->texts[r->text].is_html ? "html" : "plain");
	if (mail->ntexts > 1)
		strbuf_addf(out, ", text %zu of %zu", r->text + 1, mail->ntexts);
	if (r->stopped_at_marker)
		strbuf_adds(out, ", down to our marker");
	if (r->stopped_at_signature)
		strbuf_adds(out, ", down to the signature");
	strbuf_addc(out, '\n');
	add_lines(out, "command", strbuf_span(&r->commands));
	if (r->orders.len == 0)
		strbuf_adds(out, "orders: (none)\n");
	add_lines(out, "orders", strbuf_span(&r->orders));
	for (size_t i = 0; i < r->remarks.count; i++)
		add_remark(out, &r->remarks.items[i]);
}
