/*
 * mail.h - a mail as plain values.
 *
 * What the rest of the program sees of a mail: no library type leaves mail/.
 * A parsed mail (struct mail_in) is flat UTF-8 text in an arena; how it was
 * encoded is forgotten. A mail to be sent is a finished RFC 5322 message.
 */
#ifndef MOLEPOST_MAIL_MAIL_H
#define MOLEPOST_MAIL_MAIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "processor/base/arena.h"
#include "processor/base/err.h"
#include "processor/base/span.h"
#include "processor/base/strbuf.h"

/* Why a message gave no text. Each has a sentence for the sender: mail_fault_text(). */
enum mail_fault {
	MAIL_OK,
	MAIL_TOO_LARGE,        /* over max_size bytes, and no whole text in the first of them */
	MAIL_HEADER_TOO_LARGE, /* header block over so many bytes or fields */
	MAIL_TOO_MANY_PARTS,   /* over so many Content-Type lines */
	MAIL_TOO_DEEP,         /* multiparts within multiparts, over so many levels */
	MAIL_TOO_MANY_RECIPIENTS, /* in To and Cc together */
	MAIL_HAS_NUL,
	MAIL_BARE_CR,
	MAIL_DUPLICATE_FIELD, /* two From, Message-ID, Content-Type, Content-Transfer-Encoding */
	MAIL_NO_TEXT,         /* no readable text part */
	MAIL_UNPARSABLE       /* the parser died or ran out of time on it */
};
const char *mail_fault_name(enum mail_fault f); /* "too-large", for logs and `why` */

/*
 * How much of a mail is looked at. The usual values are also the largest that are safe for the
 * library behind the parser (its stack and its time), but for recipients, which are only counted.
 */
struct mail_limits {
	size_t max_size;       /* bytes of the mail */
	unsigned header_bytes; /* of the header block */
	unsigned header_fields;
	unsigned parts;      /* Content-Type lines anywhere */
	unsigned depth;      /* levels of multiparts */
	unsigned recipients; /* addresses in To and Cc */
	unsigned text_bytes; /* of one text, decoded */
	unsigned text_lines;
};
#define MAIL_USUAL_LIMITS                                                             \
	{                                                                             \
		.max_size = 1 << 20, .header_bytes = 64 * 1024, .header_fields = 500, \
		.parts = 64, .depth = 20, .recipients = 50, .text_bytes = 64 * 1024,  \
		.text_lines = 2000                                                    \
	}
extern const struct mail_limits mail_usual_limits;

/* A sentence for people, with the limit in it where there is one. */
void mail_fault_explain(enum mail_fault f, const struct mail_limits *l, struct strbuf *out);

/* What the header says about where a mail comes from (RFC 3834 and kin). */
enum mail_flag {
	MAIL_AUTO_SUBMITTED = 1,    /* Auto-Submitted other than no */
	MAIL_NULL_SENDER = 2,       /* Return-Path <> or a mailer-daemon-like sender */
	MAIL_BULK = 4,              /* Precedence bulk/junk/list/auto_reply, or any List-* */
	MAIL_AUTO_HINT = 8,         /* X-Autoreply, X-Auto-Response-Suppress, subject wording */
	MAIL_OUR_LOOP = 16,         /* X-Molepost-Instance present: its value in `instance` */
	MAIL_FROM_HTML = 32,        /* the text was taken from an HTML part */
	MAIL_REPORT = 64,           /* multipart/report */
	MAIL_CHARSET_GUESSED = 128, /* the declared charset did not fit; another was used */
	MAIL_TEXT_CUT =
	    256, /* longer than the limits, itself or a text; the beginning was read */
	/* Finer than those above, for robot.h. */
	MAIL_NULL_PATH = 1 << 16,    /* Return-Path <> */
	MAIL_DAEMON = 1 << 17,       /* From or Return-Path is mailer-daemon, postmaster ... */
	MAIL_LIST_SENDER = 1 << 18,  /* owner-list, list-request, list-bounces */
	MAIL_NO_REPLY = 1 << 19,     /* noreply@, donotreply@ */
	MAIL_LIST = 1 << 20,         /* a List- field, or of a list manager */
	MAIL_AUTO_FIELD = 1 << 21,   /* X-Autoreply, X-Autorespond, X-FC-MachineGenerated ... */
	MAIL_SUPPRESS = 1 << 22,     /* X-Auto-Response-Suppress: All or AutoReply */
	MAIL_AWAY_SUBJECT = 1 << 23, /* begins as vacation programs begin theirs */
	MAIL_BOUNCE_SUBJECT = 1 << 24,  /* begins as mail servers begin theirs */
	MAIL_RECEIPT_SUBJECT = 1 << 25, /* "Read: ...", and not the report that goes with it */
	MAIL_FAILED_FIELD = 1 << 26,    /* X-Failed-Recipients */
	MAIL_CALENDAR = 1 << 27,        /* an answer to an invitation */
	MAIL_AUTO_REPLIED = 1 << 28,    /* Auto-Submitted says auto-replied */
	/* Those that only the parts of the mail tell. */
	MAIL_BODY_FLAGS = MAIL_FROM_HTML | MAIL_CHARSET_GUESSED | MAIL_TEXT_CUT | MAIL_CALENDAR
};

/* What a report made for programs is about (RFC 6522 and those that build on it). */
enum mail_report_kind {
	MAIL_REPORT_NONE,
	MAIL_REPORT_DELIVERY,    /* RFC 3464 */
	MAIL_REPORT_DISPOSITION, /* RFC 8098: it was read, or deleted unread */
	MAIL_REPORT_FEEDBACK,    /* RFC 5965: somebody calls it spam */
	MAIL_REPORT_OTHER        /* multipart/report of another type */
};

