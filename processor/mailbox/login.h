/*
 * login.h - a person lets the server into a mailbox: the device flow (mail/web/oauth.h) at a terminal.
 */
#ifndef MOLEPOST_PROCESSOR_MAILBOX_LOGIN_H
#define MOLEPOST_PROCESSOR_MAILBOX_LOGIN_H

#include <stdio.h>

#include "processor/server/config.h"

/*
 * Shows the address and the code on `out`, and waits until the person has agreed in a browser, or has not; then the
 * file that `token = oauth:FILE` names has the tokens. Needs neither key nor database. ERR_CONFIG: there is no such
 * line, or none that says oauth; ERR_DENIED, ERR_TIMEOUT, ERR_IO as oauth_device_poll.
 */
enum err mailbox_login(const struct config *cfg, FILE *out, struct failure *e) MUST_CHECK;

#endif
