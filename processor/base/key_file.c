/*
 * key_file.c - the file that holds the server's keys, one pair of secrets for each key there has been.
 *
 * It is checked to the byte (form, version, check line), so that a damaged key is found when it is loaded
 * and not by a seal that does not open.
 */
#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "processor/base/file.h"
#include "processor/base/keyring_private.h"
#include "processor/base/num.h"
#include "processor/base/paper_words.h"
#include "processor/base/random.h"
#include "processor/base/sanitized.h"
#include "processor/base/step.h"

enum { KEY_FILE_MAX = 8192, KEYS_MOST = 32 };

/* All there are, in memory that is locked and wiped. */
struct key_file {
	unsigned n;
	struct secrets items[KEYS_MOST];
};

static struct hash check_of(const struct key_file *f)
{
	struct hasher h;

	hasher_start(&h);
	hasher_add(&h, SPAN_LIT("molepost/1 key file\n"));
	for (unsigned i = 0; i < f->n; i++) {
		hasher_add(&h, hash_span(&f->items[i].master));
		hasher_add(&h, hash_span(&f->items[i].sign_seed));
	}
	return hasher_end(&h);
}

static void add_line(struct strbuf *out, const char *name, const struct hash *d)
{
	strbuf_addf(out, "%s ", name);
	hash_add_hex(out, d);
	strbuf_addc(out, '\n');
}

/* One key is written as it was before there could be several. */
static const char first_line_of_one[] = "molepost key file 1",
		  first_line[] = "molepost key file 2";

/* The whole room is taken first: a buffer that moves would leave unwiped copies behind. */
static void write_key_file(struct strbuf *out, const struct key_file *f)
{
	struct hash check = check_of(f);

	strbuf_grow(out, KEY_FILE_MAX);
	strbuf_addf(out, "%s\n", f->n == 1 ? first_line_of_one : first_line);
	strbuf_adds(out, "# Whoever reads this file can open every seal of this server and\n"
	                 "# sign in its name. Keep a copy apart from the database: without\n"
	                 "# it running games are lost.\n");
	for (unsigned i = 0; i < f->n; i++) {
		add_line(out, "master", &f->items[i].master);
		add_line(out, "sign", &f->items[i].sign_seed);
	}
	add_line(out, "check", &check);
}

static bool take_line(struct span *rest, const char *name, struct hash *d)
{
	struct span line;

	return span_next_line(rest, &line) && span_starts(line, name) &&
	       line.len > strlen(name) && line.ptr[strlen(name)] == ' ' &&
	       hash_parse(span_slice(line, strlen(name) + 1, line.len), d);
}

static enum err read_key_file(struct span text, struct key_file *f, struct failure *e)
{
	struct hash check, expected;
	struct span line;
	bool well_formed = true, many;

	f->n = 0;
	if (!span_next_line(&text, &line) ||
	    !(span_eq_str(line, first_line_of_one) || span_eq_str(line, first_line)))
		return err_set(e, ERR_CORRUPT, "the first line is not \"%s\"",
		               first_line_of_one);
	many = span_eq_str(line, first_line);
	while (span_starts(text, "#"))
		(void)span_next_line(&text, &line);
	do {
		well_formed = take_line(&text, "master", &f->items[f->n].master) &&
		              take_line(&text, "sign", &f->items[f->n].sign_seed);
		f->n++;
	} while (well_formed && many && f->n < KEYS_MOST && span_starts(text, "master"));
	if (!(well_formed && take_line(&text, "check", &check) && text.len == 0))
		return err_set(e, ERR_CORRUPT,
		               "the lines master, sign and check are not as written");
	expected = check_of(f);
	if (!hash_eq(&check, &expected))
		return err_set(e, ERR_CORRUPT, "the check line does not fit the keys");
	return ERR_NONE;
}

void secret_release(struct strbuf *sb)
{
	if (sb->cap > 0)
		sodium_memzero(sb->ptr, sb->cap);
	strbuf_release(sb);
}

