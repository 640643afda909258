/*
 * env.h - the environment, read in one place.
 */
#ifndef MOLEPOST_BASE_ENV_H
#define MOLEPOST_BASE_ENV_H

/* The value, borrowed from the process environment, or NULL when unset or empty. */
const char *env_get(const char *name);

#endif
