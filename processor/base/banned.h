/*
 * banned.h - calls that have no place here, made into compile errors.
 *
 * The compiler reads this before every file of the program and its tests (-include in the
 * Makefile), so that no file can leave it out. Each name has a bounded replacement in base/:
 * strbuf for building text, num.h for reading numbers, clock.h for time, random.h and chance.h
 * for dice.
 *
 * The functions are declared by hand and no header is included, since a file may define
 * _GNU_SOURCE first. C wants the same types as the system's headers have.
 */
#ifndef MOLEPOST_BASE_BANNED_H
#define MOLEPOST_BASE_BANNED_H

#define BANNED(instead) __attribute__((unavailable("banned: use " instead)))

char *strcpy(char *, const char *) BANNED("strbuf");
char *strcat(char *, const char *) BANNED("strbuf");
char *strncpy(char *, const char *, __SIZE_TYPE__) BANNED("strbuf, or memcpy");
char *strncat(char *, const char *, __SIZE_TYPE__) BANNED("strbuf");
int sprintf(char *, const char *, ...) BANNED("strbuf_addf");
int vsprintf(char *, const char *, __builtin_va_list) BANNED("strbuf_vaddf");
char *gets(char *) BANNED("file_read");
char *strtok(char *, const char *) BANNED("span_next_word");
int atoi(const char *) BANNED("num.h");
long atol(const char *) BANNED("num.h");
long long atoll(const char *) BANNED("num.h");
int sscanf(const char *, const char *, ...) BANNED("num.h");
int rand(void) BANNED("chance.h");
long random(void) BANNED("chance.h");
void srand(unsigned) BANNED("chance.h");
void srandom(unsigned) BANNED("chance.h");
char *setlocale(int, const char *) BANNED("nothing: there is one locale here, C");
struct tm;
char *asctime(const struct tm *) BANNED("clock.h");
#ifdef __LP64__
char *ctime(const long *) BANNED("clock.h"); /* time_t has other types elsewhere */
#endif

#undef BANNED

#endif
