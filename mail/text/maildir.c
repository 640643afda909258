/*
 * maildir.c - writing a mail so that it is there wholly or not at all.
 */
#include "mail/text/maildir.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mail/source.h"
#include "processor/base/clock.h"
#include "processor/base/file.h"
#include "processor/base/random.h"
#include "processor/base/seal.h"
#include "processor/base/step.h"

enum { NAME_TRIES = 100, CLOCK_SLACK_SECONDS = 2 };

static enum err open_folder(const char *dir, const char *name, int *fd, struct failure *e)
{
	struct strbuf path = STRBUF_INIT;
	enum err r = ERR_NONE;

	strbuf_addf(&path, "%s/%s", dir, name);
	*fd = open(path.ptr, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (*fd < 0 && errno == ENOENT)
		r = err_set(
		    e, ERR_NOT_FOUND,
		    "there is no Maildir folder %s (mkdir -p %s/tmp %s/new %s/cur makes one)",
		    path.ptr, dir, dir, dir);
	else if (*fd < 0)
		r = err_set_errno(e, errno == EACCES ? ERR_DENIED : ERR_IO, "cannot open %s",
		                  path.ptr);
	strbuf_release(&path);
	return r;
}

static enum err maildir_open(const char *dir, struct maildir *out, struct failure *e)
{
	*out = (struct maildir)MAILDIR_INIT;
	TRY(open_folder(dir, "tmp", &out->tmp, e));
	TRY(open_folder(dir, "new", &out->new, e));
	return open_folder(dir, "cur", &out->cur, e);
}

enum err maildir_open_url(const char *url, const char *base, const char *rest,
                          struct maildir *out, struct failure *e)
{
	struct strbuf path = STRBUF_INIT;
	enum err r;

	*out = (struct maildir)MAILDIR_INIT;
	if (rest[0] == '\0')
		return err_set(e, ERR_CONFIG, "%s names no folder", url);
	if (rest[0] != '/')
		strbuf_addf(&path, "%s/", base);
	strbuf_adds(&path, rest);
	r = maildir_open(path.ptr, out, e);
	strbuf_release(&path);
	return r;
}

void maildir_close(struct maildir *m)
{
	const int folders[] = {m->tmp, m->new, m->cur};

	for (size_t i = 0; i < 3; i++)
		if (folders[i] >= 0)
			close(folders[i]);
	*m = (struct maildir)MAILDIR_INIT;
}

enum err maildir_create(const char *dir, struct failure *e)
{
	static const char *const folders[] = {"", "/tmp", "/new", "/cur"};
	struct strbuf path = STRBUF_INIT;
	enum err r = ERR_NONE;

	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]) && r == ERR_NONE; i++) {
		strbuf_clear(&path);
		strbuf_addf(&path, "%s%s", dir, folders[i]);
		r = file_mkdir(path.ptr, e);
	}
	strbuf_release(&path);
	return r;
}

/*
 * A mail's file time is its time of arrival. The file system's clock may be another
 * machine's, or in a test not the one everything else goes by.
 */
static void set_arrival(int fd)
{
	struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, {0}};
	int64_t now_utc = clock_now_utc();
	struct stat st;

	if (fstat(fd, &st) == 0 && st.st_mtim.tv_sec >= now_utc - CLOCK_SLACK_SECONDS &&
	    st.st_mtim.tv_sec <= now_utc + CLOCK_SLACK_SECONDS)
		return;
	times[1].tv_sec = (time_t)now_utc;
	futimens(fd, times);
}

enum err maildir_write(const struct maildir *m, const char *name, struct span bytes,
                       struct failure *e)
{
	int fd =
	    openat(m->tmp, name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
	enum err r;

	if (fd < 0)
		return err_set_errno(e, ERR_IO, "cannot make tmp/%s", name);
	r = file_write_fd(fd, bytes, e);
	if (r == ERR_NONE) {
		set_arrival(fd);
		if (fsync(fd) != 0)
			r = err_set_errno(e, ERR_IO, "cannot fsync");
	}
	if (close(fd) != 0 && r == ERR_NONE)
		r = err_set_errno(e, ERR_IO, "cannot close");
	if (r == ERR_NONE)
		return ERR_NONE;
	unlinkat(m->tmp, name, 0);
	return err_context(e, "tmp/%s", name);
}

/* link, not rename: a name that is taken stays as it is. */
enum err maildir_publish(const struct maildir *m, const char *name, struct failure *e)
{
	enum err r = ERR_NONE;

	if (linkat(m->tmp, name, m->new, name, 0) != 0)
		r = err_set_errno(e, errno == EEXIST ? ERR_EXISTS : ERR_IO,
		                  "cannot link new/%s", name);
	unlinkat(m->tmp, name, 0);
	return r;
}

/*
 * Time, content and chance. The process id that Maildir names often carry is not among
 * them: a scripted run gives the same names each time, and different mails different ones.
 */
static void make_name(struct strbuf *name, struct span raw, unsigned attempt)
{
	struct hash content = hash_of(raw);
	unsigned char chance[8];

	random_bytes("maildir name", chance, sizeof(chance));
	strbuf_clear(name);
	strbuf_addf(name, "%lld.D", (long long)clock_now_utc());
	strbuf_add_hex(name, content.bytes, 8);
	strbuf_addc(name, 'R');
	strbuf_add_hex(name, chance, sizeof(chance));
	strbuf_addf(name, "N%u.molepost", attempt);
}

static enum err deliver(const struct maildir *m, struct span raw, struct failure *e)
{
	struct strbuf name = STRBUF_INIT;
	enum err r = ERR_EXISTS;

	for (unsigned i = 0; i < NAME_TRIES && r == ERR_EXISTS; i++) {
		make_name(&name, raw, i);
		r = maildir_write(m, name.ptr, raw, e);
		if (r == ERR_NONE)
			r = maildir_publish(m, name.ptr, e);
	}
	strbuf_release(&name);
	TRY(r);
	step("maildir: linked");
	if (fsync(m->new) != 0)
		return err_set_errno(e, ERR_IO, "cannot fsync new/");
	step("maildir: delivered");
	return ERR_NONE;
}

enum err maildir_deliver(const char *dir, struct span raw, struct failure *e)
{
	struct maildir m = MAILDIR_INIT;
	enum err r = maildir_create(dir, e);

	if (r == ERR_NONE)
		r = maildir_open(dir, &m, e);
	if (r == ERR_NONE)
		r = deliver(&m, raw, e);
	maildir_close(&m);
	return r == ERR_NONE ? r : err_context(e, "%s", dir);
}
