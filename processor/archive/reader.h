/*
 * reader.h - a cursor over an archive's lines.
 *
 * Internal to read.c and reader.c. One line is in hand at a
 * time (reader_begin ... reader_end); its fields are taken from the left. What
 * does not fit is noted in the archive once, `ok` becomes false, and from
 * then on every take gives an empty value and notes nothing.
 */
#ifndef MOLEPOST_PROCESSOR_ARCHIVE_READER_H
#define MOLEPOST_PROCESSOR_ARCHIVE_READER_H

#include "processor/archive/private.h"

struct reader {
	struct archive *a;
	struct record *record;
	size_t at;        /* index of the next line */
	struct span rest; /* fields of the line in hand not taken yet; ptr NULL: none left */
	bool ended;       /* the archive's hidden lines are revealed */
	bool is_hidden;   /* the line in hand is closed: it has no fields */
	bool ok;
};

/* Says why the line in hand does not hold. */
void reader_refuse(struct reader *r, const char *what);
bool reader_has_keyword(const struct reader *r, size_t i, const char *keyword);
/* How many lines with this keyword follow; how many closed ones. */
size_t reader_count(const struct reader *r, const char *keyword);
size_t reader_count_hidden(const struct reader *r);
/* Takes the next line in hand; hidden_by as archive_is_hidden. */
void reader_begin(struct reader *r, const char *keyword, unsigned hidden_by);
/* No field may be left. */
void reader_end(struct reader *r);

struct span take_field(struct reader *r);
/* All that is left of the line, blanks and all. */
struct span take_rest(struct reader *r);
int64_t take_number(struct reader *r, int64_t min, int64_t max);
unsigned take_small(struct reader *r, unsigned min, unsigned max);
unsigned take_seat(struct reader *r);
int64_t take_time(struct reader *r);
struct hash take_hash(struct reader *r);
struct span take_word(struct reader *r);
struct span take_text(struct reader *r);
/* One of two words; whether it is the first. */
bool take_choice(struct reader *r, const char *yes, const char *no);
/* A copy; refuses what a C string cannot hold. */
const char *reader_cstr(struct reader *r, struct span text);

/* Whole lines of one field. */
const char *read_text_line(struct reader *r, const char *keyword);
/* optional: "-" gives 0. */
int64_t read_time_line(struct reader *r, const char *keyword, bool optional);
/* Zero when the line is closed. */
struct hash read_hash_line(struct reader *r, const char *keyword, unsigned hidden_by);

#endif
