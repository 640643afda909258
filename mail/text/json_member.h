/*
 * json_member.h - one member of a small JSON object (RFC 8259), as authorization servers answer.
 *
 * A reader of what is asked for, no judge of the rest: an object that breaks off behind the member still gives it.
 */
#ifndef MOLEPOST_MAIL_TEXT_JSON_MEMBER_H
#define MOLEPOST_MAIL_TEXT_JSON_MEMBER_H

#include <stdbool.h>

#include "processor/base/span.h"
#include "processor/base/strbuf.h"

/*
 * Appends the value of the outermost object's member `name`, the first of that name: of a text its characters, of
 * a number or a word what is written, of a list or an object nothing. False, and nothing appended: there is none,
 * or what stands before it is no JSON.
 *
 * Trusts nothing: reads no byte outside, needs no stack for depth, and takes time in proportion to the text. What
 * comes out is as long as the text at most, and may hold any character; whoever uses it checks it.
 */
bool json_member(struct span text, const char *name, struct strbuf *out);

#endif
