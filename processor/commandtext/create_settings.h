/*
 * create_settings.h - slots that only CREATE and FORK have, for the table. Private to this room.
 */
#ifndef MOLEPOST_PROCESSOR_COMMANDTEXT_CREATE_SETTINGS_H
#define MOLEPOST_PROCESSOR_COMMANDTEXT_CREATE_SETTINGS_H

#include "processor/commandtext/slots.h"

enum fit create_take_title(struct args *args, const struct slot *slot);
enum fit create_take_players(struct args *args, const struct slot *slot);
enum fit create_take_bots(struct args *args, const struct slot *slot);
/* The keyword is its name for calendar_set; with `min` a length, which may have two words. */
enum fit create_take_calendar(struct args *args, const struct slot *slot);
enum fit create_take_guests(struct args *args, const struct slot *slot);
/* "name=value" */
enum fit create_take_option(struct args *args, const struct slot *slot);
/* What is wrong with the settings together, or NULL. */
const char *create_settings_check(struct command *item);

#endif