/*
 * A report in a mail, as far as it could be read; every span may be empty. Anybody can write
 * one: it says something about a mail of ours only when that mail's name, which others cannot
 * know, stands in it.
 */
struct mail_report {
	enum mail_report_kind kind;
	struct span action;      /* of the first recipient who failed, else the first: "failed",
	                            "delayed" ...; lower case */
	struct span status;      /* "5.1.1" */
	struct span recipient;   /* an address */
	struct span diagnostic;  /* what the other server said, one line, at most 200 bytes */
	struct span returned_id; /* Message-ID of the mail that came back, with its <> */
};

/* What a DKIM-Signature field (auth_results.h) says who signed; all empty when the mail has none. */
struct mail_dkim {
	struct span domain, selector; /* d= and s=, lower case */
	struct span signature;        /* b=, base64 without blanks */
};

struct span_list {
	struct span *items;
	size_t count;
};

/*
 * What its header says is read by the program itself (text/header_facts.h); what is below it by the parsing
 * child (parser.h), which may have been taken over by the very mail: that is text, and nothing in it counts.
 * Only the child reads charsets of more than a byte a character. Where a subject or name needs one, the child's
 * reading takes the place of U+FFFD.
 */
struct mail_in {
	enum mail_fault fault; /* of the header; if it has none, of what is below it */
	unsigned flags;   /* enum mail_flag, or-ed; the child's are those of MAIL_BODY_FLAGS */
	struct span from; /* address, domain in lower case; empty if none or several */
	struct span from_name;       /* display name, decoded; may be empty */
	struct span subject;         /* decoded, one line */
	struct span message_id;      /* with its <>; empty if missing or malformed */
	struct span in_reply_to;     /* the first id, with its <> */
	struct span_list references; /* ids with <>, as listed, at most 50 */
	struct span_list recipients; /* Delivered-To, X-Original-To, Envelope-To,
	                                X-Gm-Original-To, To, Cc in this order; at most 50 */
	struct span date;            /* the raw Date field, for display only */
	struct span instance;        /* of X-Molepost-Instance */
	struct span program;         /* "iPhone": first word of X-Mailer or User-Agent */
	struct span auth_results;    /* topmost Authentication-Results, unfolded, raw */
	struct mail_dkim dkim;       /* by the domain of `from` if there are several */
	bool has_message_id_or_date; /* false: told apart by transport identity alone */
	struct span raw; /* the mail as it came; borrowed from whoever had it parsed */
	/*
	 * From here on the child's. The candidate texts in the order they should be tried: text/plain parts as they
	 * stand, then HTML parts turned into text, the first eight of each. Parts side by side
	 * are one text, but for files (they have a name) and alternatives. UTF-8, LF line ends,
	 * flowed text joined, transfer encoding and charset undone; quotes still there.
	 * texts[i].is_html says where it came from. At least one when fault is MAIL_OK.
	 */
	struct mail_text {
		struct span text;
		bool is_html;
	} * texts;
	size_t ntexts;
	/*
	 * What else can be read, for who looks for proofs in a mail; it is nobody's order. Attached
	 * texts, whatever type they claim; the texts of mails forwarded as attachments; and HTML
	 * with all that it quotes, where a mail has no other text. The first eight of at most
	 * MAIL_ENCLOSED_MOST bytes, UTF-8, LF line ends; larger ones are left out.
	 */
	struct span_list enclosed;
	struct mail_report report;
	/* What is no text, or a file: the first ones. For people only. */
	struct mail_attachment {
		struct span name; /* one line; its type where it has no name */
		uint32_t bytes;   /* decoded; 0 = it is cut */
	} * attachments;
	size_t nattachments;
};
enum {
	MAIL_ENCLOSED_MOST = 512 * 1024,
	MAIL_ATTACHMENTS_MOST = 8,
	MAIL_ATTACHMENT_NAME_MOST = 200
};

/* Whether whoever wrote it writes HTML. */
bool mail_has_html(const struct mail_in *m);
/*
 * Appends lines "name: value" and each text behind "== text", for `test-text` and golden
 * files.
 */
void mail_describe(const struct mail_in *m, struct strbuf *out);

/* Appends "board.jpg (2.1 MB) and notes.pdf (12 kB)"; nothing if there are none. */
void mail_add_attachments(const struct mail_in *m, struct strbuf *out);

/*
 * BLAKE2b over the raw bytes without trace fields (Received, Delivered-To, X-Original-To,
 * Return-Path, Authentication-Results, ARC-*), line ends as LF: the same mail delivered twice
 * has the same digest. 32 bytes.
 */
void mail_content_hash(struct span raw, unsigned char hash[32]);
/*
 * SHA-256 over what is below the header as it came, line ends as LF and those at the very end left
 * out: whoever sent the mail gets the same from their own copy. 32 bytes.
 */
void mail_body_hash(struct span raw, unsigned char hash[32]);

/* An address we are willing to write to: local@domain, <= 254 bytes, no quotes, ASCII. */
bool mail_address_ok(struct span address);
/*
 * "Bob@Example.ORG" -> "Bob@example.org" (domain lower-cased; local part kept), for storing;
 * comparing is done without case on the whole. In the arena, NUL behind it; empty when not mail_address_ok.
 */
struct span mail_address_normalize(struct span address, struct arena *arena);
/* ^<[!-;=?-~]{1,250}>$ */
bool mail_message_id_ok(struct span id);

#endif