/*
 * From here on no process of this user may look into ours, nor does a core file show what is in it;
 * only root may.
 */
static void hide_memory(void)
{
	struct rlimit none = {0, 0};

	if (IS_SANITIZED)
		return;
	(void)prctl(PR_SET_DUMPABLE, 0);
	(void)setrlimit(RLIMIT_CORE, &none);
}

static struct key_file *key_file_new(void)
{
	hide_memory();
	return secret_alloc(sizeof(struct key_file));
}

static struct hash sign_seed_of(const struct hash *master)
{
	return hash_keyed(master, SPAN_LIT("molepost/1 sign seed"));
}

/* One more key, from a master of its own. */
static void add_key(struct key_file *f, const struct hash *master)
{
	f->items[f->n].master = *master;
	f->items[f->n++].sign_seed = sign_seed_of(master);
}

static enum err create_file(const char *path, const struct key_file *f, struct failure *e)
{
	struct strbuf text = STRBUF_INIT;

	write_key_file(&text, f);
	enum err r = file_create(path, strbuf_span(&text), e);
	secret_release(&text);
	return r;
}

enum err keyring_create(const char *path, struct failure *e)
{
	struct key_file *f = key_file_new();
	struct hash master = {{0}};

	random_bytes("keyring master", master.bytes, HASH_LEN);
	add_key(f, &master);
	sodium_memzero(&master, sizeof(master));
	enum err r = create_file(path, f, e);
	sodium_free(f);
	return r;
}

static enum err open_private(const char *path, int *fd, struct failure *e)
{
	struct stat st;

	*fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (*fd < 0 && errno == ENOENT)
		return err_set(e, ERR_NOT_FOUND, "there is no key file %s", path);
	if (*fd < 0)
		return err_set_errno(e, errno == EACCES ? ERR_DENIED : ERR_IO,
		                     "cannot open the key file %s", path);
	if (fstat(*fd, &st) != 0)
		return err_set_errno(e, ERR_IO, "cannot examine the key file %s", path);
	if (!S_ISREG(st.st_mode))
		return err_set(e, ERR_IO, "the key file %s is not a regular file", path);
	if ((st.st_mode & 077) != 0)
		return err_set(e, ERR_DENIED,
		               "the key file %s is open to others (mode %03o): chmod 600 it",
		               path, (unsigned)st.st_mode & 0777);
	return ERR_NONE;
}

static enum err load_file(const char *path, struct key_file *f, struct failure *e)
{
	struct strbuf text = STRBUF_INIT;
	int fd = -1;
	enum err r = open_private(path, &fd, e);

	if (r != ERR_NONE)
		goto out;
	strbuf_grow(&text, KEY_FILE_MAX + 1);
	r = file_read_fd(fd, KEY_FILE_MAX, &text, e);
	if (r == ERR_LIMIT)
		r = err_set(e, ERR_CORRUPT, "longer than any key file");
	if (r == ERR_NONE)
		r = read_key_file(strbuf_span(&text), f, e);
	if (r != ERR_NONE)
		err_context(e, "the key file %s", path);
out:
	if (fd >= 0)
		close(fd);
	secret_release(&text);
	return r;
}

enum err keyring_load(const char *path, struct keyring **out, struct failure *e)
{
	struct key_file *f = key_file_new();
	enum err r = load_file(path, f, e);

	*out = NULL;
	for (unsigned i = 0; r == ERR_NONE && i < f->n; i++)
		*out = keyring_on_top(*out, &f->items[i]);
	sodium_free(f);
	return r;
}

/* ---- further keys, and keys on paper ---- */

/* Under another name first: at no moment is there a file with half of it, or none. */
static enum err replace_file(const char *path, const struct key_file *f, struct failure *e)
{
	struct strbuf new = STRBUF_INIT, dir = STRBUF_INIT;

