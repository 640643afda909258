/*
 * test_web.c - docs as HTML, SVG and JSON.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "processor/games/rules.h"
#include "reports/json.h"
#include "reports/web.h"

static struct doc doc;
static struct arena *arena;
static struct strbuf out;

static void start(void)
{
	arena = arena_new();
	doc_init(&doc, arena);
	strbuf_init(&out);
}

static void stop(void)
{
	strbuf_release(&out);
	arena_free(arena);
}

TestSuite(web, .init = start, .fini = stop);
TestSuite(json, .init = start, .fini = stop);

static void expect(const char *words)
{
	cr_assert_not_null(strstr(out.ptr, words), "\"%s\" is missing in:\n%s", words, out.ptr);
}

static unsigned count(const char *words)
{
	unsigned n = 0;

	for (const char *at = out.ptr; (at = strstr(at, words)) != NULL; at++)
		n++;
	return n;
}

Test(web, text_can_be_nothing_but_text)
{
	web_add_text(&out, SPAN_LIT("<b onclick=\"x\">&amp;\n\x1b[2J\xe2\x80\xae\xff"));
	cr_assert_str_eq(out.ptr, "&lt;b onclick=&quot;x&quot;&gt;&amp;amp;  [2J\xef\xbf\xbd");
}

Test(web, blocks_come_in_the_order_of_reports_and_items_as_one_list)
{
	static const struct doc_column columns[] = {{"who", DOC_LEFT}, {"points", DOC_RIGHT}};

	doc_in(&doc, DOC_SCORES);
	doc_table(&doc, columns, 2);
	doc_cell(&doc, "Ann <3");
	doc_cell(&doc, "%d", 7);
	doc_cell(&doc, "a row that is not full");
	doc_in(&doc, DOC_STORY);
	doc_item(&doc, "first");
	doc_item(&doc, "second");
	doc_paragraph(&doc, "then");
	web_add_doc(&out, &doc);
	cr_assert_str_eq(out.ptr,
	                 "<div class=\"story\">\n<h4>What happened</h4>\n<ul>\n"
	                 "<li>first</li>\n<li>second</li>\n</ul>\n<p>then</p>\n"
	                 "</div>\n<div class=\"scores\">\n<div class=\"wide\" "
	                 "tabindex=\"0\" role=\"group\" aria-label=\"Table\">\n"
	                 "<table>\n<tr><th>who</th><th class=\"r\">points</th></tr>\n"
	                 "<tr><td>Ann &lt;3</td><td class=\"r\">7</td></tr>\n"
	                 "<tr><td>a row that is not full</td><td class=\"r\"></td></tr>\n"
	                 "</table>\n</div>\n</div>\n");
}

static void add_shapes(int nframes)
{
	doc_board(&doc, "A \"board\"");
	doc_board_line(&doc, "drawn");
	doc_board_linear(&doc, "said");
	doc_board_shape(
	    &doc, (struct doc_shape){DOC_RECT, 0, 0, 0, 100, 50, 3, "a long label <here>"});
	doc_board_shape(&doc, (struct doc_shape){DOC_LINE, 0, 10, 20, -5, 7, 0, ""});
	doc_board_shape(&doc, (struct doc_shape){DOC_HEXAGON, 0, 50, 25, 16, 0, 0, ""});
	doc_board_shape(&doc,
	                (struct doc_shape){DOC_LABEL, 0, 50, 25, 0, 0, 0, "two words long"});
	for (int frame = 1; frame <= nframes; frame++)
		doc_board_shape(
		    &doc, (struct doc_shape){DOC_CIRCLE, frame, frame, 5, 4, 4, 9, "coin"});
	doc_board_size(&doc, 100, 50, nframes);
}

Test(web, a_board_is_a_picture_with_the_same_in_words_below_it)
{
	doc_in(&doc, DOC_POSITION);
	add_shapes(0);
	web_add_doc(&out, &doc);
	expect("<div class=\"position\">\n<figure>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
	       "role=\"img\" viewBox=\"-2 -2 104 54\" font-size=\"5\">\n<title>A "
	       "&quot;board&quot;</title>\n");
	expect("<rect x=\"0\" y=\"0\" width=\"100\" height=\"50\" class=\"s t3\"><title>a long "
	       "label &lt;here&gt;</title></rect>");
	expect("<path class=\"s l\" d=\"M10 20l-5 7\"/>");
	expect("<path d=\"M50 9l14 8v16l-14 8 -14 -8v-16z\" class=\"s\"/>");
	expect(">two</text><text x=\"50\"");
	expect("</svg>\n<ul class=\"key\">\n<li>");
	expect("class=\"s t3\"/></svg>a long label &lt;here&gt;</li>\n</ul>\n<figcaption>A "
	       "&quot;board&quot;</figcaption>\n<details class=\"words\"><summary>In "
	       "words</summary>"
	       "\n<ul>\n<li>said</li>\n</ul>\n</details>\n</figure>\n</div>\n");
}

static void add_labelled(enum doc_shape_kind kind, int x, int tone, const char *label)
{
	doc_board_shape(&doc, (struct doc_shape){kind, 0, x, 0, 40, 40, tone, "what it is"});
	doc_board_shape(&doc, (struct doc_shape){DOC_LABEL, 0, x + 20, 20, 0, 0, 0, label});
}

Test(web, letters_in_shapes_of_a_kind_are_as_large_and_fit_the_colour_below_them)
{
	doc_board(&doc, "");
	add_labelled(DOC_RECT, 0, 5, "x");
	add_labelled(DOC_RECT, 100, 0, "a-very-long-word");
	add_labelled(DOC_CIRCLE, 200, 4, "y");
	doc_board_size(&doc, 300, 50, 0);
	web_add_doc(&out, &doc);
	expect("font-size=\"3.5\">\n"); /* the usual size is said once */
	expect("y=\"20\" class=\"o o5\">x</text>");
	expect("y=\"20\">a-very-long-word</text>");
	expect("font-size=\"15\" class=\"o o4\">y</text>");
}

