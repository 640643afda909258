/*
 * entity.h - character references of HTML, as far as mail uses them. Private to mail/.
 */
#ifndef MOLEPOST_MAIL_TEXT_ENTITY_H
#define MOLEPOST_MAIL_TEXT_ENTITY_H

#include <stddef.h>
#include <stdint.h>

#include "processor/base/span.h"

/*
 * `s` stands at '&'. Returns how many bytes the reference takes and what it means, or 0 when it
 * is none. Never gives a control character: those that mean one become U+FFFD.
 */
size_t entity_read(struct span s, uint32_t *cp);

#endif
