/*
 * website.h - the public games of a server as a folder of pages that any web server can serve.
 *
 *	index.html		what can be joined, what is under way, what has ended lately
 *	running.html, ended-2026.html	all games under way; all that ended in that year
 *	ratings.html		who plays best, of all kinds and of each
 *	puzzle.html		the newest puzzle (outgoing/puzzle.h), if there is one
 *	verify.html		checks records and mails of players (archive/archive.h)
 *	games/W17.html		the turns of a game to leaf through (replay.h)
 *	games/W17.xml		its turns as an Atom feed
 *	games/W17.txt		its record
 *	made-from		a line for each game: what its pages were made from, how lists name it
 *
 * A page loads nothing, and tells no more than the mails of an observer do: no address but the server's
 * own, nothing of a private game or of one that has not begun. The three files of a game are made
 * again when what they were made from has changed, a list when its bytes would be others.
 */
#ifndef MOLEPOST_PROCESSOR_WEBSITE_WEBSITE_H
#define MOLEPOST_PROCESSOR_WEBSITE_WEBSITE_H

#include "processor/server/server.h"

struct website_counts {
	unsigned games;   /* that have pages */
	unsigned made;    /* of them anew */
	unsigned removed; /* that have none any more */
	unsigned failed;  /* told in srv->log; their pages stayed as they were */
	unsigned lists;   /* written anew */
};

/*
 * Makes `dir` if it is not there, or brings it up to date. made_by: the program's version, of which all
 * pages are remade. ERR_EXISTS: the folder holds pages of somebody else; ERR_BUSY: another process is
 * writing them; ERR_IO, ERR_FULL; of single games see `failed`. The sentence is in server_why.
 */
enum err website_write(struct server *srv, const char *dir, const char *made_by,
                       struct website_counts *out) MUST_CHECK;

#endif
