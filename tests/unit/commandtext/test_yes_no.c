/*
 * test_yes_no.c - what is a YES and what a NO, when people write it in a sentence.
 */
#include <criterion/criterion.h>

#include "processor/commandtext/yes_no.h"

enum { COMMANDS = 50 };

enum said_what { NOTHING, YES, NO, BOTH, HELP };

static enum said_what what_of(const struct said *said)
{
	return said->yes && said->no ? BOTH : said->yes ? YES : said->no ? NO : NOTHING;
}

static enum said_what said_by(struct mail_in *mail, bool *likely)
{
	struct arena *arena = arena_new();
	struct said said = yes_no_said(mail, COMMANDS, arena);
	enum said_what what = what_of(&said);

	if (what == NOTHING && said.help)
		what = HELP;
	*likely = yes_no_is_likely(mail);
	arena_free(arena);
	return what;
}

static enum said_what said_in(const char *text, bool *likely)
{
	struct mail_text texts[] = {{.text = span_of(text)}};
	struct mail_in mail = {.texts = texts, .ntexts = 1};

	return said_by(&mail, likely);
}

static const struct {
	const char *text;
	enum said_what what;
} cases[] = {
    {"yes\n", YES},
    {"YES.\n", YES},
    {"Yes please!\n", YES},
    {"Yes, that was really me.\n", YES},
    {"yes yes yes yes yes\n", YES},
    {"yes yes yes yes yes yes\n", NOTHING},
    {"Yes, by all means, do it now for me\n", NOTHING},
    {"no\n", NO},
    {"No, thanks.\n", NO},
    {"no way\n", NO},
    {"no no no no no\n", NO},
    {"no no no no no no\n", NOTHING},
    /* A word that turns it. */
    {"yes but not now\n", NOTHING},
    {"Yes, not me.\n", NOTHING},
    {"yes I didn't\n", NOTHING},
    {"yes I didn\xe2\x80\x99t\n", NOTHING},
    {"yes I DIDN'T\n", NOTHING},
    {"yes it's me\n", YES},
    {"Yes, never again\n", NOTHING},
    {"yes nobody\n", NOTHING},
    {"no problem\n", NOTHING},
    {"no idea\n", NOTHING},
    {"No virus found\n", NOTHING},
    {"no reply\n", NOTHING},
    {"no yes\n", NOTHING},
    {"no I didn't\n", NO},
    /* What is no plain word is an order or a question. */
    {"yes 5\n", NOTHING},
    {"yes?\n", NOTHING},
    {"yes really?\n", NOTHING},
    {"yes, 5\n", NOTHING},
    {"yes list\n", NOTHING},
    {"yes \xc3\xa9lan\n", YES},
    {"yesterday\n", NOTHING},
    {"now\n", NOTHING},
    /* Where it stands. */
    {"Hi,\nyes please\n", YES},
    {"Thanks for asking so kindly, \nyes please\n", NOTHING},
    {"Thanks for asking so kindly,\n\nyes please\n", YES},
    {"Thanks for asking so\nyes please\n", YES},
    {"Thanks for asking so,\nyes please\n", NOTHING},
    {"Thanks for asking so kindly,\nyes\n", YES},
    {"yes\nno\n", BOTH},
    /* As people say it, but for courtesies alone on its line. */
    {"Yep!\n", YES},
    {"Yeah, thanks\n", YES},
    {"Hi,\n\nthat's right.\n\nAnn\n", YES},
    {"Correct.\n", YES},
    {"Ja, bitte!\n", YES},
    {"Ja, genau.\n", YES},
    {"Oui, merci !\n", YES},
    {"C'est \xc3\xa7"
     "a.\n",
     YES},
    {"S\xc3\xad, gracias\n", YES},
    {"s\xc3\xac\n", YES},
    {"Nein, danke\n", NO},
    {"non merci\n", NO},
    {"Nope.\n", NO},
    {"ja, aber erst morgen\n", NOTHING},
    {"yep but whack 3\n", NOTHING},
    {"Ja?\n", NOTHING},
    {"correct me if I am wrong\n", NOTHING},
    {"that's right but not mine\n", NOTHING},
    {"Nein, ich war das\n", NOTHING},
    {"thanks\n", NOTHING},
    {"help\n", HELP},
    {"popup 3\n", NOTHING},
    {"", NOTHING},
};

Test(yes_no, sentences)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bool likely;

		cr_expect_eq(said_in(cases[i].text, &likely), cases[i].what, "%s",
		             cases[i].text);
		cr_expect(likely || (cases[i].what != YES && cases[i].what != NO), "likely: %s",
		          cases[i].text);
	}
}

