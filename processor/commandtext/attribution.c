/*
 * attribution.c - the lines in which a mail program says whom it quotes.
 */
#include "processor/commandtext/attribution.h"

enum { LONGEST = 400 };

/* Words of writing, as they stand at or near the end. */
static const char *const writing[] = {
    "wrote",    "writes",   "schrieb",   "schreef",    "schreibt", "a écrit", "a ecrit",
    "escribió", "escribio", "escreveu",  "ha scritto", "scrive",   "napisał", "napisal",
    "pisze",    "skrev",    "kirjoitti", "napsal",     "έγραψε", /* egrapse */
    "пишет",                                                     /* pishet */
    "написал",                                                   /* napisal */
    "yazdı",    "כתב",      "写道",      "작성",       "のメール", "أكتب"};

/* How a broken attribution begins; Hebrew and others begin with a date. */
static const char *const openers[] = {
    "on ",     "am ",   "le ", "el ",  "il ", "op ",        "den ",      "em ",
    "w dniu ", "dnia ", "pe ", "dne ", "ma ", "ti ",        "ke ",       "to ",
    "pe ",     "la ",   "su ", "at ",  "a ",  "il giorno ", "on\xc2\xa0"};

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool begins(struct span s, const char *prefix)
{
	size_t len = span_of(prefix).len;

	return s.len >= len && span_eq_nocase(span_slice(s, 0, len), prefix);
}

static bool contains(struct span s, const char *words)
{
	struct span w = span_of(words);

	for (size_t i = 0; i + w.len <= s.len; i++) {
		size_t k = 0;

		while (k < w.len && lower(s.ptr[i + k]) == w.ptr[k])
			k++;
		if (k == w.len)
			return true;
	}
	return false;
}

static bool tells_of_writing(struct span line)
{
	for (size_t i = 0; i < sizeof writing / sizeof *writing; i++)
		if (contains(line, writing[i]))
			return true;
	return false;
}

static unsigned digits_in(struct span line)
{
	unsigned n = 0;

	for (size_t i = 0; i < line.len; i++)
		n += line.ptr[i] >= '0' && line.ptr[i] <= '9';
	return n;
}

static bool has_address(struct span line)
{
	return span_find_char(line, '@') < line.len || span_find_char(line, '<') < line.len;
}

/* A date or an address. */
static bool has_sign(struct span line)
{
	return has_address(line) || digits_in(line) > 2;
}

/* No order has an address in it, or begins so: what is hidden here is none. */
static bool begins_attribution(struct span line)
{
	if (has_address(line))
		return true;
	if (line.len && line.ptr[0] >= '0' && line.ptr[0] <= '9')
		return true;
	for (size_t i = 0; i < sizeof openers / sizeof *openers; i++)
		if (begins(line, openers[i]))
			return true;
	return false;
}

static bool ends_with_colon(struct span line)
{
	static const char wide[] = "：";

	line = span_trim(line);
	return line.len > 0 &&
	       (line.ptr[line.len - 1] == ':' ||
	        (line.len > 3 && span_eq_str(span_slice(line, line.len - 3, line.len), wide)));
}

unsigned attribution_ends(const struct span *lines, unsigned n)
{
	bool writes = false, sign = false;
	size_t length = 0;

	if (n == 0 || !ends_with_colon(lines[n - 1]))
		return 0;
	for (unsigned k = 1; k <= n; k++) {
		struct span line = lines[n - k];

		length += line.len;
		if (length > LONGEST)
			return 0;
		writes = writes || (has_address(line) && digits_in(line) > 2) ||
		         tells_of_writing(line);
		sign = sign || has_sign(line);
		if (writes && sign && (k == 1 || begins_attribution(line)))
			return k;
	}
	return 0;
}

