# molepost: build, test, install. One non-recursive makefile; objects in build/.

CC      ?= cc
CFLAGS  ?= -O2 -g
PREFIX  ?= /usr/local
V       ?= 0
BUILD   ?= build

WARN := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes \
	-Wmissing-prototypes -Wvla -Wformat=2 -Wswitch-enum -Wwrite-strings -Wundef
ifeq ($(DEVELOPER),1)
WARN += -Werror
endif
ALL_CPPFLAGS = -I. -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE $(CPPFLAGS)
ALL_CFLAGS   = -std=c17 $(WARN) -fno-common $(CFLAGS)
LIBS         = -lsqlite3 -lsodium -lutf8proc
EXPORTS      = -Wl,--export-dynamic-symbol=mailmime_extract_boundary

ifeq ($(V),1)
Q =
say = @:
else
Q = @
say = @printf '  %-7s %s\n'
endif

BASE_SRC      := $(wildcard processor/base/*.c)
GAMES_SRC     := $(wildcard processor/games/*.c processor/games/*/*.c)
MAIL_SRC      := $(wildcard mail/*.c)
STORE_SRC     := $(wildcard store/*.c)
REPORTS_SRC   := $(wildcard reports/*.c)
PROCESSOR_SRC := $(filter-out processor/main.c,$(wildcard processor/*.c))
SUPPORT_SRC   := $(wildcard tests/support/*.c)
ALL_SRC := $(BASE_SRC) $(GAMES_SRC) $(MAIL_SRC) $(STORE_SRC) $(REPORTS_SRC) $(PROCESSOR_SRC)

# Two builds: the program itself, and one with the hooks of base/step.h for tests.
REL   := $(BUILD)/rel
HOOKS := $(BUILD)/hooks
rel_obj   = $(patsubst %.c,$(REL)/%.o,$(1))
hooks_obj = $(patsubst %.c,$(HOOKS)/%.o,$(1))

# Every tests/{unit,games,mail,...}/NAME.c is one Criterion program.
TEST_DIRS := unit games mail scenarios threads crash
TEST_SRC  := $(foreach d,$(TEST_DIRS),$(wildcard tests/$(d)/*.c))
TEST_BIN  := $(patsubst tests/%.c,$(BUILD)/tests/%,$(TEST_SRC))

all: $(BUILD)/molepost

$(BUILD)/molepost: $(call rel_obj,processor/main.c $(ALL_SRC))
	$(say) LINK $@
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) $(EXPORTS) -o $@ $^ $(LIBS)

$(HOOKS)/molepost: $(call hooks_obj,processor/main.c $(ALL_SRC))
	$(say) LINK $@
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) $(EXPORTS) -o $@ $^ $(LIBS)

$(REL)/%.o: %.c
	@mkdir -p $(@D)
	$(say) CC $<
	$(Q)$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# schema.c copies the SQL files in.
$(call rel_obj,store/schema.c) $(call hooks_obj,store/schema.c): $(wildcard store/schema/*.sql)

$(HOOKS)/%.o: %.c
	@mkdir -p $(@D)
	$(say) CC.t $<
	$(Q)$(CC) $(ALL_CPPFLAGS) -DMOLEPOST_TEST_HOOKS $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# Tests link the hooks build as one archive, so that a test of base needs no more than base.
$(HOOKS)/molepost.a: $(call hooks_obj,$(ALL_SRC) $(SUPPORT_SRC))
	$(say) AR $@
	$(Q)rm -f $@ && ar rcs $@ $^

$(BUILD)/tests/%: $(HOOKS)/tests/%.o $(HOOKS)/molepost.a
	@mkdir -p $(@D)
	$(say) LINK $@
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) $(EXPORTS) -o $@ $^ -lcriterion $(LIBS)

check: $(TEST_BIN) $(BUILD)/molepost $(HOOKS)/molepost
	@set -e; for t in $(TEST_BIN); do echo "$$t"; $$t; done

clean:
	rm -rf $(BUILD)

.PHONY: all check clean
.SECONDARY:
-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
