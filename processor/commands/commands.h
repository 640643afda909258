/*
 * commands.h - one function per command of the mail language; rows in intake/dispatch.c.
 *
 * Each returns ERR_NONE when its item has been dealt with, also when it was refused with an
 * answer; an error only when the world failed: then the whole mail is rolled back.
 */
#ifndef MOLEPOST_PROCESSOR_COMMANDS_COMMANDS_H
#define MOLEPOST_PROCESSOR_COMMANDS_COMMANDS_H

#include "processor/request/confirmation.h"
#include "processor/request/order_entry.h"
#include "store/puzzles.h"

command_fn do_orders, do_salt, do_resign, do_create, do_join, do_confirm, do_also, do_token,
    do_help, do_list, do_status, do_my_games, do_resend, do_zone, do_observe, do_unobserve,
    do_takeover, do_mail, do_form, do_quiet, do_ratings, do_who, do_rematch, do_always,
    do_queue, do_absence, do_absence_end, do_verify, do_invite, do_set_invites, do_thanks;
/* Of the game that the line is about (request_with_game). */
game_command_fn do_fork, do_history, do_summary, do_analyse, do_archive, do_press, do_nudge;
/* Of the turn that is open in the speaker's game (order_entry_open). */
order_entry_fn do_check, do_preview, do_clear, do_wait;
/* Of their seat in it (order_entry_open_seat). */
order_entry_fn do_always_off, do_queue_off, do_fallback;
/*
 * Whether plain lines are worth a receipt, or an answer why they come too late. Mere talk is not: the
 * guide deals with it, or the answer to the command beside it.
 */
enum err orders_are_meant(struct request *req, const struct command *item,
                          bool *yes) MUST_CHECK;

/* "Yes, please", of a mail that answers none that asks: an open question is shown again. */
enum err yes_explain(struct request *req, bool *done) MUST_CHECK;
/* Whether they are still there, of a mail in which nothing was understood: "Yes, I am!" */
enum err ready_explain(struct request *req, bool *done) MUST_CHECK;
/* INVITE for each of these addresses, blanks between them, into a game of the speaker's. */
enum err invite_guests(struct request *req, int64_t game, struct span guests) MUST_CHECK;
/* Those whom the speaker named before their seat in the game answered was confirmed, which it is now. */
enum err invite_kept_guests(struct request *req) MUST_CHECK;
/* YES or NO to an invitation by mail; *done: it was one. */
enum err invite_answer(struct request *req, const struct command *item, bool *done) MUST_CHECK;
/* The same of a mail in which nothing was understood. */
enum err invite_explain(struct request *req, bool *done) MUST_CHECK;
/*
 * Of a mail in which nothing was understood and that answers nothing, from somebody who plays nowhere: when
 * its address has been asked into a game, the invitation goes there again, once a week at most.
 */
enum err invite_once_more(struct request *req, bool *done) MUST_CHECK;

/* YES or NO, when the mail answers the invitation to a rematch: joins, or gives the seat up. */
enum err rematch_answer(struct request *req, const struct command *item, bool *done) MUST_CHECK;
/* The same mail without a line that was understood: says what to write. */
enum err rematch_explain(struct request *req, bool *done) MUST_CHECK;
/*
 * The answers to our questions: YES, NO, or neither. One counts only from the end that was asked, by the code in its
 * reply address or the Message-ID it answers, and from an address of that end. *done: the mail in hand was an
 * answer and has been dealt with, unless *use is not NULL: then it said yes to a held mail, which the caller carries
 * out (authenticate_take_up).
 */
enum err confirmed_answer(struct request *req, bool *done,
                          const struct confirmation **use) MUST_CHECK;

/* The puzzle whose mail to the speaker is answered; game 0: none. */
enum err puzzle_answered(struct request *req, struct puzzle *out) MUST_CHECK;
/* Orders in such an answer. */
enum err do_puzzle(struct request *req, const struct command *item,
                   const struct puzzle *puzzle) MUST_CHECK;

/* ---- what one command does for another ---- */

/*
 * What LIST and the website say of a game that can be joined or watched, to this reader, a player's id or 0 for a
 * stranger; the game is loaded into *match. All in the arena.
 */
enum err list_row(struct server *srv, const struct game *g, int64_t reader, struct arena *arena,
                  struct report_list_row *row, struct match *match) MUST_CHECK;
/* Whether a line that could be about a game is about the digest that is answered. */
bool digest_is_meant(const struct request *req, const struct command *item);
/* TOKEN NEW where that is so; `lead` before what the answer says. */
enum err digest_new_token(struct request *req, const char *lead) MUST_CHECK;

/* The speaker's absences that are not over, in words, added to a list with room for `most`. */
enum err absence_words(struct request *req, struct report_standing_order *out, size_t most,
                       size_t *n) MUST_CHECK;
/*
 * A new reply address and the mail that brings it, `lead` before its sentence. Nothing is
 * renewed when no mail may be sent: nobody is to be locked out in silence.
 */
enum err seat_new_reply_address(struct request *req, struct match *match, struct seat *seat,
                                const char *subject, const char *lead) MUST_CHECK;
/*
 * What STATUS says of the game in hand to the speaker, `seat` theirs or NULL. Loads the position; the
 * values live in the arena and in the match. In show.c.
 */
enum err status_of(struct request *req, struct match *match, struct seat *seat,
                   struct report_status *out) MUST_CHECK;

#endif
