/*
 * verify_page.c - the page, inside the program.
 *
 * The assembler copies it in, as it does with the migrations (store/engine/schema.c). What it reads it was
 * told by molepost-archive(5) alone, so that a mistake of this room is not made there again.
 */
#include "processor/archive/archive.h"

__asm__(".pushsection .rodata\n"
        ".type verify_page_text, @object\n"
        "verify_page_text:\n"
        ".incbin \"processor/archive/verify_page.html\"\n"
        ".byte 0\n"
        ".size verify_page_text, . - verify_page_text\n"
        ".popsection\n");
extern const char verify_page_text[];

struct span verify_page(void)
{
	return span_of(verify_page_text);
}