	strbuf_addf(&new, "%s.new", path);
	(void)unlink(new.ptr); /* of a rotation that was stopped */
	enum err r = create_file(new.ptr, f, e);
	step("key.replaced.before");
	if (r == ERR_NONE && rename(new.ptr, path) != 0)
		r = err_set_errno(e, ERR_IO, "cannot put %s in its place", new.ptr);
	step("key.replaced.after");
	const char *slash = strrchr(path, '/');
	strbuf_add(&dir, slash ? path : ".", slash ? (size_t)(slash - path) + 1 : 1);
	if (r == ERR_NONE)
		r = file_sync_dir(dir.ptr, e);
	strbuf_release(&new);
	strbuf_release(&dir);
	return r;
}

enum err keyring_rotate(const char *path, unsigned *number, struct failure *e)
{
	struct key_file *f = key_file_new();
	struct hash master = {{0}};
	enum err r = load_file(path, f, e);

	if (r == ERR_NONE && f->n == KEYS_MOST)
		r = err_set(e, ERR_LIMIT, "there are %u keys already, and no more fit", f->n);
	if (r == ERR_NONE) {
		char label[32]; /* with a seed, each key is another all the same */

		(void)snprintf(label, sizeof(label), "keyring master %u", f->n + 1);
		random_bytes(label, master.bytes, HASH_LEN);
		add_key(f, &master);
		sodium_memzero(&master, sizeof(master));
		*number = f->n;
		r = replace_file(path, f, e);
	}
	sodium_free(f);
	return r;
}

enum err keyring_add_words(const char *path, struct strbuf *out, struct failure *e)
{
	struct key_file *f = key_file_new();
	enum err r = load_file(path, f, e);

	strbuf_grow(out, KEY_FILE_MAX * 2);
	for (unsigned i = 0; r == ERR_NONE && i < f->n; i++) {
		const struct secrets *s = &f->items[i];
		struct hash usual = sign_seed_of(&s->master);

		strbuf_addf(out, "key %u\n", i + 1);
		paper_words_add(&s->master, out);
		if (!hash_eq(&usual, &s->sign_seed)) {
			strbuf_addf(out, "key %u, second part\n", i + 1);
			paper_words_add(&s->sign_seed, out);
		}
		sodium_memzero(&usual, sizeof(usual));
	}
	sodium_free(f);
	return r;
}

/* "key 1" and its words, "key 1, second part" and those, "key 2" ... */
static enum err read_words(struct span text, struct key_file *f, struct failure *e)
{
	struct span line;

	f->n = 0;
	while (text.len > 0) {
		struct span rest = text;
		unsigned number;

		if (!span_next_line(&rest, &line) || span_trim(line).len == 0) {
			text = rest;
			continue;
		}
		struct span words = span_trim(line), first, no, second;
		bool is_head = span_next_word(&words, " ,", &first) &&
		               span_eq_str(first, "key") && span_next_word(&words, " ,", &no) &&
		               num_parse_uint(no, 1, KEYS_MOST, &number);
		bool is_second = is_head && span_next_word(&words, " ,", &second);
		if (!is_head || number != f->n + (is_second ? 0 : 1))
			return err_set(e, ERR_CORRUPT,
			               "\"%.*s\": a line \"key %u\" is expected here",
			               SPAN_ARGS(span_trim(line)), f->n + 1);
		text = rest;
		struct hash secret;
		enum err r = paper_words_read(&text, &secret, e);
		if (r != ERR_NONE) {
			err_context(e, "key %u", number);
			return r;
		}
		if (is_second)
			f->items[f->n - 1].sign_seed = secret;
		else
			add_key(f, &secret);
		sodium_memzero(&secret, sizeof(secret));
	}
	return f->n > 0 ? ERR_NONE : err_set(e, ERR_CORRUPT, "there are no words in it");
}

enum err keyring_from_words(const char *path, struct span text, struct failure *e)
{
	struct key_file *f = key_file_new();
	enum err r = read_words(text, f, e);

	if (r == ERR_NONE)
		r = create_file(path, f, e);
	sodium_free(f);
	return r;
}
