/*
 * send_child.h - a test program that is its own sending child.
 */
#ifndef MOLEPOST_TESTS_SUPPORT_SEND_CHILD_H
#define MOLEPOST_TESTS_SUPPORT_SEND_CHILD_H

/* To be called by who opens a sink of SMTP: it links in what makes the program serve as the child. */
void send_child_use(void);

#endif
