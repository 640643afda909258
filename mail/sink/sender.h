/*
 * sender.h - the sending child: one connection to a mail server, over libcurl. Private to mail/.
 *
 * libcurl speaks TLS, verifies the certificate and logs in; smtp_talk.h hands the mails over. Of secrets the
 * child has the password or token of the account, since it logs in, and the mails it is given; it has no
 * database, no key and no environment, and can open no socket and no file but certificates (cell.h). The
 * program looks the name of the server up and connects.
 *
 * The bodies of its requests and answers (packet.h; "n" is a u32, "N" a u64, "text" a length and bytes):
 *
 *	SEND_OPEN   and with it a connected socket; n TLS, n port, n timeout_s, text scheme, host, the name we
 *	            greet with, user ("" = no login), secret, n is_token, text ca_file
 *	  READY     greeted, secured, logged in
 *	  FAILED    packet_add_failure
 *	SEND_MAIL   N number, text envelope sender, recipient, message
 *	  TEXT      N number: from here on the server may take the mail
 *	  ENDED     N number, n stage, n code, n result (struct smtp_end), text words
 *
 * Each mail gets its ENDED before the next is begun. A connection that has seen anything but a mail taken is
 * hung up, since a late answer would be taken for that to the next mail; after FAILED and such an ENDED the
 * child throws away what mails it has until it is given another connection.
 */
#ifndef MOLEPOST_MAIL_SINK_SENDER_H
#define MOLEPOST_MAIL_SINK_SENDER_H

/* The hidden command: main() calls send_child_main when argv[1] is this. */
#define SEND_CHILD_COMMAND "send-child"

enum send_request { SEND_OPEN = 1, SEND_MAIL };
enum send_answer { SEND_READY = 1, SEND_FAILED, SEND_TEXT, SEND_ENDED };

/* What the child takes at most, to connect and log in, and for a mail on top of the wait for one answer. */
enum { SEND_LOGIN_S = 120 /* for each answer */, SEND_READY_S = 60, SEND_MAIL_S = 60 };

int send_child_main(void);

#endif