Test(web, dots_alike_and_lines_alike_are_one_path)
{
	doc_board(&doc, "in letters");
	for (int i = 0; i < 3; i++)
		doc_board_shape(&doc,
		                (struct doc_shape){DOC_CIRCLE, 0, 10 * i, 5, 6, 6, 2, ""});
	for (int i = 0; i < 2; i++)
		doc_board_shape(&doc, (struct doc_shape){DOC_LINE, 0, i, 0, 3, 4, 0, "wall"});
	doc_board_picture(&doc, "in colours");
	doc_board_size(&doc, 100, 50, 0);
	web_add_doc(&out, &doc);
	expect("<path class=\"d e\" stroke-width=\"14\" d=\"M0 5h0M10 5h0M20 5h0\"/>");
	expect("<path class=\"d d2\" stroke-width=\"12\" d=\"M0 5h0M10 5h0M20 5h0\"/>");
	expect("<path class=\"s l\" d=\"M0 0l3 4M1 0l3 4\"><title>wall</title></path>");
	expect("<figcaption>in colours</figcaption>");
}

Test(web, beside_another_view_stands_only_what_differs)
{
	struct doc own;

	doc_init(&own, arena);
	doc_in(&doc, DOC_STORY);
	doc_paragraph(&doc, "shared");
	doc_in(&own, DOC_STORY);
	doc_paragraph(&own, "shared");
	cr_assert_not(web_add_doc_beside(&out, &own, &doc));
	doc_in(&own, DOC_OWN);
	doc_paragraph(&own, "mine");
	cr_assert(web_add_doc_beside(&out, &own, &doc));
	cr_assert_str_eq(out.ptr, "<div class=\"own\">\n<p>mine</p>\n</div>\n");
}

Test(web, a_colour_is_explained_when_it_alone_has_its_meaning)
{
	doc_board(&doc, "");
	for (int i = 0; i < 4; i++)
		doc_board_shape(&doc, (struct doc_shape){DOC_CIRCLE, 0, i, 0, 4, 4, 1 + i / 2,
		                                         i < 2 ? "Ann" : "Bob"});
	doc_board_shape(&doc, (struct doc_shape){DOC_CIRCLE, 0, 9, 0, 4, 4, 3, "mole"});
	doc_board_shape(&doc, (struct doc_shape){DOC_CIRCLE, 0, 9, 9, 4, 4, 4, "mole"});
	doc_board_shape(&doc, (struct doc_shape){DOC_RECT, 0, 0, 0, 4, 4, 0, "empty"});
	doc_board_size(&doc, 20, 20, 0);
	web_add_key(&out, &doc.first->board);
	cr_assert_eq(count("<li>"), 2, "%s", out.ptr);
	expect("class=\"s t1\"/></svg>Ann</li>");
	expect("class=\"s t2\"/></svg>Bob</li>");
}

Test(web, a_board_that_moves_shows_its_last_frame_and_has_24_at_most)
{
	add_shapes(100);
	web_add_doc(&out, &doc);
	cr_assert_eq(count("<g class=\"frame\""), 24);
	cr_assert_eq(count("display:none"), 23);
	expect("<g class=\"frame\" data-frame=\"24\">\n<circle cx=\"100\" cy=\"5\" r=\"4\" "
	       "class=\"s t1\"><title>coin</title></circle>\n</g>");
}

Test(web, a_board_without_shapes_is_drawn_in_letters)
{
	doc_board(&doc, "");
	doc_board_line(&doc, "+-+");
	web_add_doc(&out, &doc);
	cr_assert_str_eq(out.ptr, "<div class=\"story\">\n<h4>What happened</h4>\n<figure>\n"
	                          "<pre tabindex=\"0\">+-+\n</pre>\n</figure>\n</div>\n");
}

Test(json, strings_are_escaped_and_always_utf8)
{
	json_add_string(&out, (struct span){"a\"\\\n\0\x7f\xc3\xbc\xff", 9});
	cr_assert_str_eq(out.ptr, "\"a\\\"\\\\\\u000a\\u0000\\u007f\xc3\xbc\xef\xbf\xbd\"");
}

Test(json, a_doc_is_a_list_of_blocks)
{
	static const struct doc_column columns[] = {{"who", DOC_LEFT}};

	doc_heading(&doc, "Now");
	doc_table(&doc, columns, 1);
	doc_cell(&doc, "Ann");
	json_add_doc(&out, &doc);
	cr_assert_str_eq(out.ptr,
	                 "[{\"part\":\"story\",\"kind\":\"heading\",\"text\":\"Now\"},"
	                 "{\"part\":\"story\",\"kind\":\"table\",\"columns\":[\"who\"],"
	                 "\"rows\":[[\"Ann\"]]}]");
}

Test(json, a_board_has_lines_sentences_and_shapes)
{
	add_shapes(1);
	json_add_doc(&out, &doc);
	expect("\"lines\":[\"drawn\"],\"linear\":[\"said\"],\"width\":100,\"height\":50,"
	       "\"frames\":1");
	expect("{\"kind\":\"circle\",\"frame\":1,\"x\":1,\"y\":5,\"w\":4,\"h\":4,\"tone\":9,"
	       "\"text\":\"coin\"}]}]");
}
