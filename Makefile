# molepost: build, test, check, install. `make help` lists everything.
#
# One non-recursive makefile; objects and programs go to build/. Nothing here runs a compiler
# while the file is read, so that demo and test work on a machine that has only git and make.

CC       ?= cc
CFLAGS   ?= -O2 -g
CPPFLAGS ?=
LDFLAGS  ?=
PREFIX   ?= /usr/local
DESTDIR  ?=
V        ?= 0
BUILD    ?= build
CLANG    ?= clang
JOBS     ?= $(shell nproc)

# As many jobs as there are processors; -jN on the command line wins.
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(JOBS)
endif

WARN := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes \
	-Wmissing-prototypes -Wvla -Wformat=2 -Wswitch-enum -Wwrite-strings -Wundef
ifeq ($(DEVELOPER),1)
WERROR := -Werror
endif
# Of a release from its file, else of the last commit; 0.SECONDS.COMMIT sorts for dpkg.
VERSION := $(shell cat .version 2>/dev/null || git describe --tags --always --dirty 2>/dev/null || \
	echo unknown)
DEB_VERSION = $(shell echo '$(VERSION)' | grep '^[0-9][^-]*[.]' | tr - + || true)
ifeq ($(DEB_VERSION),)
DEB_VERSION = 0.$(shell git log -1 --format=%ct 2>/dev/null).$(subst -,+,$(VERSION))
endif
# On machines of 32 bits: files above 2 GB, and times behind 2038.
WIDE := $(shell $(CC) -dM -E -x c /dev/null 2>/dev/null | grep -q __LP64__ || \
	echo -D_FILE_OFFSET_BITS=64 -D_TIME_BITS=64)
# Calls that have no place here are errors in every file: processor/base/banned.h.
ALL_CPPFLAGS = -I. -include processor/base/banned.h -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE $(WIDE) $(CPPFLAGS)
ALL_CFLAGS   = -std=c17 $(WARN) $(WERROR) -fno-common $(CFLAGS)
LIBS         = -lsqlite3 -lsodium -lutf8proc -lz
# Read by libetpan, which is loaded at run time and looks for a function of ours.
EXPORTS      = -Wl,--export-dynamic-symbol=mailmime_extract_boundary
SANITIZE     = -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all

# One line for each program; V=1 shows every command.
ifeq ($(V),1)
Q =
say = @:
say_file = @:
else
Q = @
say = @printf '  %-7s %s\n'
say_file = @:
MAKEFLAGS += --no-print-directory
endif

# ---- Sources -------------------------------------------------------------------------------

# The rooms from the top down, as the linker wants their archives; tests/support/floors has who may
# use whom.
ROOMS         := $(shell awk '/^[a-z]/ { all = $$1 " " all } END { print all }' tests/support/floors)
MAIN_SRC      := processor/cli/main.c
room_src       = $(filter-out $(MAIN_SRC),$(wildcard $(1)/*.c \
	$(if $(filter processor/games,$(1)),$(1)/*/*.c)))
SUPPORT_SRC   := $(wildcard tests/support/*.c)
ALL_SRC       := $(foreach r,$(ROOMS),$(call room_src,$(r)))
HEADERS       := $(wildcard mail/*.h $(ROOMS:%=%/*.h) processor/games/*/*.h)
MAN           := $(wildcard processor/man/*.[157])
EXAMPLES      := $(wildcard processor/man/examples/*)

# Every tests/<dir>/NAME.c, and tests/unit/<room>/NAME.c, is one program. All but bench and fuzz are Criterion programs.
TEST_SRC  := $(filter-out tests/support/% tests/fuzz/% tests/bench/%,$(wildcard tests/*/*.c tests/unit/*/*.c))
E2E_SRC   := $(filter tests/e2e/%,$(TEST_SRC))
FUZZ_SRC  := $(wildcard tests/fuzz/*.c)
BENCH_SRC := $(wildcard tests/bench/*.c)
SHIM_SRC  := tests/support/shim/shim.c tests/support/shim/journal.c
TOOL_SRC  := $(filter-out $(SHIM_SRC),$(wildcard tests/support/shim/*.c))
# Libraries that watch a program: tests/support/preload/NAME.c is build/NAME.so.
WATCH_LIB := $(patsubst tests/support/preload/%.c,$(BUILD)/%.so,\
	$(wildcard tests/support/preload/*.c))
# What the program is measured against.
PEER_BIN  := $(patsubst tests/support/peer/%.c,$(BUILD)/tests/support/%,\
	$(wildcard tests/support/peer/*.c))
# What format and format-check look at.
OURS      := $(HEADERS) $(ALL_SRC) $(MAIN_SRC) \
	$(wildcard tests/*/*.[ch] tests/unit/*/*.[ch] tests/support/*/*.[ch])

