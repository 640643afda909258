/*
 * deliver.c - what drivers share while they deliver: order, envelope, the server's words.
 */

#include "mail/mail.h"
#include "mail/sink/private.h"

enum { WORDS_MAX = 400 };

void sink_start_later(struct sink *s)
{
	(void)s;
}

bool sink_would_overtake(const struct sink_mail *mails, size_t i)
{
	for (size_t k = 0; mails[i].lane != 0 && k < i; k++)
		if (mails[k].lane == mails[i].lane && mails[k].what != DELIVERY_SENT &&
		    mails[k].what != DELIVERY_DEAD)
			return true;
	return false;
}

bool sink_envelope(const struct sink *s, struct sink_mail *m, struct span *from,
                   struct span *rcpt)
{
	*from = m->envelope_from.len > 0 ? m->envelope_from : span_of(s->settings->address);
	*rcpt = m->rcpt;
	if (mail_address_ok(*from) && mail_address_ok(*rcpt))
		return true;
	m->what = DELIVERY_DEAD;
	m->not_asked = true;
	m->no_such_address = !mail_address_ok(*rcpt);
	strbuf_adds(&m->answer, mail_address_ok(*rcpt)
	                            ? "the envelope sender is no plain mail address"
	                            : "the recipient is no plain mail address");
	return false;
}

void sink_add_words(struct strbuf *out, struct span words)
{
	words = span_trim(words);
	for (size_t i = 0; i < words.len && i < WORDS_MAX; i++) {
		char c = words.ptr[i];

		strbuf_addc(out, c >= 0x20 && c < 0x7f ? c : ' ');
	}
}
