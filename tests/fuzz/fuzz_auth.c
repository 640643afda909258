/*
 * fuzz_auth.c - any bytes as Authentication-Results, DKIM-Signature and Date: never believed under a name
 * that is not in them, and everything that comes out lies within bounds.
 */
#include <stddef.h>
#include <stdint.h>

#include "mail/text/auth_results.h"
#include "mail/text/date.h"
#include "processor/base/clock.h"
#include "processor/base/err.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_results(const struct auth_results *r, size_t size)
{
	ENSURE(r->nresults <= AUTH_RESULTS_MAX && r->authserv_id.len <= size);
	for (size_t i = 0; i < r->nresults; i++) {
		const struct auth_result *one = &r->results[i];

		ENSURE(one->method.len > 0 && one->nproperties <= AUTH_PROPERTIES_MAX);
		ENSURE(one->method.len + one->result.len <= size);
		for (size_t k = 0; k < one->nproperties; k++)
			ENSURE(one->properties[k].name.len + one->properties[k].value.len <=
			       size);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span text = {(const char *)data, size};
	struct span from = SPAN_LIT("ann@example.net");
	struct arena *arena = arena_new();
	struct auth_results r;
	struct auth_verdict v;
	int64_t t;

	bool whole = auth_results_read(text, arena, &r);
	check_results(&r, size);
	v = auth_results_judge(text, SPAN_LIT("mx.example.org"), from, arena);
	ENSURE(v.why != NULL);
	ENSURE(v.state == AUTH_UNSAID || (whole && r.version == 1));
	ENSURE(v.state != AUTH_PASSED || r.nresults > 0);
	/* No mail is believed for a sender without a domain, or under an id that cannot be there. */
	ENSURE(auth_results_judge(text, SPAN_LIT("mx.example.org"), SPAN_EMPTY, arena).state !=
	       AUTH_PASSED);
	ENSURE(auth_results_judge(text, SPAN_EMPTY, from, arena).state == AUTH_UNSAID);
	struct mail_dkim dkim;
	if (dkim_read(text, arena, &dkim))
		ENSURE(dkim_name_ok(dkim.domain) && dkim_name_ok(dkim.selector) &&
		       dkim_signature_ok(dkim.signature) && dkim.signature.len <= size);
	if (date_parse(text, &t))
		ENSURE(t > -86400 && t < INT64_C(253402300800) + 86400);
	arena_free(arena);
	return 0;
}