program    = $(patsubst tests/%.c,$(BUILD)/tests/%,$(1))
E2E_BIN   := $(call program,$(E2E_SRC))
CHECK_BIN := $(call program,$(filter-out $(E2E_SRC),$(TEST_SRC)))
# What takes long: make test runs it, make check only with ALL=1.
LONG_BIN  := $(filter $(BUILD)/tests/crash/% $(BUILD)/tests/upgrade/% %/conversations/test_secrecy %/verify/test_second_opinion \
	%/operator/test_fsck %/games/test_states %/games/test_planted \
	%/phrasings/test_phrasings %/conversations/test_examples \
	%/conversations/test_totals %/conversations/test_codes,$(CHECK_BIN))
SHORT_BIN := $(if $(filter 1,$(ALL)),$(CHECK_BIN),$(filter-out $(LONG_BIN),$(CHECK_BIN)))
FUZZ_BIN  := $(call program,$(FUZZ_SRC))
# Those that read what is broken find more under the sanitizers.
SANITIZED_BIN := $(BUILD)/tests/games/test_states
BENCH_BIN := $(call program,$(BENCH_SRC))
TOOL_BIN  := $(patsubst tests/support/shim/%.c,$(BUILD)/tests/support/%,$(TOOL_SRC))

# One set of objects serves the program, its tests and the benchmarks; another is for the fuzzer.
OBJ  := $(BUILD)/obj
FUZZ := $(BUILD)/fuzzing
obj      = $(patsubst %.c,$(OBJ)/%.o,$(1))
fuzz_obj = $(patsubst %.c,$(FUZZ)/%.o,$(1))
# Tests reach into a program that is linked from these: the linker then leaves base/step.c and
# games/extra_game.c in their archives (see base/step.h).
HOOKS_SRC := tests/support/hooks.c tests/support/break_out.c tests/support/extra_game.c

# ---- What a fresh machine lacks ------------------------------------------------------------

# Goals that promise to work there install first; nothing is compiled before that is done.
DEPS_FIRST := $(strip $(if $(filter demo test lint,$(MAKECMDGOALS)),deps) \
	$(if $(filter test,$(MAKECMDGOALS)),deps-test) \
	$(if $(filter lint,$(MAKECMDGOALS)),deps-lint))

all: $(BUILD)/molepost

deps:
	@DEPS=$(DEPS) tests/support/deps.sh build
deps-test: | deps
	@DEPS=$(DEPS) tests/support/deps.sh test
# Says what is missing for all of it, and installs nothing.
deps-check:
	@tests/support/deps.sh look build test lint
# Where nothing will install it, one sentence says more than the compiler.
ifneq ($(filter check asan valgrind coverage golden,$(MAKECMDGOALS)),)
ifeq ($(filter test,$(MAKECMDGOALS)),)
ifneq ($(shell $(CC) $(CPPFLAGS) -E -include criterion/criterion.h -x c /dev/null >/dev/null 2>&1; echo $$?),0)
$(error Criterion, with which tests are built, is not installed: make deps-check lists what is missing, make \
deps-test installs it)
endif
endif
endif
deps-lint: | deps $(filter deps-test,$(DEPS_FIRST))
	@DEPS=$(DEPS) tests/support/deps.sh lint

