/*
 * config_example.c - the file `init` writes: every key with its default, and why one would
 * change it.
 */
#include "processor/config.h"

static const char paths[] =
    "\n"
    "# The name people see beside the address.\n"
    "#name = Molepost\n"
    "\n"
    "# Where mail comes from; the key may stand several times. Paths without a\n"
    "# leading / start in the folder of this file. A mailbox elsewhere is read as\n"
    "# imaps://user@host or pop3s://user@host; it must be the server's alone.\n"
    "source = maildir:mail\n"
    "\n"
    "# Where mail goes.\n"
    "sink = maildir:outbox\n"
    "\n"
    "# Where the passwords for network mailboxes are kept, never the passwords\n"
    "# themselves: file:PATH, command:LINE or env:NAME; for all logins, or behind\n"
    "# user@host for one. token instead of password: an OAuth 2.0 access token.\n"
    "#password = file:password\n"
    "#token = moles@imap.example.org command:refresh-token\n"
    "\n"
    "# Trust these authorities (PEM) in place of the system's.\n"
    "#ca_file = our-ca.pem\n"
    "\n"
    "# The games, the server's keys (keep a copy of both, in different places),\n"
    "# and the folder in which `molepost receive` puts mail down.\n"
    "#database = molepost.db\n"
    "#key_file = molepost.key\n"
    "#spool = spool\n"
    "\n"
    "# Word lists for the games that need one: a name and its files. These are\n"
    "# Debian's; a copy of a list outlives upgrades, which may end running games.\n"
    "#wordlist = american /usr/share/dict/american-english\n"
    "#wordlist = british /usr/share/dict/british-english\n"
    "#wordlist = both /usr/share/dict/american-english /usr/share/dict/british-english\n"
    "#wordlist = large /usr/share/dict/american-english-large\n";

static const char people[] =
    "\n"
    "# Senders never seen before: accept (seated at once), confirm (they answer\n"
    "# one mail first) or known (ignored). When every source is a Maildir the\n"
    "# default is accept, else confirm.\n"
    "#unknown_senders = accept\n"
    "\n"
    "# Replies go to moles+SEAT.SERIAL.MAC@host; off if your mail server cannot\n"
    "# deliver such addresses.\n"
    "#plus_address = on\n"
    "\n"
    "# Whether one address may hold several seats of one game.\n"
    "#shared_address = off\n"
    "\n"
    "# varying: the subject names the turn. fixed: one subject for a whole game,\n"
    "# for readers that build threads from subjects.\n"
    "#subject = varying\n"
    "\n"
    "# utf-8, or ascii for readers that can show nothing else.\n"
    "#charset = utf-8\n";

static const char limits[] =
    "\n"
    "# Time for a turn when the creator of a game says nothing: 45M, 12H, 3D, 2W.\n"
    "#next = 3D\n"
    "\n"
    "# How long handled mail is kept, in plain text, to bring a restored backup up\n"
    "# to date; 0 deletes it at once.\n"
    "#keep_mail = 7D\n"
    "\n"
    "# Larger mails are refused unread.\n"
    "#max_mail_size = 1M\n";

void config_add_example(struct strbuf *out, const char *instance, const char *address)
{
	strbuf_addf(
	    out,
	    "# molepost.conf - see molepost.conf(5). One `key = value` a line.\n"
	    "\n"
	    "# The name of this server in Message-IDs and reply addresses: a-z, 0-9, -.\n"
	    "instance = %s\n"
	    "\n"
	    "# The address players write to.\n"
	    "address = %s\n",
	    instance, address);
	strbuf_adds(out, paths);
	strbuf_adds(out, people);
	strbuf_adds(out, limits);
}
