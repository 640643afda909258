/*
 * outage.h - time that players lose because of the server, and the clocks that get it back.
 *
 * Three things may fail, each seen by the runs themselves:
 *
 *	no run     longer than usual no run has been noted (the machine was off, cron broken)
 *	no mail    the mail could not be read through, from the first run that failed at it
 *	no sending the sink took nothing, from the first run that failed at it
 *
 * What lasted for at least `outage` of molepost.conf becomes a row, in the transaction that
 * notes that all is well again; then every clock that ran is moved on by the part of it that
 * lies behind the opening of its turn and behind what it was given back before, so that no time
 * counts twice however the three overlap, a hold among them, and however often a run is killed
 * meanwhile. Each game says so in its public log, hence in its next report and in its archive.
 *
 * Whose fault it is decides what follows (molepost(1), WHEN SOMETHING FAILS; e2e/test_failure_domains):
 *
 *	belongs to    fault                           clocks          told          given back  where
 *	one mail      does not parse, kills a child   go on           doctor, why   nothing     take_in
 *	one mail      cannot be tidied away           go on           run           nothing     arrivals
 *	one address   refuses, comes back             its turn waits  the table     a day       unreachable
 *	one source    cannot be listed                stop            at once       all         outage
 *	the sink      takes nothing                   stop, later     at once       all         send.c
 *	the server    no run, a run that hangs        none is acted   doctor, run   all         pulse, lock
 *	the server    its clock is wrong              stop            at once       nothing     outage
 *
 * "Stop, later": deadlines are acted on that lie less than `outage` behind the first failure. "At once":
 * operator.h, lasting troubles.
 *
 * The order in a run: lost runs are credited before the mail is read, a mailbox that was away
 * when it has been listed and before its mails are dealt with. So orders that waited for the
 * server are judged by the clock as it is after the outage, and no deadline is acted on before
 * they have been read. While nothing can be sent no deadline is acted on either that lies more
 * than `outage` behind the first failure: nobody has to answer what they could not get.
 */
#ifndef MOLEPOST_PROCESSOR_TURNS_OUTAGE_H
#define MOLEPOST_PROCESSOR_TURNS_OUTAGE_H

#include "processor/turns/due_turn.h"
#include "store/operator/outages.h"

/* ---- pure ---- */

/*
 * Notes that a run takes place. *changed: p is to be written. True when no run had taken place
 * for longer than twice the usual time, and *from_utc is then the last one.
 *
 * The usual time is learned from a dozen notes in a row that are about as far apart (within a
 * factor of two); before that nothing is an outage. Two long waits in a row that are alike are
 * no two outages, but another habit, which is learned anew.
 */
bool pulse_note_run(struct pulse *p, const struct outage_rules *rules, int64_t now_utc,
                    bool *changed, int64_t *from_utc);
/* Seconds that runs stay away beyond what is usual here; 0 = they come, or nobody knows yet. */
int64_t pulse_overdue_s(const struct pulse *p, const struct outage_rules *rules,
                        int64_t now_utc);
/*
 * How many seconds of an outage the players of an open turn have lost, 0 if none; *from_utc is
 * since when. outage_move then moves its clock on, in memory: the deadline to moved_utc, which is
 * with these seconds added as the game's calendar allows it, or, when only grace lies ahead, the
 * end of that by these seconds.
 */
int64_t outage_lost_s(const struct turn *t, const struct outage *o, int64_t *from_utc);
void outage_move(struct turn *t, int64_t from_utc, int64_t lost_s, int64_t moved_utc);

/* ---- one game ---- */

/*
 * The clock of a game that was stopped at since_utc goes on: the time that its players have
 * lost is given back to the open turn, in the store and in the match, as far as nothing else has
 * given it back. *moved_utc: the new deadline, 0 when it stays.
 */
enum err outage_give_back(struct server *srv, struct match *match, int64_t since_utc,
                          int64_t *moved_utc) MUST_CHECK;

/* ---- in a run ---- */

/* At its beginning: also goes on with what a run that died has left. */
enum err outage_run_begins(struct server *srv, const struct run_limits *limits) MUST_CHECK;
/* When the past is gone through again (--reread): nothing is credited. */
enum err outage_forget(struct server *srv) MUST_CHECK;
/* Every mailbox has been listed; nothing of it has been dealt with. */
enum err outage_mail_is_back(struct server *srv, const struct in_flight *left) MUST_CHECK;
/* All mail has been dealt with (ERR_NONE), or what was in the way. */
enum err outage_mail_was_read(struct server *srv, enum err rc) MUST_CHECK;
/* No deadline after this is to be acted on: read_through_utc, or less. */
enum err outage_act_through(struct server *srv, int64_t *read_through_utc) MUST_CHECK;
/* How sending ended, and how many mails went out; *unsent: mail cannot be sent. Takes the lock of runs for what is
   to be credited, and leaves that to the next run when it is taken. */
enum err outage_mail_was_sent(struct server *srv, enum err rc, unsigned sent,
                              bool *unsent) MUST_CHECK;

/* ---- the clock of this machine ---- */

/* A minute is what clocks are set back by without anybody minding. */
enum { OWN_CLOCK_SLACK_S = 60 };

/*
 * A clock that has been set back, or was wrong when the last run took place, must not make deadlines
 * pass or rows older than those before them. Time then stands still at the last run: mail is taken in
 * and answered as of then, and no deadline is acted on, until the clock is past it or the operator says
 * that it is right.
 *
 * At the beginning of a run, before anything else: sets srv->now_utc. `is_right`: the operator says so;
 * what was noted in the future is then forgotten, and deadlines that it has moved are moved back. *stands: no
 * deadline is to be acted on; srv->fail has the sentence.
 */
enum err own_clock_check(struct server *srv, bool is_right, bool *stands) MUST_CHECK;

#endif
