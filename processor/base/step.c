/*
 * step.c - the shipped program has no hooks. Nothing else may be defined here: test programs link
 * tests/support/hooks.c instead of this file.
 */
#include "processor/base/step.h"

const struct step_hooks *const step_hooks = NULL;
