/*
 * replay_html.c - `molepost replay --html`: a game to leaf through in a browser.
 *
 * Every turn and every view stands in the page from the start, so that it can be read and
 * printed without a script; the script only hides what is not looked at, and lets boards move.
 * The page's own policy forbids it to load anything.
 */
#include "processor/replay.h"

#include "processor/archive_parts.h"
#include "processor/base/clock.h"
#include "reports/web.h"

#include "processor/base/banned.h"

static const char page_style[] =
    "body{font-family:sans-serif;line-height:1.4;max-width:60rem;margin:0 auto;padding:0 1rem;"
    "color:#222;background:#fafafa}\n"
    "nav{position:sticky;top:0;background:#fafafa;border-bottom:1px solid #bbb;padding:.5rem 0;"
    "z-index:1}\n"
    "nav[hidden]{display:none}\n"
    "button,select{font:inherit;padding:.2rem .7rem}\n"
    ".orders{white-space:pre-line}\n"
    "@media print{nav{display:none}}\n";

/* In a string each; a page must not grow with what it does not say. */
static const char page_script[] =
    "'use strict';\n"
    "(function(){\n"
    "var turns=document.querySelectorAll('section.turn'),at=0,timer=0;\n"
    "var nav=document.querySelector('nav'),seat=document.getElementById('seat');\n"
    "var where=document.getElementById('where');\n"
    "function frames(svg){return svg.querySelectorAll('g.frame');}\n"
    "function showFrame(list,n){for(var i=0;i!==list.length;i++)"
    "list[i].style.display=i===n?'':'none';}\n"
    "function shown(){return turns[at].querySelector('div.view:not([hidden])');}\n"
    "function play(){clearInterval(timer);var v=shown(),list=[],n=0,i;\n"
    " var all=v?v.querySelectorAll('svg'):[];\n"
    " for(i=0;i!==all.length;i++)if(frames(all[i]).length>list.length)list=frames(all[i]);\n"
    " if(list.length===0)return;showFrame(list,0);\n"
    " timer=setInterval(function(){n++;if(n===list.length){clearInterval(timer);return;}"
    "showFrame(list,n);},120);}\n"
    "function still(){clearInterval(timer);var all=document.querySelectorAll('svg');\n"
    " for(var i=0;i!==all.length;i++){var list=frames(all[i]);"
    "if(list.length!==0)showFrame(list,list.length-1);}}\n"
    "function show(n){still();at=Math.max(0,Math.min(turns.length-1,n));\n"
    " for(var i=0;i!==turns.length;i++){turns[i].hidden=i!==at;\n"
    "  var views=turns[i].querySelectorAll('div.view'),any=false,k;\n"
    "  for(k=0;k!==views.length;k++){views[k].hidden=views[k].dataset.seat!==seat.value;"
    "any=any||!views[k].hidden;}\n"
    "  if(!any)if(views.length!==0)views[0].hidden=false;}\n"
    " where.textContent=(at+1)+' of '+turns.length;\n"
    " var hash='#'+turns[at].id;if(location.hash!==hash)history.replaceState(null,'',hash);}\n"
    "function go(id){for(var i=0;i!==turns.length;i++)if('#'+turns[i].id===id)return i;return "
    "0;}\n"
    "function on(id,what){document.getElementById(id).addEventListener('click',what);}\n"
    "on('first',function(){show(0);});on('previous',function(){show(at-1);});\n"
    "on('next',function(){show(at+1);});on('last',function(){show(turns.length-1);});\n"
    "on('play',play);seat.addEventListener('change',function(){show(at);});\n"
    "window.addEventListener('hashchange',function(){show(go(location.hash));});\n"
    "document.addEventListener('keydown',function(e){\n"
    " if(e.ctrlKey||e.altKey||e.metaKey||e.target===seat)return;\n"
    " var k=e.key,n=k==='ArrowRight'||k==='n'?at+1:k==='ArrowLeft'||k==='p'?at-1:"
    "k==='Home'?0:k==='End'?turns.length-1:-9;\n"
    " if(n!==-9){show(n);e.preventDefault();}\n"
    " else if(k==='m'){play();}\n"
    " else if(k==='s'){seat.selectedIndex=(seat.selectedIndex+1)%seat.length;show(at);}});\n"
    "if(turns.length!==0){nav.hidden=false;show(go(location.hash));}\n"
    "}());\n";

static void add_text(struct strbuf *out, const char *text)
{
	web_add_text(out, span_of(text));
}

static void add_head(struct strbuf *out, const struct record *r)
{
	strbuf_adds(
	    out, "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n"
		 "<head>\n<meta charset=\"utf-8\"/>\n"
		 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
		 "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		 "style-src 'unsafe-inline'; script-src 'unsafe-inline'\"/>\n<title>");
	add_text(out, r->game);
	strbuf_adds(out, ", ");
	add_text(out, r->rules->title);
	strbuf_addf(out, "</title>\n<style>\n%s%s</style>\n</head>\n", page_style, web_style);
}

static void add_button(struct strbuf *out, const char *id, const char *label)
{
	strbuf_addf(out, "<button type=\"button\" id=\"%s\">%s</button>\n", id, label);
}

static void add_controls(struct strbuf *out, const struct archive *a)
{
	strbuf_adds(out, "<nav hidden=\"hidden\" aria-label=\"Turns\">\n");
	add_button(out, "first", "First");
	add_button(out, "previous", "Previous");
	add_button(out, "next", "Next");
	add_button(out, "last", "Last");
	add_button(out, "play", "Move");
	strbuf_adds(out, "<label>As seen by <select id=\"seat\">\n"
	                 "<option value=\"0\">everybody</option>\n");
	for (unsigned seat = 1; seat <= replay_seats(a); seat++) {
		strbuf_addf(out, "<option value=\"%u\">", seat);
		add_text(out, a->record.seats[seat].name);
		strbuf_adds(out, "</option>\n");
	}
	strbuf_adds(
	    out, "</select></label>\n<output id=\"where\"></output>\n"
		 "<small>Keys: arrows, Home, End; s another seat; m moves the board</small>\n"
		 "</nav>\n");
}