# ---- Compiling and linking -----------------------------------------------------------------

# Objects are made again when the compiler or its flags change.
FLAGS_NOW = $(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS)
$(BUILD)/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(FLAGS_NOW)' | cmp -s - $@ || echo '$(FLAGS_NOW)' >$@

# One file knows the version, and is made again when it is another.
$(BUILD)/version: FORCE
	@mkdir -p $(@D)
	@echo '$(VERSION)' | cmp -s - $@ || echo '$(VERSION)' >$@
VERSION_OBJ := $(OBJ)/processor/cli/command_line.o
$(VERSION_OBJ): $(BUILD)/version
$(VERSION_OBJ): ALL_CPPFLAGS += -DMOLEPOST_VERSION='"$(VERSION)"'

$(OBJ)/%.o: %.c $(BUILD)/flags | $(DEPS_FIRST)
	@mkdir -p $(@D)
	$(say_file) CC $<
	$(Q)$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(FUZZ)/%.o: %.c | $(DEPS_FIRST)
	@mkdir -p $(@D)
	$(say_file) CC.f $<
	$(Q)$(CLANG) $(ALL_CPPFLAGS) -std=c17 $(WARN) $(WERROR) -O1 -g \
		-Wno-missing-prototypes $(SANITIZE) -fsanitize=fuzzer-no-link -MMD -MP -c -o $@ $<

# The migrations are the files of a folder, and copied in.
$(BUILD)/migrations.inc: FORCE
	@mkdir -p $(@D)
	@store/schema/list.sh >$@.new && { cmp -s $@.new $@ || cp $@.new $@; }
SCHEMA_OBJ := $(call obj,store/engine/schema.c) $(call fuzz_obj,store/engine/schema.c)
$(SCHEMA_OBJ): $(BUILD)/migrations.inc $(wildcard store/schema/*.sql store/schema/*/*.sql)
$(SCHEMA_OBJ): ALL_CPPFLAGS += -DMIGRATIONS='"$(BUILD)/migrations.inc"'

# So is a page of the archives' room.
$(call obj,processor/archive/verify_page.c) $(call fuzz_obj,processor/archive/verify_page.c): \
	processor/archive/verify_page.html

# What a program is linked from: its objects, then the archives, of which the linker takes what
# is not there yet.
parts = $(filter %.o,$^) $(filter %.a,$^)

$(BUILD)/molepost: $(call obj,$(MAIN_SRC)) $(ROOMS:%=$(OBJ)/%.a)
	$(say) LINK $@
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) $(EXPORTS) -o $@ $(parts) $(LIBS)

# The program that tests run.
TESTED := $(BUILD)/tests/molepost
$(TESTED): $(call obj,$(MAIN_SRC) $(HOOKS_SRC)) $(ROOMS:%=$(OBJ)/%.a)
	@mkdir -p $(@D)
	$(say) LINK $@
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) $(EXPORTS) -o $@ $(parts) $(LIBS)

# A test links its room and those below, as its includes have it: see tests/support/links.sh.
comma := ,
sanitized = $(filter $(FUZZ_BIN) $(SANITIZED_BIN),$(BUILD)/$(1))
has_support = $(filter $(2:%=tests/support/%.o),$(subst $(comma), ,$(1)))
# What it starts or loads when it runs.
runs = $(if $(call has_support,$(1),testbed),$(TESTED)) \
	$(if $(call has_support,$(1),crash disk_calls),$(BUILD)/shim.so) \
	$(if $(call has_support,$(1),preload),$(WATCH_LIB))
