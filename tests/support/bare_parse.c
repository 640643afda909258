/*
 * bare_parse.c - reading mail with libetpan and nothing else: every part is decoded, texts are
 * converted.
 */
#include "tests/support/bare_parse.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <libetpan/charconv.h>
#include <libetpan/mailmime.h>
#include <libetpan/mailmime_content.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "processor/base/err.h"

enum { MOST_MAIL = 1 << 20 };

#define FUNCTIONS(X)                   \
	X(mailmime_parse)              \
	X(mailmime_free)               \
	X(mailmime_single_fields_init) \
	X(mailmime_part_parse)         \
	X(mailmime_decoded_part_free)  \
	X(charconv_buffer)             \
	X(charconv_buffer_free)

#define MEMBER(fn) __typeof__(&fn) fn;
struct bare {
	FUNCTIONS(MEMBER)
	size_t parts, bytes;
};
#undef MEMBER

static void load(struct bare *b)
{
	void *lib = dlopen("libetpan.so.20", RTLD_NOW), *found;

	if (!lib)
		BUG("%s", dlerror());
#define FIND(fn)                 \
	found = dlsym(lib, #fn); \
	ENSURE(found != NULL);   \
	memcpy(&b->fn, &found, sizeof(found));
	FUNCTIONS(FIND)
#undef FIND
}

static int encoding_of(const struct mailmime_single_fields *f)
{
	return f->fld_encoding ? f->fld_encoding->enc_type : MAILMIME_MECHANISM_8BIT;
}

/* Also without a type of its own: that is text. */
static bool is_text(const struct mailmime_content *type)
{
	return !type || (type->ct_type->tp_type == MAILMIME_TYPE_DISCRETE_TYPE &&
	                 type->ct_type->tp_data.tp_discrete_type->dt_type ==
	                     MAILMIME_DISCRETE_TYPE_TEXT);
}

/* Also from UTF-8: what a mail says of itself must be tried to be known. */
static void convert(struct bare *b, const char *charset, char *text, size_t len)
{
	char *utf8 = NULL;
	size_t utf8_len = 0;

	if (b->charconv_buffer("utf-8", charset ? charset : "us-ascii", text, len, &utf8,
	                       &utf8_len) == MAIL_CHARCONV_NO_ERROR) {
		b->bytes += utf8_len;
		b->charconv_buffer_free(utf8);
	}
}

static void read_leaf(struct bare *b, struct mailmime *mime)
{
	const struct mailmime_data *body = mime->mm_data.mm_single;
	struct mailmime_single_fields fields;
	char *decoded = NULL;
	size_t at = 0, len = 0;

	memset(&fields, 0, sizeof(fields));
	b->mailmime_single_fields_init(&fields, mime->mm_mime_fields, mime->mm_content_type);
	if (b->mailmime_part_parse(body->dt_data.dt_text.dt_data,
	                           body->dt_data.dt_text.dt_length, &at, encoding_of(&fields),
	                           &decoded, &len) != MAILIMF_NO_ERROR)
		return;
	b->parts++;
	if (is_text(mime->mm_content_type))
		convert(b, fields.fld_content_charset, decoded, len);
	b->mailmime_decoded_part_free(decoded);
}

static void read_tree(struct bare *b, struct mailmime *mime)
{
	clistiter *at;

	switch (mime->mm_type) {
	case MAILMIME_SINGLE:
		read_leaf(b, mime);
		break;
	case MAILMIME_MESSAGE:
		if (mime->mm_data.mm_message.mm_msg_mime)
			read_tree(b, mime->mm_data.mm_message.mm_msg_mime);
		break;
	default:
		for (at = clist_begin(mime->mm_data.mm_multipart.mm_mp_list); at;
		     at = clist_next(at))
			read_tree(b, clist_content(at));
		break;
	}
}

static bool read_mail(struct bare *b, const char *bytes, size_t len)
{
	struct mailmime *mime = NULL;
	size_t at = 0, before = b->parts;

	if (b->mailmime_parse(bytes, len, &at, &mime) != MAILIMF_NO_ERROR)
		return false;
	read_tree(b, mime);
	b->mailmime_free(mime);
	return b->parts > before;
}

static bool read_file(struct bare *b, int folder, const char *name, char *bytes)
{
	int fd = openat(folder, name, O_RDONLY | O_CLOEXEC);
	ssize_t len = fd < 0 ? -1 : read(fd, bytes, MOST_MAIL);

	if (fd >= 0)
		close(fd);
	return len > 0 && read_mail(b, bytes, (size_t)len);
}

size_t bare_parse_folder(const char *folder)
{
	struct bare b = {.parts = 0};
	char *bytes = xmalloc(MOST_MAIL);
	DIR *dir = opendir(folder);
	const struct dirent *d;
	size_t mails = 0;

	load(&b);
	ENSURE(dir != NULL);
	while ((d = readdir(dir)) != NULL)
		if (d->d_name[0] != '.')
			mails += read_file(&b, dirfd(dir), d->d_name, bytes);
	closedir(dir);
	free(bytes);
	return mails;
}
