/*
 * processor_time.h - how long something takes, whatever else the machine does meanwhile.
 */
#ifndef MOLEPOST_TESTS_PROCESSOR_TIME_H
#define MOLEPOST_TESTS_PROCESSOR_TIME_H

/* What this process alone has used so far, in seconds. */
double processor_seconds(void);

#endif