static bool is_field(struct span line, const char *const *names)
{
	size_t colon;

	while (line.len && (line.ptr[0] == '*' || line.ptr[0] == ' '))
		line = span_slice(line, 1, line.len);
	colon = span_find_char(line, ':');
	if (colon == line.len)
		return false;
	struct span name = span_trim(span_slice(line, 0, colon));
	while (name.len && name.ptr[name.len - 1] == '*')
		name.len--;
	for (; *names; names++)
		if (span_eq_nocase(name, *names))
			return true;
	return false;
}

bool quote_header_begins(struct span line)
{
	static const char *const names[] = {
	    "From",      "Von",    "De",        "Da",         "Van", "Od",
	    "Fra",       "Från",   "Lähettäjä", "Expéditeur", "От", /* Russian, Greek */
	    "Από",       "Kimden", "发件人",                        /* Chinese */
	    "差出人",                                               /* Japanese */
	    "보낸 사람", "מאת",    NULL};

	return is_field(line, names);
}

bool quote_header_goes_on(struct span line)
{
	static const char *const names[] = {
	    "Sent",       "Date",       "To",      "Cc",      "Subject",   "Gesendet",
	    "Datum",      "An",         "Betreff", "Envoyé",  "À",         "Objet",
	    "Enviado",    "Enviado el", "Fecha",   "Para",    "Asunto",    "Assunto",
	    "Data",       "Inviato",    "A",       "Oggetto", "Verzonden", "Aan",
	    "Onderwerp",  "Wysłano",    "Do",      "Temat",   "Skickat",   "Till",
	    "Ämne",       "Sendt",      "Til",     "Emne",    "Reply-To",  "Antwort an",
	    "Komu",       "Odesláno",   "Předmět", "Kime",    "Konu",      "Tarih",
	    "Gönderilen", "Кому",       "Тема",    "Дата", /* Russian: to, subject, date */
	    "Προς",       "Θέμα",                          /* Greek */
	    "收件人",     "主题",                          /* Chinese */
	    "发送时间",   "宛先",       "件名",            /* Japanese */
	    "받는 사람",  "제목",                          /* Korean */
	    "אל",         "נושא",       NULL};

	return is_field(line, names);
}

bool is_quote_rule(struct span line)
{
	static const char *const words[] = {
	    "message", "nachricht", "mensaje",   "mensagem",       "messaggio",
	    "bericht", "wiadomo",   "forwarded", "weitergeleitet", "meddelande",
	    "viesti",  "original",  "zpráva"};
	size_t i = 0;

	while (i < line.len && line.ptr[i] == '_')
		i++;
	if (i == line.len && i >= 10)
		return true;
	for (i = 0; i < line.len && line.ptr[i] == '-'; i++)
		;
	if (i < 3 || line.ptr[line.len - 1] != '-')
		return false;
	for (i = 0; i < sizeof words / sizeof *words; i++)
		if (contains(line, words[i]))
			return true;
	return false;
}

bool is_program_line(struct span line)
{
	static const char *const beginnings[] = {"sent from my ",
	                                         "sent from mail for ",
	                                         "sent from yahoo",
	                                         "sent from outlook",
	                                         "sent via ",
	                                         "sent with ",
	                                         "get outlook for ",
	                                         "von meinem ",
	                                         "gesendet von ",
	                                         "gesendet mit ",
	                                         "diese nachricht wurde von meinem ",
	                                         "envoyé de ",
	                                         "envoyé depuis ",
	                                         "enviado desde ",
	                                         "enviado do ",
	                                         "inviato da ",
	                                         "verzonden vanaf ",
	                                         "verstuurd vanaf ",
	                                         "wysłane z ",
	                                         "wysłano z ",
	                                         "skickat från ",
	                                         "sendt fra ",
	                                         "lähetetty ",
	                                         "odesláno z ",
	                                         "obtener outlook",
	                                         "holen sie sich outlook",
	                                         "outlook für "};

	for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
		if (begins(line, beginnings[i]))
			return true;
	return false;
}
