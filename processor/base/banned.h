/*
 * banned.h - calls that have no place here, made into compile errors.
 *
 * Included last by every .c file that handles text from outside. Each name
 * has a bounded replacement in base/: strbuf for building text, num.h for
 * reading numbers, clock.h for time, random.h and chance.h for dice.
 */
#ifndef MOLEPOST_BASE_BANNED_H
#define MOLEPOST_BASE_BANNED_H

#pragma GCC poison strcpy strcat strncpy strncat sprintf vsprintf gets
#pragma GCC poison atoi atol atoll sscanf strtok rand srand random srandom
#pragma GCC poison asctime ctime setlocale

#endif