link = $(BUILD)/$(1): $(addprefix $(if $(sanitized),$(FUZZ),$(OBJ))/,$(subst $(comma), ,$(2))) | $(call runs,$(2))
$(foreach l,$(shell tests/support/links.sh),$(eval $(call link,$(firstword $(subst :, ,$(l))),$(lastword $(subst :, ,$(l))))))
$(foreach r,$(ROOMS),$(eval $(OBJ)/$(r).a: $(call obj,$(call room_src,$(r)))) \
	$(eval $(FUZZ)/$(r).a: $(call fuzz_obj,$(call room_src,$(r)))))
%.a:
	@mkdir -p $(@D)
	$(say_file) AR $@
	$(Q)rm -f $@ && ar rcs $@ $^

$(FUZZ_BIN): $(BUILD)/tests/%: $(FUZZ)/tests/%.o
	@mkdir -p $(@D)
	$(say) LINK $@
	$(Q)$(CLANG) $(SANITIZE) -fsanitize=fuzzer $(EXPORTS) -o $@ $(parts) $(LIBS)

$(BENCH_BIN): $(BUILD)/tests/%: $(OBJ)/tests/%.o
	@mkdir -p $(@D)
	$(say) LINK $@
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) $(EXPORTS) -o $@ $(parts) $(LIBS) -lm

$(SANITIZED_BIN): $(BUILD)/tests/%: $(FUZZ)/tests/%.o
	@mkdir -p $(@D)
	$(say) LINK $@
	$(Q)$(CLANG) $(SANITIZE) $(EXPORTS) -o $@ $(parts) -lcriterion $(LIBS)
	@echo $(parts) >$@.parts

# Made by the script, a game is linked with the contract test's parts. Mistakes are planted in a
# program of test_states and this test.
$(BUILD)/tests/games/test_new_game: | $(BUILD)/tests/games/test_contract
$(BUILD)/tests/games/test_planted: | $(FUZZ)/tests/games/test_contract.o $(FUZZ)/processor/bots.a \
	$(BUILD)/tests/games/test_states

$(filter-out $(SANITIZED_BIN),$(CHECK_BIN)) $(E2E_BIN): $(BUILD)/tests/%: $(OBJ)/tests/%.o
	@mkdir -p $(@D)
	$(say) LINK $@
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) $(EXPORTS) -o $@ $(parts) -lcriterion $(LIBS)
	@echo $(parts) >$@.parts

$(BUILD)/tests/mail/test_cell: | $(TESTED)
$(BUILD)/tests/crash/test_shim: | $(BUILD)/shim.so $(TOOL_BIN)

