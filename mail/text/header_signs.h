/*
 * header_signs.h - the marks that programs leave in the header of what they send.
 *
 * Each mark alone: what they come to together is decided in robot.c. Pure. Trusts nothing.
 */
#ifndef MOLEPOST_MAIL_TEXT_HEADER_SIGNS_H
#define MOLEPOST_MAIL_TEXT_HEADER_SIGNS_H

#include "mail/text/header.h"

/* All return a set of enum mail_flag. The address and the subject need not be well-formed. */
unsigned field_signs(const struct header_field *f);
unsigned address_signs(struct span address);
unsigned subject_signs(struct span subject);

#endif
