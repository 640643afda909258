/*
 * commands.h - one function per command of the mail language; rows in intake/dispatch.c.
 *
 * Each returns ERR_NONE when its item has been dealt with, also when it was refused with an
 * answer; an error only when the world failed: then the whole mail is rolled back.
 */
#ifndef MOLEPOST_PROCESSOR_COMMANDS_COMMANDS_H
#define MOLEPOST_PROCESSOR_COMMANDS_COMMANDS_H

#include "processor/request/request.h"

enum err do_orders(struct dealing *d, const struct letter_item *item) MUST_CHECK;
enum err do_check(struct dealing *d, const struct letter_item *item) MUST_CHECK;
enum err do_preview(struct dealing *d, const struct letter_item *item) MUST_CHECK;
enum err do_clear(struct dealing *d, const struct letter_item *item) MUST_CHECK;
enum err do_salt(struct dealing *d, const struct letter_item *item) MUST_CHECK;
enum err do_wait(struct dealing *d, const struct letter_item *item) MUST_CHECK;
enum err do_resign(struct dealing *d, const struct letter_item *item) MUST_CHECK;
enum err do_create(struct dealing *d, const struct letter_item *item) MUST_CHECK;
enum err do_fork(struct dealing *d, const struct letter_item *item) MUST_CHECK;
enum err do_join(struct dealing *d, const struct letter_item *item) MUST_CHECK;
enum err do_confirm(struct dealing *d, const struct letter_item *item) MUST_CHECK;
enum err do_also(struct dealing *d, const struct letter_item *item) MUST_CHECK;
enum err do_token(struct dealing *d, const struct letter_item *item) MUST_CHECK;
enum err do_help(struct dealing *d, const struct letter_item *item) MUST_CHECK;
enum err do_list(struct dealing *d, const struct letter_item *item) MUST_CHECK;
enum err do_status(struct dealing *d, const struct letter_item *item) MUST_CHECK;
enum err do_history(struct dealing *d, const struct letter_item *item) MUST_CHECK;
enum err do_summary(struct dealing *d, const struct letter_item *item) MUST_CHECK;
enum err do_archive(struct dealing *d, const struct letter_item *item) MUST_CHECK;
enum err do_resend(struct dealing *d, const struct letter_item *item) MUST_CHECK;
enum err do_zone(struct dealing *d, const struct letter_item *item) MUST_CHECK;
enum err do_press(struct dealing *d, const struct letter_item *item) MUST_CHECK;
enum err do_observe(struct dealing *d, const struct letter_item *item) MUST_CHECK;
enum err do_unobserve(struct dealing *d, const struct letter_item *item) MUST_CHECK;
enum err do_takeover(struct dealing *d, const struct letter_item *item) MUST_CHECK;
enum err do_mail(struct dealing *d, const struct letter_item *item) MUST_CHECK;
enum err do_quiet(struct dealing *d, const struct letter_item *item) MUST_CHECK;
enum err do_master(struct dealing *d, const struct letter_item *item) MUST_CHECK;
enum err do_vote(struct dealing *d, const struct letter_item *item) MUST_CHECK;
enum err do_ratings(struct dealing *d, const struct letter_item *item) MUST_CHECK;
enum err do_who(struct dealing *d, const struct letter_item *item) MUST_CHECK;
enum err do_rematch(struct dealing *d, const struct letter_item *item) MUST_CHECK;
enum err do_always(struct dealing *d, const struct letter_item *item) MUST_CHECK;
enum err do_always_off(struct dealing *d, const struct letter_item *item) MUST_CHECK;
enum err do_queue(struct dealing *d, const struct letter_item *item) MUST_CHECK;
enum err do_queue_off(struct dealing *d, const struct letter_item *item) MUST_CHECK;
enum err do_absence(struct dealing *d, const struct letter_item *item) MUST_CHECK;
enum err do_absence_end(struct dealing *d, const struct letter_item *item) MUST_CHECK;
enum err do_fallback(struct dealing *d, const struct letter_item *item) MUST_CHECK;
enum err do_verify(struct dealing *d, const struct letter_item *item) MUST_CHECK;

/* ---- what one command does for another ---- */

/* The speaker's absences that are not over, in words, added to a list with room for `most`. */
enum err absence_words(struct dealing *d, struct report_provision *out, size_t most,
                       size_t *n) MUST_CHECK;
/*
 * A new reply address and the mail that brings it, `lead` before its sentence. Nothing is
 * renewed when no mail may be sent: nobody is to be locked out in silence.
 */
enum err seat_new_reply_address(struct dealing *d, struct hand *h, struct seat *seat,
                                const char *subject, const char *lead) MUST_CHECK;
/*
 * What STATUS says of the game in hand to the speaker, `seat` his or NULL. Loads the position; the
 * values live in the arena and in the hand. In show.c.
 */
enum err status_of(struct dealing *d, struct hand *h, struct seat *seat,
                   struct report_status *out) MUST_CHECK;

#endif
