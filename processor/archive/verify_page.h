/*
 * verify_page.h - a page for a browser that checks records and mails of players, with no part of this
 * program and no network: `molepost verify --page`, and verify.html of a website.
 */
#ifndef MOLEPOST_PROCESSOR_ARCHIVE_VERIFY_PAGE_H
#define MOLEPOST_PROCESSOR_ARCHIVE_VERIFY_PAGE_H

#include "processor/base/span.h"

/* The bytes of processor/archive/verify_page.html, of which molepost(1) has the SHA-256. */
struct span verify_page(void);

#endif
