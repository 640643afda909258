/*
 * providers.c - what the ten largest providers want, from their help pages (2026): servers, whether the user is the
 * whole address, ways to log in, addresses with a +. What a mail to oneself shows goes before what stands here.
 */
#include "processor/mailbox/mailbox.h"

#include <strings.h>

static const struct mailbox_provider providers[] = {
    {"gmail.com googlemail.com", "imap.gmail.com", "smtps", "smtp.gmail.com", 465, NULL, true,
     "a password made for programs: https://myaccount.google.com/apppasswords"},
    {"outlook.com hotmail.com live.com msn.com outlook.de hotmail.de", "outlook.office365.com",
     "smtp", "smtp-mail.outlook.com", 587, "microsoft", true, NULL},
    {"yahoo.com ymail.com yahoo.co.uk yahoo.de yahoo.fr aol.com", "imap.mail.yahoo.com",
     "smtps", "smtp.mail.yahoo.com", 465, NULL, false,
     "a password made for programs: Account security, Generate app password"},
    {"icloud.com me.com mac.com", "imap.mail.me.com", "smtp", "smtp.mail.me.com", 587, NULL,
     true, "a password made for programs: https://account.apple.com, App-Specific Passwords"},
    {"gmx.de gmx.net gmx.at gmx.ch", "imap.gmx.net", "smtps", "mail.gmx.net", 465, NULL, true,
     "the password; E-Mail, Einstellungen, POP3/IMAP must be switched on"},
    {"web.de", "imap.web.de", "smtps", "smtp.web.de", 465, NULL, true,
     "the password; E-Mail, Einstellungen, POP3/IMAP must be switched on"},
    {"mail.ru inbox.ru list.ru bk.ru", "imap.mail.ru", "smtps", "smtp.mail.ru", 465, NULL, true,
     "a password made for programs"},
    {"yandex.ru yandex.com ya.ru", "imap.yandex.com", "smtps", "smtp.yandex.com", 465, NULL,
     true, "a password made for programs; Settings, Email clients"},
    {"fastmail.com fastmail.fm", "imap.fastmail.com", "smtps", "smtp.fastmail.com", 465, NULL,
     true, "a password made for programs: Settings, Privacy & Security"},
    {"qq.com foxmail.com", "imap.qq.com", "smtps", "smtp.qq.com", 465, NULL, false,
     "an authorization code in place of the password"},
};

const struct mailbox_provider *mailbox_provider_of(struct span domain)
{
	for (size_t i = 0; i < sizeof(providers) / sizeof(providers[0]); i++) {
		struct span rest = span_of(providers[i].domains), word;

		while (span_next_word(&rest, "", &word))
			if (word.len == domain.len &&
			    strncasecmp(word.ptr, domain.ptr, word.len) == 0)
				return &providers[i];
	}
	return NULL;
}