# The fault shim is loaded before everything else, also before a sanitizer: it has none.
$(BUILD)/shim.so: $(SHIM_SRC) $(wildcard tests/support/shim/*.h) | $(DEPS_FIRST)
	@mkdir -p $(@D)
	$(say) SHIM $@
	$(Q)$(CC) $(ALL_CPPFLAGS) -U_FORTIFY_SOURCE -std=c17 $(WARN) $(WERROR) -O2 -g -fPIC -shared -o $@ $(SHIM_SRC) -ldl

$(WATCH_LIB): $(BUILD)/%.so: tests/support/preload/%.c $(wildcard tests/support/*.h) | $(DEPS_FIRST)
	@mkdir -p $(@D)
	$(say) WATCH $@
	$(Q)$(CC) $(ALL_CPPFLAGS) -U_FORTIFY_SOURCE -std=c17 $(WARN) $(WERROR) -O2 -g -fPIC -shared -o $@ $< -ldl

$(TOOL_BIN): $(BUILD)/tests/support/%: tests/support/shim/%.c | $(DEPS_FIRST)
	@mkdir -p $(@D)
	$(say) CC $@
	$(Q)$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -o $@ $<

$(PEER_BIN): $(BUILD)/tests/support/%: tests/support/peer/%.c | $(DEPS_FIRST)
	@mkdir -p $(@D)
	$(say) CC $@
	$(Q)$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -o $@ $< -lsqlite3

# ---- Showing and testing -------------------------------------------------------------------

demo: $(BUILD)/molepost | $(DEPS_FIRST)
	@tests/support/demo.sh $(BUILD)/molepost

# One change after the other in IN=FOLDER, N of them, and whether a test notices: make mutate N=50 IN=store
mutate: $(TESTED)
	@tests/support/mutate.py $(or $(N),50) '$(IN)' $(BUILD) $(or $(SEED),1)

# A new game from the skeleton: make game NAME="coin toss"
game:
	@tests/support/new-game.sh '$(NAME)'

PROGRAMS := $(BUILD)/molepost $(TESTED) $(BUILD)/shim.so $(TOOL_BIN)
# Two programs more than there are processors, since many wait for servers and for limits of time.
RUN_TESTS = T='$(T)' V=$(V) JOBS=$$(($(JOBS) + 2)) MOLEPOST_BUILD=$(BUILD) tests/support/run-tests.sh

# GAMES_PER_KIND: how many random games the contract tests play of each kind. ECHO_EVERY: after
# which conversations our own mails come back. ANSWERS_EVERY: which rounds of answers are played; odd, since every
# second answers a report.
check: export GAMES_PER_KIND ?= 10
check: export ECHO_EVERY ?= 16
check: export ANSWERS_EVERY ?= 7
check: $(SHORT_BIN) $(PROGRAMS)
	@$(RUN_TESTS) $(SHORT_BIN)

test: export GAMES_PER_KIND ?= 300
test: $(CHECK_BIN) $(E2E_BIN) $(FUZZ_BIN) $(PROGRAMS) $(WATCH_LIB)
	@$(RUN_TESTS) $(CHECK_BIN) $(E2E_BIN) $(FUZZ_BIN)

# Tests that look at the clock make no sense where everything is slow.
UNTIMED := */!(*quickly*|*proportion*)
asan: T ?= $(UNTIMED)
asan:
	@$(MAKE) BUILD=$(BUILD)/asan CFLAGS='-O1 -g $(SANITIZE)' ALL=1 T='$(T)' check

# Leaks are the business of asan. Not the test that flips every byte of an archive: it takes hours; nor what
# runs under another sanitizer, or compiles.
valgrind: T ?= $(UNTIMED)
valgrind: export GAMES_PER_KIND ?= 1
valgrind: $(CHECK_BIN) $(PROGRAMS)
	@VALGRIND='valgrind -q --trace-children=yes --error-exitcode=99' \
		$(RUN_TESTS) $(filter-out %/test_archive %/test_states %/test_planted %/test_new_game,$(filter \
		$(BUILD)/tests/unit/% $(BUILD)/tests/games/%,$(CHECK_BIN)))

coverage:
	@rm -rf $(BUILD)/coverage/obj/*.gcda
	@$(MAKE) BUILD=$(BUILD)/coverage CFLAGS='-O0 -g --coverage' ALL=1 T='$(T)' check
	@tests/support/coverage.sh $(BUILD)/coverage/obj $(ALL_SRC)

# One target for as long as wanted: make fuzz FUZZ_TARGET=order_text FUZZ_TIME=600
FUZZ_TARGET ?= $(firstword $(notdir $(FUZZ_BIN)))
fuzz: $(FUZZ_BIN)
	@mkdir -p $(BUILD)/corpus/$(FUZZ_TARGET)
	$(BUILD)/tests/fuzz/$(FUZZ_TARGET) -max_total_time=$(or $(FUZZ_TIME),60) \
		-artifact_prefix=$(BUILD)/corpus/ $(BUILD)/corpus/$(FUZZ_TARGET) \
		$(wildcard tests/fuzz/corpus/$(FUZZ_TARGET))

fuzz-smoke: $(FUZZ_BIN)
	@$(RUN_TESTS) $(FUZZ_BIN)

# One after the other: they measure.
bench: $(BENCH_BIN) $(PROGRAMS) $(PEER_BIN) $(WATCH_LIB)
	@set -e; for b in $(BENCH_BIN); do MOLEPOST_BUILD=$(BUILD) "$$b"; done

# Golden files change only on purpose: make golden UPDATE=1, then read the diff.
golden: $(CHECK_BIN) $(PROGRAMS)
	@UPDATE=$(UPDATE) $(RUN_TESTS) $(filter $(BUILD)/tests/scenarios/% \
		$(BUILD)/tests/conversations/% $(BUILD)/tests/games/% \
		$(BUILD)/tests/mail/test_parse $(BUILD)/tests/mail/test_corpus,$(CHECK_BIN))

# ---- Linting -------------------------------------------------------------------------------

lint: headers layers shares recipes words tidy cppcheck manlint format-check

# Every header compiles alone, twice in a row, with both compilers.
headers: $(HEADERS:%=$(BUILD)/lint/%.ok)
$(BUILD)/lint/%.h.ok: %.h | $(DEPS_FIRST)
	@mkdir -p $(@D)
	$(Q)for cc in "$(CC)" "$(CLANG)"; do \
		printf '#include "%s"\n#include "%s"\nextern int header_alone;\n' $< $< | \
		$$cc $(ALL_CPPFLAGS) -std=c17 $(WARN) -Werror -fsyntax-only -x c - || exit 1; \
	done
	@touch $@

layers: $(BUILD)/molepost | $(DEPS_FIRST)
	@CC='$(CC)' tests/support/layers.sh $(OBJ) $(BUILD)/molepost

# How much of the code serves one place only; UPDATE=1 writes the table anew.
shares:
	@tests/support/shares.sh $(if $(filter 1,$(UPDATE)),UPDATE)

# The recipes of processor/README.md against the tree and what was last done by them.
recipes:
	@tests/support/recipes.sh

words: | $(DEPS_FIRST)
	@tests/support/words.sh

tidy: $(patsubst %.c,$(BUILD)/lint/%.tidy,$(MAIN_SRC) $(ALL_SRC))
# The object stands for the file and all headers that it includes. The analyzer looks at 75,000 nodes a function, as
# clang's own shallow mode has it, but into all that is called: 225,000 take three times as long.
$(BUILD)/lint/%.tidy: $(OBJ)/%.o .clang-tidy | $(DEPS_FIRST)
	@mkdir -p $(@D)
	$(say_file) TIDY $*.c
	$(Q)clang-tidy --quiet $*.c -- $(ALL_CPPFLAGS) -std=c17 \
		-Xclang -analyzer-config -Xclang max-nodes=75000 >$@.log 2>/dev/null || \
		{ cat $@.log; exit 1; }
	@touch $@

# Uninitialised values and orders of evaluation are left to tidy and to the compiler; a choice among the arguments of
# ARGS is beyond its parser.
cppcheck: | $(DEPS_FIRST)
	@mkdir -p $(BUILD)/lint/cppcheck
	$(say) CPPCHK 'all layers'
	$(Q)cppcheck --quiet --std=c11 -j $(JOBS) --cppcheck-build-dir=$(BUILD)/lint/cppcheck \
		--error-exitcode=1 --inline-suppr --enable=warning,performance,portability \
		--suppress=missingIncludeSystem \
		--suppress=uninitvar --suppress=unknownEvaluationOrder --suppress=internalAstError -I. processor mail store reports

manlint: | $(DEPS_FIRST)
	@mandoc -T lint -W warning $(MAN)

format:
	@clang-format -i $(OURS)
format-check: | $(DEPS_FIRST)
	@clang-format --dry-run -Werror $(OURS)

# ---- Installing ----------------------------------------------------------------------------

BINDIR     = $(PREFIX)/bin
MANDIR     = $(PREFIX)/share/man
DOCDIR     = $(PREFIX)/share/doc/molepost
LIBDIR     = $(PREFIX)/lib
SYSTEMDDIR = $(LIBDIR)/systemd/system
UNITUSER   = moles
BASHDIR    = $(PREFIX)/share/bash-completion/completions
ZSHDIR     = $(PREFIX)/share/zsh/vendor-completions
FISHDIR    = $(PREFIX)/share/fish/vendor_completions.d

# Units and snippets name the program, and the user, that were installed.
as_installed = sed 's|/usr/local/bin/|$(BINDIR)/|g; s|^User=moles$$|User=$(UNITUSER)|; \
	s|^u moles |u $(UNITUSER) |; s|0700 moles moles|0700 $(UNITUSER) $(UNITUSER)|' \
	processor/man/examples/$(1) >$(DESTDIR)$(2) && chmod 644 $(DESTDIR)$(2)

UNITS = molepost.service molepost.timer molepost.path molepost-wait.service

# Everything install puts anywhere; its examples lie in a folder of their own.
INSTALLED = $(BINDIR)/molepost $(BASHDIR)/molepost $(ZSHDIR)/_molepost $(FISHDIR)/molepost.fish \
	$(foreach page,$(MAN),$(MANDIR)/man$(subst .,,$(suffix $(page)))/$(notdir $(page))) \
	$(UNITS:%=$(SYSTEMDDIR)/%) \
	$(LIBDIR)/sysusers.d/molepost.conf $(LIBDIR)/tmpfiles.d/molepost.conf

install: $(BUILD)/molepost
	install -D -m 755 $(BUILD)/molepost $(DESTDIR)$(BINDIR)/molepost
	@set -e; for page in $(MAN); do \
		install -D -m 644 $$page $(DESTDIR)$(MANDIR)/man$${page##*.}/$${page##*/}; done
	install -D -m 644 README.md $(DESTDIR)$(DOCDIR)/README.md
	install -m 644 processor/man/CHANGES processor/man/*.png $(DESTDIR)$(DOCDIR)
	install -d $(DESTDIR)$(DOCDIR)/examples
	install -m 644 $(EXAMPLES) $(DESTDIR)$(DOCDIR)/examples
	install -D -m 644 processor/man/completions/molepost.bash $(DESTDIR)$(BASHDIR)/molepost
	install -D -m 644 processor/man/completions/_molepost $(DESTDIR)$(ZSHDIR)/_molepost
	install -D -m 644 processor/man/completions/molepost.fish $(DESTDIR)$(FISHDIR)/molepost.fish
	@install -d $(DESTDIR)$(SYSTEMDDIR) $(DESTDIR)$(LIBDIR)/sysusers.d $(DESTDIR)$(LIBDIR)/tmpfiles.d
	@$(foreach u,$(UNITS),$(call as_installed,$(u),$(SYSTEMDDIR)/$(u)) &&) true
	@$(call as_installed,molepost.sysusers,$(LIBDIR)/sysusers.d/molepost.conf)
	@$(call as_installed,molepost.tmpfiles,$(LIBDIR)/tmpfiles.d/molepost.conf)

# Folders go too, unless somebody else has something in them.
uninstall:
	rm -f $(addprefix $(DESTDIR),$(INSTALLED))
	rm -rf $(DESTDIR)$(DOCDIR)
	@for dir in $(sort $(dir $(INSTALLED) $(DOCDIR))); do \
		(cd '$(DESTDIR)/' && rmdir -p ".$$dir" 2>/dev/null) || true; done

dist:
	@mkdir -p $(BUILD)
	@git archive --prefix=molepost-$(VERSION)/ --add-virtual-file=molepost-$(VERSION)/.version:$(VERSION) \
		-o $(BUILD)/molepost-$(VERSION).tar.gz HEAD && \
	echo $(BUILD)/molepost-$(VERSION).tar.gz

# A Debian package of the last commit, in build/deb; whoever made that commit answers for it.
DEB_MAINTAINER = $(shell git log -1 --format='%an <%ae>')
deb:
	@DEPS=$(DEPS) tests/support/deps.sh build package
	@rm -rf $(BUILD)/deb && mkdir -p $(BUILD)/deb
	@git archive --prefix=molepost/ --add-virtual-file=molepost/.version:$(VERSION) HEAD | \
		tar -x -C $(BUILD)/deb
	@cd $(BUILD)/deb/molepost && mv .debian debian && \
	printf 'molepost (%s) unstable; urgency=medium\n\n  * As in CHANGES.\n\n -- %s  %s\n' \
		'$(DEB_VERSION)' '$(DEB_MAINTAINER)' "$$(date -R)" >debian/changelog && \
	sed -i 's|@MAINTAINER@|$(DEB_MAINTAINER)|' debian/control && \
	DEB_BUILD_OPTIONS=nocheck dpkg-buildpackage -us -uc -b >../build.log 2>&1 || \
		{ tail -n 20 ../build.log; exit 1; }
	@lintian --fail-on error,warning $(BUILD)/deb/*.changes
	@ls $(BUILD)/deb/*.deb

clean:
	rm -rf $(BUILD)

define HELP
Usage: make [TARGET ...] [VARIABLE=value ...]

Building
  all           build/molepost (what plain `make` does)
  install       program, manual, completions, units, examples; PREFIX=/usr/local DESTDIR=
                BINDIR= MANDIR= DOCDIR= SYSTEMDDIR= UNITUSER=moles
  uninstall     removes what install put there
  dist          build/molepost-VERSION.tar.gz from the last commit
  deb           a Debian package of it, in build/deb
  clean         removes build/

Trying
  demo          a whole game of Whakka Mole by mail, in a folder of its own
  game          NAME="coin toss": a new game, copied from the skeleton

Testing (T=glob chooses: suite/test, program/suite/test, or a program or suite)
  build/tests/unit/calendar/test_deadline and the like: one test program, see tests/README.md
  check         what is short, some two minutes on two processors; ALL=1 adds the rest but e2e
  test          everything: long random games, crashes, real servers, short fuzzing
  asan          check under AddressSanitizer and UBSan
  valgrind      unit and game tests under valgrind
  coverage      check, then the lines reached per file
  fuzz          one target for a while: FUZZ_TARGET=name FUZZ_TIME=60
  fuzz-smoke    every fuzz target for FUZZ_TIME=2 seconds
  bench         the benchmarks, one after the other
  mutate        N=50 IN=store: changes one thing at a time, and lists what no test notices
  golden        scenario, conversation and mail tests; UPDATE=1 rewrites the expected files

Looking (all of it: lint)
  headers       every header compiles alone, with gcc and clang
  layers        which room may use which
  shares        lines of each room; what serves one place only may not become more
  recipes       what processor/README.md says a change touches, against the last such changes
  words         no unfinished business, no name that was given up
  tidy          clang-tidy; results are kept per file
  cppcheck      cppcheck
  manlint       mandoc on the manual pages
  format        clang-format on everything; format-check only looks

What is missing comes from Debian by itself with demo, test and lint; or by hand:
  deps          to build      deps-test   to test      deps-lint   to lint
  deps-check    list it, and install nothing
  DEPS=skip     install nothing

Variables: CC CFLAGS CPPFLAGS LDFLAGS CLANG BUILD JOBS; V=1 shows every command,
DEVELOPER=1 makes warnings errors; GAMES="kinds" GAMES_PER_KIND=n SEED=n for random games.
endef

help:
	$(info $(HELP))@:

.PHONY: all asan bench check clean coverage cppcheck deb demo deps deps-check deps-lint deps-test dist \
	format format-check fuzz game fuzz-smoke golden headers help install layers lint manlint mutate \
	recipes shares test tidy uninstall valgrind words FORCE
.SECONDARY:
.DELETE_ON_ERROR:
ALL_OBJ := $(call obj,$(MAIN_SRC) $(ALL_SRC) $(SUPPORT_SRC) $(BENCH_SRC) $(TEST_SRC)) \
	$(call fuzz_obj,$(ALL_SRC) $(SUPPORT_SRC) $(FUZZ_SRC) $(wildcard tests/games/*.c))
-include $(ALL_OBJ:.o=.d)
