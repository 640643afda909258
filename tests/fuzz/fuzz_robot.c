/*
 * fuzz_robot.c - any bytes as a mail: it has one class, with a reason, and always the same.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "mail/parser.h"
#include "mail/robot.h"
#include "processor/base/seal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_new();
	struct robot robot, again;
	struct mail_in m;
	struct span id;

	seal_start();
	parser_parse_here((struct span){(const char *)data, size}, &mail_usual_limits, arena,
	                  &m);
	robot_classify(&m, "moles", &robot);
	robot_classify(&m, "moles", &again);
	ENSURE(robot.class == again.class && robot.why == again.why);
	ENSURE(robot.why && *robot.why && strlen(robot_class_name(robot.class)) > 0);
	/* What RFC 3834 forbids to answer is never taken for a person. */
	ENSURE(!(m.flags & (MAIL_AUTO_SUBMITTED | MAIL_NULL_PATH | MAIL_OUR_LOOP | MAIL_REPORT |
	                    MAIL_DAEMON)) ||
	       (robot.class != ROBOT_PERSON && robot.class != ROBOT_DOUBTFUL));
	ENSURE(robot.status.len == 0 || robot_is_bounce(robot.class) ||
	       robot.class == ROBOT_DELIVERED);
	id = robot_returned_id(&m);
	ENSURE(id.len == 0 || mail_message_id_ok(id));
	arena_free(arena);
	return 0;
}
