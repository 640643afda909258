/*
 * mail_history.c - the story of one mail on its way out.
 */
#include "processor/outgoing/mail_history.h"

#include "processor/server/zones.h"
#include "store/bounces.h"

static const char *when(struct server *srv, int64_t t_utc)
{
	return zone_human(NULL, t_utc, srv->arena);
}

static bool is_waiting(const struct outbox_mail *m)
{
	return m->state != OUTBOX_SENT && m->state != OUTBOX_DEAD &&
	       m->state != OUTBOX_ENCLOSED;
}

enum err mail_history_print(FILE *out, struct server *srv, const struct outbox_mail *m)
{
	struct outbox_failure *all;
	struct bounced_address b;
	unsigned points = 0;
	int64_t report = 0;
	size_t n;

	fprintf(out,
	        m->attempts == 1
	            ? "    -> mail %lld, %.*s to %.*s, %s after %u attempt, created %s\n"
	              "       %.*s\n"
	            : "    -> mail %lld, %.*s to %.*s, %s after %u attempts, created %s\n"
	              "       %.*s\n",
	        (long long)m->id, SPAN_ARGS(m->kind), SPAN_ARGS(m->rcpt),
	        outbox_state_name(m->state), m->attempts, when(srv, m->created_utc),
	        SPAN_ARGS(m->message_id));
	TRY(outbox_failures(srv->store, m->id, srv->arena, &all, &n));
	for (size_t i = 0; i < n; i++)
		fprintf(out, "       tried %s: %.*s\n", when(srv, all[i].at_utc),
		        SPAN_ARGS(all[i].answer));
	/* Why it waits or was given up, when that was no attempt. */
	if (m->answer.len > 0 && (n == 0 || !span_eq(m->answer, all[n - 1].answer)))
		fprintf(out, "       %.*s\n", SPAN_ARGS(m->answer));
	if (m->state == OUTBOX_SENT)
		fprintf(out, "       sent %s\n", when(srv, m->tried_utc));
	else if (m->decided == DECIDED_ASIDE)
		fprintf(out, "       put aside by the operator\n");
	else if (m->state == OUTBOX_ENCLOSED)
		fprintf(out, "       is not sent by itself: a report or a digest brings it\n");
	else if (m->state == OUTBOX_DEAD)
		fprintf(out,
		        "       given up; molepost outbox retry %lld tries it again, "
		        "outbox drop %lld lets it rest\n",
		        (long long)m->id, (long long)m->id);
	else if (m->state == OUTBOX_SENDING)
		fprintf(out,
		        "       being sent; if the sender has died, it is sent once more "
		        "after %s\n",
		        when(srv, m->next_try_utc));
	else if (m->state == OUTBOX_NEW || m->next_try_utc == 0)
		fprintf(out, "       goes out with the next run\n");
	else
		fprintf(out, "       next attempt %s\n", when(srv, m->next_try_utc));
	/* Whether it came back, and whether it waits because others did. */
	if (bounce_of_mail(srv->store, m->id, &points, &report) == ERR_NONE && points > 0) {
		if (report)
			fprintf(out, "       came back, told by mail %lld;", (long long)report);
		else
			fprintf(out, "       was refused when it was handed over;");
		fprintf(out, " that counts %u\n", points);
	}
	if (is_waiting(m) && bounce_get(srv->store, m->rcpt, srv->arena, &b) == ERR_NONE &&
	    b.paused_utc > 0)
		fprintf(out, "       waits, for mail to this address comes back: %.*s\n",
		        SPAN_ARGS(b.said));
	return ERR_NONE;
}