static void add_players(struct strbuf *out, const struct record *r)
{
	strbuf_adds(out, "<h1>");
	add_text(out, r->game);
	strbuf_adds(out, ", ");
	add_text(out, r->rules->title);
	strbuf_adds(out, "</h1>\n<p>");
	for (unsigned seat = 1; seat <= r->nseats; seat++) {
		strbuf_addf(out, "%s<bdi>", seat > 1 ? ", " : "");
		add_text(out, r->seats[seat].name);
		strbuf_addf(out, "</bdi>%s", r->seats[seat].bot ? " (bot)" : "");
	}
	strbuf_adds(out, "</p>\n");
}

static void add_orders(struct strbuf *out, const struct record *r, const struct record_turn *t)
{
	if (t->nused + t->nactions == 0)
		return;
	strbuf_adds(out, "<ul>\n");
	for (size_t i = 0; i < t->nactions; i++) {
		strbuf_adds(out, "<li>");
		add_text(out, t->actions[i]);
		strbuf_adds(out, "</li>\n");
	}
	for (size_t i = 0; i < t->nused; i++) {
		struct span rest = t->used[i].canonical, line;
		const char *between = "";

		strbuf_adds(out, "<li class=\"orders\"><bdi>");
		add_text(out, r->seats[t->used[i].seat].name);
		strbuf_addf(out, "</bdi> (%s): ", order_origin_name(t->used[i].origin));
		while (span_next_line(&rest, &line)) {
			strbuf_adds(out, between);
			web_add_text(out, line);
			between = "; ";
		}
		strbuf_adds(out, "</li>\n");
	}
	strbuf_adds(out, "</ul>\n");
}

static const char *viewer(const struct record *r, unsigned seat)
{
	ENSURE(seat <= r->nseats && seat <= MAX_SEATS);
	return seat == 0 ? "everybody" : r->seats[seat].name;
}

static void add_view(struct strbuf *out, const struct record *r, unsigned seat,
                     const struct doc *doc)
{
	strbuf_addf(out, "<div class=\"view\" data-seat=\"%u\">\n<h3>As seen by ", seat);
	add_text(out, viewer(r, seat));
	strbuf_adds(out, "</h3>\n");
	web_add_doc(out, doc);
	strbuf_adds(out, "</div>\n");
}

/* Who sees no more than everybody gets no view of his own: the script shows the first then. */
static void add_views(struct strbuf *out, struct archive *a, size_t i)
{
	struct strbuf public = STRBUF_INIT, own = STRBUF_INIT;
	struct arena *arena = arena_new();

	for (unsigned seat = 0; seat <= replay_seats(a); seat++) {
		struct doc *doc = replay_view(a, i, seat, arena);

		if (doc == NULL) {
			strbuf_adds(
			    out,
			    "<p>The position stays hidden until the game has ended.</p>\n");
			break;
		}
		strbuf_clear(&own);
		doc_dump(doc, seat > 0 ? &own : &public);
		if (seat == 0 || !span_eq(strbuf_span(&own), strbuf_span(&public)))
			add_view(out, &a->record, seat, doc);
	}
	arena_free(arena);
	strbuf_release(&public);
	strbuf_release(&own);
}

static void add_turn(struct strbuf *out, struct archive *a, size_t i)
{
	const struct record_turn *t = &a->record.turns[i];

	strbuf_addf(out, "<section class=\"turn\" id=\"turn-%u\">\n<h2>", t->serial);
	web_add_text(out, t->label);
	strbuf_addf(out, "</h2>\n<p>%s ", t->dropped_utc != 0 ? "Broken off" : "Sealed");
	utc_format_iso(out, t->dropped_utc != 0 ? t->dropped_utc : t->sealed_utc);
	strbuf_adds(out, "</p>\n");
	add_orders(out, &a->record, t);
	add_views(out, a, i);
	strbuf_adds(out, "</section>\n");
}

static void add_end(struct strbuf *out, const struct archive *a)
{
	const struct record *r = &a->record;

	if (!r->ended) {
		strbuf_adds(out, "<p>This game is still running.</p>\n");
		return;
	}
	strbuf_addf(out, "<p>The game is %s: ", r->end_status);
	utc_format_iso(out, r->ended_utc);
	strbuf_adds(out, "</p>\n<ul>\n");
	for (unsigned seat = 1; a->has_result && seat <= r->nseats; seat++) {
		strbuf_adds(out, "<li><bdi>");
		add_text(out, r->seats[seat].name);
		strbuf_addf(out, "</bdi>: %lld%s</li>\n", (long long)a->result.scores[seat],
		            seat_in(a->result.winners, seat) ? ", winner" : "");
	}
	strbuf_adds(out, "<li>Secret and proofs are in the archive this page was made from."
	                 "</li>\n</ul>\n");
}

void replay_html(struct archive *a, struct strbuf *out)
{
	add_head(out, &a->record);
	strbuf_adds(out, "<body>\n");
	add_players(out, &a->record);
	add_controls(out, a);
	strbuf_adds(out, "<main>\n");
	for (size_t i = 0; i < a->record.nturns; i++)
		add_turn(out, a, i);
	strbuf_adds(out, "</main>\n<footer>\n");
	add_end(out, a);
	strbuf_addf(out, "</footer>\n<script>\n%s</script>\n</body>\n</html>\n", page_script);
}