/* To "Do you want to play?" people answer in their own words. */
Test(yes_no, to_an_invitation)
{
	static const struct {
		const char *text;
		enum said_what what;
		const char *name;
	} said_so[] = {
	    {"yes\n", YES, ""},
	    {"Sure, sounds fun!\n", YES, ""},
	    {"Hi Carl,\n\nsure, sounds fun!\n\nAnna\n", YES, ""},
	    {"Sure Carl, I'd love to.\n", YES, ""},
	    {"OK\n", YES, ""},
	    {"ok, I'm in\n", YES, ""},
	    {"Count me in! When do we start?\n", YES, ""},
	    {"Thank you for the invitation, I'd love to play.\n", YES, ""},
	    {"Great, can't wait!\n\nCount me in.\n", YES, ""},
	    {"Ja gerne\n", YES, ""},
	    {"Na klar, bin dabei!\n", YES, ""},
	    {"Oui, avec plaisir !\n", YES, ""},
	    {"S\xc3\xad, con mucho gusto\n", YES, ""},
	    {"Volentieri, grazie\n", YES, ""},
	    {"Ja graag\n", YES, ""},
	    {"Ch\xc4\x99tnie!\n", YES, ""},
	    {"I am in as Annie\n", YES, "Annie"},
	    {"Yes, but please call me Annie.\n", YES, "Annie"},
	    {"Ja, als Anna B\n", YES, "Anna B"},
	    {"Sorry, no time at the moment\n", NO, ""},
	    {"Not now, maybe later.\n", NO, ""},
	    {"Thanks for asking, but no\n", NOTHING, ""},
	    {"Leider keine Zeit\n", NO, ""},
	    {"Non merci, je n'ai pas le temps\n", NO, ""},
	    {"I'd rather not, thanks\n", NO, ""},
	    /* Who says more may say otherwise. */
	    {"Sure, as always\n", NOTHING, ""},
	    {"Not sure\n", NOTHING, ""},
	    {"I'm not sure.\n", NOTHING, ""},
	    {"Sure, but not before June.\n", NOTHING, ""},
	    {"Sure!\n\nBut I can't before June.\n", NOTHING, ""},
	    {"I'd love to, if Tom plays\n", NOTHING, ""},
	    {"Count me in? Not now.\n", NO, ""},
	    {"OK?\n", NOTHING, ""},
	    {"yes\nno\n", BOTH, ""},
	    {"I'm in. I'm out.\n", BOTH, ""},
	    {"What is this?\n", NOTHING, ""},
	    {"Who are you? I don't know any Carl\n", NOTHING, ""},
	    {"Sounds great, but how does this work?\n", NOTHING, ""},
	    {"Tak!\n", NOTHING, ""}, /* thanks, in Danish */
	    {"Anna\n", NOTHING, ""},
	    {"Great!\n", NOTHING, ""},
	};

	for (size_t i = 0; i < sizeof said_so / sizeof *said_so; i++) {
		struct mail_text texts[] = {{.text = span_of(said_so[i].text)}};
		struct mail_in mail = {.texts = texts, .ntexts = 1};
		struct arena *arena = arena_new();
		struct said said = yes_no_to_invitation(&mail, COMMANDS, arena);

		cr_expect_eq(what_of(&said), said_so[i].what, "%s", said_so[i].text);
		cr_expect(span_eq_str(said.name, said_so[i].name), "%s: %.*s", said_so[i].text,
		          SPAN_ARGS(said.name));
		arena_free(arena);
	}
}

/* Only a mail in which a line begins so is worth a second look. */
Test(yes_no, likely)
{
	static const char *const not [] = {
	    "popup 3\n", "yesterday I was away\n", "nobody\n", "well, yes\n", "", "ye\n",
	    "n\n"};
	static const char *const likely[] = {"> yes\n",           "* Yes\n", "5. no\n", "yes\n",
	                                     "a\nb\nno thanks\n", "yes",     "no"};
	bool is;

	for (size_t i = 0; i < sizeof not / sizeof *not ; i++) {
		said_in(not [i], &is);
		cr_expect(!is, "%s", not [i]);
	}
	for (size_t i = 0; i < sizeof likely / sizeof *likely; i++) {
		said_in(likely[i], &is);
		cr_expect(is == (likely[i][0] != '>'), "%s", likely[i]);
	}
}

/* The first text that has any of it; the subject alone makes it likely, too. */
Test(yes_no, several_texts)
{
	struct mail_text texts[] = {{.text = SPAN_LIT("popup 3\n")},
	                            {.text = SPAN_LIT("yes\n")},
	                            {.text = SPAN_LIT("no\n")}};
	struct mail_in mail = {.texts = texts, .ntexts = 3};
	struct mail_in subject = {.texts = texts, .ntexts = 1, .subject = SPAN_LIT("Yes")};
	struct mail_in plain = {.texts = texts, .ntexts = 1, .subject = SPAN_LIT("Yesterday")};
	bool likely;

	cr_expect_eq(said_by(&mail, &likely), YES);
	cr_expect(likely);
	cr_expect(yes_no_is_likely(&subject));
	cr_expect(!yes_no_is_likely(&plain));
	texts[1].text = SPAN_LIT("help\n");
	cr_expect_eq(said_by(&mail, &likely), HELP);
}
