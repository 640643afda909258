/*
 * private.h - between config.c and the files that read some of its keys: where mail comes
 * from and goes to (config_mail.c), how much of a mail is looked at, how many mails, and what
 * players may write to each other (config_limits.c), the clocks of games (config_clocks.c).
 */
#ifndef MOLEPOST_PROCESSOR_SERVER_PRIVATE_H
#define MOLEPOST_PROCESSOR_SERVER_PRIVATE_H

#include "processor/base/span.h"
#include "processor/server/config.h"

enum {
	CONFIG_SOURCES_MAX = 16,
	CONFIG_LOGINS_MAX = 32
}; /* as many have room in struct config */

/* Reads one value: NULL, or what it should have been, the end of a sentence. */
typedef const char *config_read_fn(struct config *c, struct span value, struct arena *arena);

config_read_fn config_read_source, config_read_sink, config_read_password, config_read_token,
    config_read_ca_file, config_read_operator, config_read_alarm, config_read_unknown_senders,
    config_read_known_senders, config_read_authserv_id, config_read_authentication;

config_read_fn config_read_max_mail_size, config_read_max_header_size,
    config_read_max_header_fields, config_read_max_parts, config_read_max_depth,
    config_read_max_recipients, config_read_max_text_size, config_read_max_text_lines,
    config_read_max_parse_seconds, config_read_max_commands, config_read_max_mails_per_day,
    config_read_answers_per_day, config_read_answers_per_domain,
    config_read_answers_to_strangers, config_read_receipts_per_day;
config_read_fn config_read_press, config_read_press_delivery, config_read_observers,
    config_read_max_press_size, config_read_press_per_day, config_read_invites_per_day,
    config_read_max_observers, config_read_max_observed, config_read_absence_days,
    config_read_first_game, config_read_absence_days_per_year, config_read_keep_texts,
    config_read_keep_inbox, config_read_keep_outbox, config_read_keep_audit,
    config_read_keep_runs, config_read_keep_quarantine;

config_read_fn config_read_next, config_read_days, config_read_at, config_read_grace,
    config_read_delay, config_read_holidays, config_read_remind, config_read_misses,
    config_read_vacant, config_read_outage, config_read_run_every;

void config_usual_limits(struct config *c);
/* "scheme://user:password@host" */
bool config_url_holds_password(struct span url);

#endif
