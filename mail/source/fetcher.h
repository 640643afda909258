/*
 * fetcher.h - the fetching child, seen from the parent.
 *
 * Mailboxes on other machines are read by a child (child.h) that loads libetpan and libcurl; a
 * run without such a source maps neither. The child holds the connection and nothing else: the
 * connected socket and the password are handed to it, there is no database and no key, and it can open
 * no other socket. Should the libraries
 * crash on what a server sends, or hang, the source loses its turn and that is all.
 *
 *	parent -> child   u32 length, u32 enum fetch_op, body
 *	child -> parent   u32 length, u32 enum fetch_reply, body
 *
 * Lengths count what follows them. Requests are answered in order, each with any number of
 * pieces and then one FETCH_DONE or FETCH_FAILED; several may be under way. After FETCH_OPEN has
 * failed, or a connection was lost or ended, the child is of no more use. Bodies (packet.h: "n" is a u32,
 * "N" a u64, "text" a length and bytes):
 *
 *	FETCH_OPEN    and with it a socket that is connected to the server; n protocol, n tls, n port, n timeout_s, text host, user, secret, n is_token,
 *	              text ca_file, mailbox, kept folder
 *	  DONE        n UIDVALIDITY (POP3: 0), n 1 if handled mail can be moved away,
 *	              n mails in the mailbox, n UIDNEXT (each 0 if unknown)
 *	FETCH_LIST    n folder, n first, text names, n max, n 1 if sizes are wanted
 *	  ENTRY       text name, n size (0 unknown), N arrival (seconds; 0 unknown),
 *	              n its place in the mailbox
 *	  DONE        n 1 if these are all, n UIDVALIDITY of the folder (0: there is none)
 *	FETCH_MAILS   n folder, n max, n count, then each: text name, n 1 if only the beginning
 *	  MAIL        text name, n 1 if cut, text the raw bytes
 *	  LACKING     text name: it is listed and the server does not give it
 *	  DONE        (a name without an answer: it is not there any more)
 *	FETCH_SETTLE  n UIDVALIDITY, text names
 *	  MOVED       n UIDVALIDITY there, text names here, text names there
 *	  DONE        n 1 if they have left the mailbox
 *	FETCH_PURGE   n UIDVALIDITY, text names, in the folder of kept mail
 *	  DONE
 *	FETCH_WAIT    n seconds at most, until mail comes
 *	  DONE        n 1 if some has come
 *	  FAILED      n enum err, text one sentence
 *
 * A name is a UID in decimal (IMAP; several as "1:5,7") or a UIDL (POP3; several with a blank
 * between). Private to mail/.
 *
 * Trusts nothing from the child: lengths, kinds and numbers are checked here, names and texts
 * by the drivers.
 */
#ifndef MOLEPOST_MAIL_SOURCE_FETCHER_H
#define MOLEPOST_MAIL_SOURCE_FETCHER_H

#include <stdint.h>

#include "mail/child/packet.h"
#include "processor/base/err.h"

/* The hidden command: main() calls fetch_child_main when argv[1] is this. */
#define FETCH_CHILD_COMMAND "fetch-child"

enum fetch_op {
	FETCH_OPEN = 1,
	FETCH_LIST,
	FETCH_MAILS,
	FETCH_SETTLE,
	FETCH_PURGE,
	FETCH_WAIT
};
enum fetch_reply {
	FETCH_ENTRY = 1,
	FETCH_MAIL,
	FETCH_LACKING,
	FETCH_MOVED,
	FETCH_DONE,
	FETCH_FAILED
};
enum fetch_protocol { FETCH_IMAP, FETCH_POP3 };
enum fetch_folder { FETCH_INBOX, FETCH_KEPT };
enum { FETCH_HEAD = 8, FETCH_FRAME_MAX = 80 << 20 };

struct fetcher;

/* No child is started yet. How long one answer may take to come, and all of them together. Never fails. */
struct fetcher *fetcher_new(int answer_ms, int64_t total_ms);
/* The child is started if there is none. False: it cannot be, as fetcher_request will tell. */
bool fetcher_start(struct fetcher *f);
/* Ends the child. NULL is fine. */
void fetcher_free(struct fetcher *f);
/* Ends the child; the next request starts another. */
void fetcher_stop(struct fetcher *f);
bool fetcher_is_running(const struct fetcher *f);
/* The child is started if there is none. What it answers meanwhile is kept. As fetcher_reply. */
enum err fetcher_request(struct fetcher *f, enum fetch_op op, struct span body,
                         struct failure *e) MUST_CHECK;
/*
 * FETCH_OPEN, for which the child is handed the socket; here it is closed, whatever comes of it. As
 * fetcher_request.
 */
enum err fetcher_open(struct fetcher *f, int socket, struct span body,
                      struct failure *e) MUST_CHECK;
/*
 * The next answer; *body is good until the next call. FETCH_FAILED is returned as the error it
 * names and the child goes on. Of a child that died, hung or
 * lies: ERR_IO, ERR_TIMEOUT, and fetcher_is_running says no.
 */
enum err fetcher_reply(struct fetcher *f, enum fetch_reply *kind, struct packet_cursor *body,
                       struct failure *e) MUST_CHECK;
/*
 * Takes in what has come, up to some MiB; never waits, and what fails is fetcher_reply's to say. True: an answer
 * is there, or the child is not, so fetcher_reply will not wait. *fd, unless NULL: what can be read when there is more.
 */
bool fetcher_poll(struct fetcher *f, int *fd);
/* The child: requests on standard input, answers on standard output, until end of file. */
int fetch_child_main(void);

#endif
