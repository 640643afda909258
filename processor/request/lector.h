/*
 * lector.h - letters that are read beside the run.
 *
 * What stands in a mail (command_text.h) depends on its words alone. To find it out takes a sixth of the
 * time in which a mail is dealt with, and the mails of the next batches lie there, parsed: so one
 * thread reads their letters ahead, in the order in which they will be wanted. Whoever wants a
 * letter that the thread has not finished reads it himself, at once: nobody ever waits for one.
 * The same words give the same letter, whoever reads them and when.
 *
 * The letters of one batch lie in one pile, with one arena. Of a mail with several texts only the
 * first is read ahead: mostly it is enough (reading.h).
 *
 * Piles are given by whoever fetches the mails, all else is called by the thread of the intake; a pile
 * is nobody's business but of the one who has its batch in hand.
 */
#ifndef MOLEPOST_PROCESSOR_REQUEST_LECTOR_H
#define MOLEPOST_PROCESSOR_REQUEST_LECTOR_H

#include "mail/mail.h"
#include "processor/commandtext/command_text.h"

struct lector;
struct lector_pile;
struct letter_ahead; /* the letter of one mail */

/* `max_commands` as for command_text_read. No thread is begun before there is a pile worth it. */
struct lector *lector_new(unsigned max_commands);
/* After its piles. NULL is fine. */
void lector_free(struct lector *l);

/* An empty pile. */
struct lector_pile *lector_pile_new(struct lector *l);
/* NULL is fine. */
void lector_pile_free(struct lector_pile *p);
/*
 * The letters of these mails may be read, behind those of the piles given before. The pile is empty;
 * the mails and all they point to stay as they are until it is cleared. Few mails are left to who
 * wants them, and so are those that find no room in some megabytes.
 */
void lector_give(struct lector_pile *p, const struct mail_in *mails, size_t n);
/*
 * Empties a pile; what was taken from it is gone too. Waits for the letter that is just being read,
 * no longer.
 */
void lector_clear(struct lector_pile *p);

/* Nothing is left to be read in it. */
bool lector_is_done(struct lector_pile *p);

/* That of mail i of a pile, good until the pile is cleared; NULL: none is read ahead. */
struct letter_ahead *lector_letter(struct lector_pile *p, size_t i);
/*
 * command_text_read, or what has been read ahead if it is of this very text and subject. A letter is given
 * away once, since its owner may change it; whoever asks again has it read anew. `ahead` may be
 * NULL. *out lives in `arena` or in the pile; command_text_release as usual, before the pile is cleared.
 */
void lector_read(struct letter_ahead *ahead, struct span text, struct span subject,
                 unsigned max_commands, struct arena *arena, struct command_text *out);

#endif
