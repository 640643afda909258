/*
 * sanitized.h - is this build one for a sanitizer?
 *
 * Their run-time looks at its own process in ways that the limits and walls of a real one forbid.
 */
#ifndef MOLEPOST_BASE_SANITIZED_H
#define MOLEPOST_BASE_SANITIZED_H

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_SANITIZED 1
#endif
#endif
#ifndef IS_SANITIZED
#define IS_SANITIZED 0
#endif

#endif
