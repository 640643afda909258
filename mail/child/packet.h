/*
 * packet.h - what goes over the pipes between parent and child.
 *
 * The pieces are shared by all children; to the parsing children and their starter go these:
 *
 *	parent -> starter  u32 place, below PARSER_CHILDREN, and with it a socket: the child that has
 *	                   the place is killed, and another is forked that has the socket for its
 *	                   standard input and output
 *	starter -> parent  u32 length, u32 walls (enum cell_wall), then nothing: it is ready; or why
 *	                   it cannot work, now or no longer
 *	parent -> child    u32 length of what follows, u32 flags (PACKET_IS_CUT), the raw bytes
 *	child -> parent    u32 length, then a result as packet_add_result() writes it
 *
 * Numbers are little-endian. Private to mail/.
 *
 * Trusts nothing on the parent's side: a child taken over by a mail can write anything, so
 * packet_read_result() checks sizes and counts, and that every text is the clean UTF-8, every address and
 * id the well-formed one that mail.h promises. Nothing else in it has a meaning: it is what the sender of that
 * mail could have written into it.
 */
#ifndef MOLEPOST_MAIL_CHILD_PACKET_H
#define MOLEPOST_MAIL_CHILD_PACKET_H

#include <stdbool.h>
#include <stdint.h>

#include "mail/mail.h"
#include "processor/base/err.h"

enum {
	PACKET_IS_CUT = 1,
	PACKET_HEAD = 4,
	PACKET_REQUEST_HEAD = 8, /* length and flags */
	PACKET_RESULT_MAX = 16 << 20
};

void packet_put_u32(unsigned char to[4], uint32_t n);

/* Pieces of a packet: a number, bytes with their length in front. */
void packet_add_u32(struct strbuf *out, size_t n);
void packet_add_u64(struct strbuf *out, uint64_t n);
void packet_add_span(struct strbuf *out, struct span s);

/* A place in a packet; once something did not fit, `bad` stays set and all reads give 0. */
struct packet_cursor {
	struct span rest;
	bool bad;
};
/* More than `max` is bad. */
uint32_t packet_take_u32(struct packet_cursor *c, uint32_t max);
uint64_t packet_take_u64(struct packet_cursor *c);
/* Borrowed from the packet. */
struct span packet_take_span(struct packet_cursor *c);
/* A copy, free with free(). */
char *packet_take_text(struct packet_cursor *c);

/* An enum err and one sentence. packet_take_failure: *e is set and its code returned; ERR_NONE: it is bad. */
void packet_add_failure(struct strbuf *out, const struct failure *e);
enum err packet_take_failure(struct packet_cursor *c, struct failure *e);

/* Packets as they come in, a u32 length before each. */
struct packet_stream {
	struct strbuf in;
	size_t taken; /* of `in`, by who has added the length of a packet and its head to it */
};
/* The next one, if all of it has come. *bad: its length is above `most`, and nothing more can be read. */
bool packet_stream_next(const struct packet_stream *s, size_t most, struct span *packet,
                        bool *bad);
/* What was taken makes room, now and then, so that bytes are not moved too often. Moves what was not. */
void packet_stream_forget(struct packet_stream *s);

/* Appends what is below the header, and subject and display name, with its length in front. */
void packet_add_result(struct strbuf *out, const struct mail_in *m);
/*
 * `body` is the packet without its length. It is copied into the arena once; what is added to *out, of which
 * the header has been read, points in there. False, and *out as it was, when it is not what packet_add_result()
 * writes.
 */
bool packet_read_result(struct span body, const struct mail_limits *limits, struct arena *arena,
                        struct mail_in *out);

#endif
