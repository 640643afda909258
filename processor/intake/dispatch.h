/*
 * dispatch.h - one mail: who speaks, what is answered, what is asked for, done.
 *
 * Trusts nothing of the mail. What decides, in this order: is it a robot's; does it answer a
 * question of ours (commands.h); does it carry a reply address of ours with a good MAC, or answer
 * a mail of ours (identify.h); is the sender known. Where these disagree about who speaks, nothing
 * changes before the player has been asked (authenticate.h).
 */
#ifndef MOLEPOST_PROCESSOR_INTAKE_DISPATCH_H
#define MOLEPOST_PROCESSOR_INTAKE_DISPATCH_H

#include "mail/mail.h"
#include "processor/request/incoming.h"
#include "processor/server/server.h"
#include "store/inbox.h"

/* Asks ahead (store_ask_ahead) what dispatch_mail reads of most mails with orders. */
void dispatch_ask_ahead(struct server *srv, const struct incoming *in, struct arena *arena);
/* The game whose seat it is written to; 0: none. */
int64_t dispatch_game(const struct incoming *in);
/*
 * Records the mail, its effect and its answers, all inside the transaction the caller has
 * open. A mail seen before is recognised and has no effect. An error means that
 * nothing of it may be kept: the caller rolls back.
 */
enum err dispatch_mail(struct server *srv, const struct incoming *in,
                       struct arena *arena) MUST_CHECK;

#endif
