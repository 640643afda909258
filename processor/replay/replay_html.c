/*
 * replay_html.c - `molepost replay --html`: a game to leaf through in a browser.
 *
 * Every turn and every view stands in the page from the start, so that it can be read and
 * printed without a script; the script only hides what is not looked at, and lets boards move.
 * The page's own policy forbids it to load anything.
 */
#include <string.h>

#include "processor/archive/parsed.h"
#include "processor/base/clock.h"
#include "processor/replay/replay.h"
#include "reports/web.h"

/* ---- style and script ---- */

/*
 * Without the script everything is there, one below the other. With it ("live") a turn has the
 * board at one side on wide screens, with its sentences open, and on top on narrow ones, where it
 * stays in its place while one leafs through. The address is changed late, since browsers allow
 * few changes in a while; a seat without a view of its own sees what everybody sees. Neither
 * holds a < or an &: the page is XML as well.
 */
static const char page_style[] =
    "body{font-family:system-ui,sans-serif;line-height:1.45;max-width:76rem;"
    "margin:0 auto;padding:0 1rem 2rem;color:var(--ink);background:var(--paper);"
    "overflow-wrap:break-word}\n"
    "h1{font-size:1.5rem;margin:.8rem 0 .2rem}h2{font-size:1.3rem;margin:.8rem 0 "
    ".2rem}\n"
    "h3,h4{font-size:1.05rem;margin:.8rem 0 .3rem}h2::first-letter{"
    "text-transform:uppercase}\n"
    "p,ul{margin:.4rem 0}ul{padding-left:1.3rem}\n"
    "header p,.sealed,footer p,small{color:var(--soft)}header p,.sealed{margin:0}\n"
    "[hidden]{display:none!important}\n"
    "nav{position:sticky;top:0;z-index:1;background:var(--paper);border-bottom:1px "
    "solid var(--rule);padding:.4rem 0}\n"
    "nav div{display:flex;flex-wrap:wrap;gap:.3rem .5rem;align-items:center;margin:.2rem 0}\n"
    "nav output{font-weight:bold;margin-right:.5rem}"
    "nav output::first-letter{text-transform:uppercase}\n"
    "button,select{font:inherit;color:var(--ink);background:var(--sheet);"
    "border:1px solid var(--rule);border-radius:.4rem;padding:.3rem .8rem;"
    "min-height:2.5rem}\n"
    "button:hover{border-color:var(--ink)}button[aria-disabled=true]{"
    "color:var(--soft);border-style:dashed}\n"
    ":focus-visible{outline:3px solid #4a90e2;outline-offset:1px}select{"
    "max-width:11rem}\n"
    "footer{border-top:1px solid var(--rule)"
    ";margin-top:1rem;font-size:.9rem}\n"
    ".curve{height:8rem;max-height:none;max-width:none}.c{fill:none;stroke-width:2.5;"
    "vector-effect:non-scaling-stroke}.here{stroke:var(--soft);stroke-dasharray:3 3;"
    "vector-effect:non-scaling-stroke}\n"
    ".who svg{display:inline-block;width:1.4em;height:.7em;border:0;background:none}\n"
    "#turns{columns:12rem;padding-left:2rem;margin:.3rem 0}#turns li{break-inside:avoid}"
    "#turns a{color:var(--ink);display:inline-block;padding:.25rem 0}#turns "
    "a[aria-current]{font-weight:bold}\n"
    ".live mark{background:none;color:inherit;font-weight:bold;text-decoration:underline}\n"
    "section.turn{scroll-margin-top:9rem}.live .view>h3{display:none}\n"
    ".live .story{order:1}.live .orders{order:2}.live .scores{order:3}.live .own{order:4}"
    ".live .help{order:5}\n"
    "@media(max-width:40rem){nav div:first-child button{flex:1;padding:.3rem 0}"
    "nav small{display:none}select{max-width:9rem}}\n"
    "@media(min-width:60rem){nav:not([hidden]){display:flex;flex-wrap:wrap;gap:0 1.5rem}"
    "nav small{width:100%}}\n"
    "@media screen and (max-width:59.99rem){.live .turn:not([hidden]){display:flex;"
    "flex-direction:column}.live .view{display:contents}.live .position{order:-1}"
    ".live .sealed{order:-2}.live .turn h2{order:-3}}\n"
    "@media screen and (min-width:60rem){.live .turn:not([hidden]){display:grid;"
    "grid-template-columns:minmax(0,40rem) minmax(0,1fr);grid-template-rows:repeat(8,auto) 1fr;"
    "column-gap:2rem}.live .view{display:contents}.live .turn>*,.live .view>*{grid-column:2}"
    ".live .turn>h2,.live .turn>.sealed{grid-column:1/-1}.live "
    ".position{grid-column:1;grid-row:3/-1}"
    ".live .scores{order:1}.live .story{order:2}}\n"
    "@media print{nav{display:none!important}.turn[hidden],#result[hidden]{"
    "display:block!important}.turn{break-inside:avoid}}\n";

static const char page_script[] =
    "'use strict';\n"
    "(function(){\n"
    "var turns=document.querySelectorAll('section.turn'),at=0,timer=0,naming=0,"
    "step=0,running=0;\n"
    "function id(name){return document.getElementById(name);}\n"
    "var nav=document.querySelector('nav'),seat=id('seat'),"
    "still=matchMedia('(prefers-reduced-motion: reduce)');\n"
    "function frames(svg){return svg.querySelectorAll('g.frame');}\n"
    "function showFrame(list,n){for(var i=0;i!==list.length;i++)"
    "list[i].style.display=i===n?'':'none';}\n"
    "function moving(){\n"
    " var list=[],all=turns[at].querySelectorAll('div.view:not([hidden]) svg'),i;\n"
    " for(i=0;i!==all.length;i++)if(frames(all[i]).length>Math.max(1,list.length))"
    "list=frames(all[i]);\n"
    " return list;}\n"
    "function rest(){\n"
    " clearInterval(timer);timer=0;\n"
    " turns[at].querySelectorAll('svg').forEach(function(svg){var f=frames(svg);"
    "showFrame(f,f.length-1);});}\n"
    "function play(){\n"
    " var list=moving(),n=0;\n"
    " rest();\n"
    " if(list.length===0)return;\n"
    " if(still.matches){step=step%list.length;showFrame(list,step);step++;return;}"
    "\n"
    " showFrame(list,0);\n"
    " timer=setInterval(function(){n++;showFrame(list,n);if(n===list.length-1)"
    "rest();},Math.max(120,1000/list.length));}\n"
    "function showViews(turn){\n"
    " var views=turn.querySelectorAll('div.view'),i,own=null;\n"
    " for(i=0;i!==views.length;i++){"
    "if(views[i].dataset.seat===seat.value)own=views[i];"
    "views[i].hidden=i!==0;}\n"
    " if(own)own.hidden=false;\n"
    " if(views.length)Array.from(views[0].children).forEach(function(part){"
    "part.hidden=own===null?false:own===views[0]?false:part.className==='' ?false:"
    "own.querySelector(':scope>.'+part.className)!==null;});}\n"
    /* A cell of a table that differs from that of the turn before. */
    "function cells(turn){return turn.querySelectorAll('.view:not([hidden]) .scores td');}\n"
    "function markChanges(){\n"
    " var now=cells(turns[at]),then=at===0?[]:cells(turns[at-1]),i;\n"
    " if(now.length!==then.length)return;\n"
    " for(i=0;i!==now.length;i++)if(now[i].textContent!==then[i].textContent)"
    "if(now[i].firstElementChild===null){var m=document.createElement('mark');"
    "m.textContent=now[i].textContent;now[i].replaceChildren(m);}}\n"
    "function stop(){clearInterval(running);running=0;id('auto').textContent='Play all';}\n"
    "function run(){\n"
    " if(running!==0)return stop();\n"
    " if(at===turns.length-1)show(0);\n"
    " id('auto').textContent='Stop';\n"
    " running=setInterval(function(){if(at===turns.length-1)return stop();"
    "show(at+1);if(!still.matches)play();},Number(id('speed').value));}\n"
    "function off(name,is){id(name).setAttribute('aria-disabled',is?'true':'false')"
    ";}\n"
    "function nameAddress(){\n"
    " clearTimeout(naming);\n"
    " naming=setTimeout(function(){if(location.hash!=='#'+turns[at].id)"
    "history.replaceState(null,'','#'+turns[at].id);},400);}\n"
    "function show(n){\n"
    " var last=turns.length-1;\n"
    " rest();step=0;\n"
    " turns[at].hidden=true;at=Math.max(0,Math.min(last,n));turns[at].hidden=false;\n"
    " id('where').textContent=turns[at].querySelector('h2').textContent+' ('+(at+1)"
    "+' of '+turns.length+')';\n"
    " off('first',at===0);off('previous',at===0);off('next',at===last);off('last',"
    "at===last);\n"
    " id('play').hidden=moving().length===0;\n"
    " id('result').hidden=at!==last;\n"
    " var links=document.querySelectorAll('#turns a'),here=id('here'),i;\n"
    " for(i=0;i!==links.length;i++)if(i===at)links[i].setAttribute('aria-current','true');"
    "else links[i].removeAttribute('aria-current');\n"
    " if(here!==null)here.setAttribute('transform','translate('+at*Number(here.dataset.step)"
    "+' 0)');\n"
    " markChanges();\n"
    " nameAddress();}\n";

static const char page_script_end[] =
    "function go(url){\n"
    " for(var i=0;i!==turns.length;i++)"
    "if(turns[i].id===url.split('#')[1])return show(i);\n"
    " show(0);}\n"
    "function look(){turns.forEach(showViews);show(at);}\n"
    "function on(name,what){id(name).addEventListener('click',what);}\n"
    "function leaf(n){stop();show(n);}\n"
    "on('first',function(){leaf(0);});\n"
    "on('previous',function(){leaf(at-1);});\n"
    "on('next',function(){leaf(at+1);});\n"
    "on('last',function(){leaf(turns.length-1);});\n"
    "on('play',play);\n"
    "on('auto',run);\n"
    "id('speed').addEventListener('change',function(){if(running!==0){stop();run();}});\n"
    "id('turns').addEventListener('click',function(e){var a=e.target.closest('a');if(a===null)"
    "return;e.preventDefault();stop();go(a.href);});\n"
    "seat.addEventListener('change',look);\n"
    "addEventListener('hashchange',function(e){go(e.newURL);});\n"
    "document.addEventListener('keydown',function(e){\n"
    " var to={ArrowRight:at+1,n:at+1,ArrowLeft:at-1,p:at-1,Home:0,"
    "End:turns.length-1}[e.key],box=e.target;\n"
    " if(e.ctrlKey||e.altKey||e.metaKey||e.shiftKey||box===seat)return;\n"
    " if(box.tabIndex===0?box.scrollWidth>box.clientWidth:false)"
    "if(e.key.indexOf('Arrow')===0)return;\n"
    " if(to!==undefined){leaf(to);e.preventDefault();}\n"
    " else if(e.key==='m'){play();}\n"
    " else if(e.key===' '){if(box===document.body){run();e.preventDefault();}}\n"
    " else if(e.key==='s'){seat.selectedIndex=(seat.selectedIndex+1)%seat.length;"
    "look();}});\n"
    "if(turns.length===0)return;\n"
    "if(!document.querySelector('div.view:not([data-seat=\"0\"])')){\n"
    " seat.parentNode.hidden=true;document.querySelector('.if-seats').hidden=true;}"
    "\n"
    "if(matchMedia('(min-width:60rem)').matches)id('overview').open=true;\n"
    "if(matchMedia('(min-width:60rem)').matches)"
    "document.querySelectorAll('details.words').forEach(function(d){d.open=true;});"
    "\n"
    "document.documentElement.className='live';\n"
    "turns.forEach(function(t){t.hidden=true;showViews(t);});\n"
    "nav.hidden=false;go(location.href);\n"
    "}());\n";

/* ---- the page ---- */

static void add_text(struct strbuf *out, const char *text)
{
	web_add_text(out, span_of(text));
}

/* As the subject of the last mail has it. */
void replay_add_outcome(const struct archive *a, struct strbuf *out)
{
	unsigned winners = seat_count(a->result.winners), done = 0;
	struct strbuf names = STRBUF_INIT, scores = STRBUF_INIT;

	if (!a->has_result || !a->result.over || winners == 0)
		return;
	for (unsigned seat = 1; seat <= a->record.nseats; seat++)
		if (seat_in(a->result.winners, seat)) {
			strbuf_add_sep(&names, done++, winners, " and ");
			add_text(&names, a->record.seats[seat].name);
		}
	for (unsigned rank = 1; rank <= a->record.nseats && a->record.nseats <= 4; rank++)
		for (unsigned seat = 1; seat <= a->record.nseats; seat++)
			if (a->result.ranks[seat] == rank)
				strbuf_addf(&scores, scores.len ? "-%lld" : " %lld",
				            (long long)a->result.scores[seat]);
	strbuf_addf(out, winners == 1 ? "%s won%s" : "%s share the win%s", names.ptr,
	            scores.ptr);
	strbuf_release(&names);
	strbuf_release(&scores);
}

static void add_title(struct strbuf *out, const struct archive *a)
{
	size_t before = out->len;

	replay_add_outcome(a, out);
	strbuf_adds(out, out->len > before ? ": " : "");
	add_text(out, a->record.game);
	strbuf_adds(out, ", ");
	add_text(out, a->record.rules->title);
}

static void add_links(struct strbuf *out, const struct replay_links *links)
{
	if (links == NULL)
		return;
	strbuf_adds(out, "<p>");
	if (links->games)
		strbuf_addf(out, "<a href=\"%s\">All games</a> ", links->games);
	if (links->feed)
		strbuf_addf(out, "<a href=\"%s\">New turns as a feed</a> ", links->feed);
	if (links->record)
		strbuf_addf(out, "<a href=\"%s\">Record to check</a>", links->record);
	strbuf_adds(out, "</p>\n");
}

static void add_button(struct strbuf *out, const char *id, const char *label)
{
	strbuf_addf(out, "<button type=\"button\" id=\"%s\">%s</button>\n", id, label);
}

/* Of no use without the script, which shows them. */
static void add_controls(struct strbuf *out, const struct archive *a)
{
	strbuf_adds(out, "<nav hidden=\"hidden\" aria-label=\"Turns\">\n<div>\n");
	add_button(out, "first", "First");
	add_button(out, "previous", "Previous");
	add_button(out, "next", "Next");
	add_button(out, "last", "Last");
	strbuf_adds(out,
	            "</div>\n<div>\n<output id=\"where\" aria-live=\"polite\"></output>\n");
	strbuf_adds(out, "<label>Seen by <select id=\"seat\">\n"
	                 "<option value=\"0\">everybody</option>\n");
	for (unsigned seat = 1; seat <= replay_seats(a); seat++) {
		strbuf_addf(out, "<option value=\"%u\">", seat);
		add_text(out, a->record.seats[seat].name);
		strbuf_adds(out, "</option>\n");
	}
	strbuf_adds(out, "</select></label>\n");
	add_button(out, "play", "Show move");
	add_button(out, "auto", "Play all");
	strbuf_adds(out,
	            "<label>Speed <select id=\"speed\">\n<option value=\"4000\">slow</option>\n"
	            "<option value=\"2000\" selected=\"selected\">usual</option>\n"
	            "<option value=\"800\">fast</option>\n</select></label>\n"
	            "</div>\n<small>Keys: left and right arrow, Home, End; space plays all; "
	            "<span class=\"if-seats\">s looks through other eyes; </span>"
	            "m shows a move again</small>\n</nav>\n");
}

/* ---- overview ---- */

enum { CURVE_HIGH = 120, CURVE_STEP = 12, CURVE_EDGE = 4 };

/* Points after each turn; NULL where they are hidden. Lives in the arena. */
static const struct game_result *results_of(struct archive *a, struct arena *arena)
{
	struct game_result *all = arena_calloc(arena, a->record.nturns + 1, sizeof(*all));
	struct failure e = ERR_INIT;
	bool known = true;

	for (size_t i = 0; i < a->record.nturns && known; i++) {
		const struct game_state *state = archive_state(a, i, &e);

		known = state != NULL;
		if (known)
			a->record.rules->result(state, &all[i]);
	}
	err_release(&e);
	return known ? all : NULL;
}

/* From left to right the turns. */
static void begin_curves(struct strbuf *out, const struct record *r, const char *title)
{
	strbuf_addf(out,
	            "<figure>\n<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" "
	            "class=\"curve\" preserveAspectRatio=\"none\" viewBox=\"%d %d %d %d\">\n"
	            "<title>%s</title>\n",
	            -CURVE_EDGE, -CURVE_EDGE,
	            ((int)r->nturns - 1) * CURVE_STEP + 2 * CURVE_EDGE,
	            CURVE_HIGH + 2 * CURVE_EDGE, title);
}

static void begin_curve(struct strbuf *out, unsigned seat)
{
	strbuf_addf(out, "<path class=\"c d%u\" d=\"", (seat - 1) % 8 + 1);
}

static void end_curve(struct strbuf *out, const struct record *r, unsigned seat)
{
	strbuf_adds(out, "\"><title>");
	add_text(out, r->seats[seat].name);
	strbuf_adds(out, "</title></path>\n");
}

/* Behind the caption, whose line is whose. */
static void end_curves(struct strbuf *out, const struct record *r)
{
	for (unsigned seat = 1; seat <= r->nseats; seat++) {
		strbuf_addf(out,
		            "%s<span class=\"who\"><svg xmlns=\"http://www.w3.org/2000/svg\" "
		            "aria-hidden=\"true\" viewBox=\"0 0 9 9\"><path class=\"c d%u\" "
		            "d=\"M0 4h9\"/></svg> <bdi>",
		            seat > 1 ? ", " : "", (seat - 1) % 8 + 1);
		add_text(out, r->seats[seat].name);
		strbuf_adds(out, "</bdi></span>");
	}
	strbuf_adds(out, "</figcaption>\n</figure>\n");
}

/* Over the curves, from each point to its turn. */
static void add_ways(struct strbuf *out, const struct record *r)
{
	for (size_t i = 0; i < r->nturns; i++) {
		strbuf_addf(out, "<a href=\"#turn-%u\"><title>", r->turns[i].serial);
		web_add_text(out, r->turns[i].label);
		strbuf_addf(out,
		            "</title><rect x=\"%d\" width=\"%d\" height=\"%d\" "
		            "fill=\"transparent\"/></a>\n",
		            (int)i * CURVE_STEP - CURVE_STEP / 2, CURVE_STEP, CURVE_HIGH);
	}
}

/* A line for each seat; nothing where nobody ever has a point. */
static void add_points(struct strbuf *out, const struct record *r,
                       const struct game_result *all)
{
	int64_t least, most;

	least = most = 0;
	for (size_t i = 0; i < r->nturns; i++)
		for (unsigned seat = 1; seat <= r->nseats; seat++) {
			least = all[i].scores[seat] < least ? all[i].scores[seat] : least;
			most = all[i].scores[seat] > most ? all[i].scores[seat] : most;
		}
	if (most == least || r->nturns < 3)
		return;
	begin_curves(out, r, "Points after each turn");
	for (unsigned seat = 1; seat <= r->nseats; seat++) {
		begin_curve(out, seat);
		for (size_t i = 0; i < r->nturns; i++)
			strbuf_addf(out, "%c%d %d", i ? 'L' : 'M', (int)i * CURVE_STEP,
			            CURVE_HIGH - (int)((all[i].scores[seat] - least) *
			                               CURVE_HIGH / (most - least)));
		end_curve(out, r, seat);
	}
	add_ways(out, r);
	strbuf_addf(
	    out,
	    "<path class=\"here\" id=\"here\" data-step=\"%d\" d=\"M0 0v%d\"/>\n</svg>\n"
	    "<figcaption>Points after each turn, from %lld to %lld: ",
	    CURVE_STEP, CURVE_HIGH, (long long)least, (long long)most);
	end_curves(out, r);
}

/* The chances to win, where bots have worked them out. */
static void add_chances(struct strbuf *out, const struct record *r,
                        const struct analysis *analysis)
{
	enum { ALL = 1000, A_PERCENT = 10 };

	if (r->nturns < 3)
		return;
	begin_curves(out, r, "Chances to win after each turn");
	for (unsigned seat = 1; seat <= r->nseats; seat++) {
		begin_curve(out, seat);
		for (size_t i = 0; i < analysis->nturns; i++)
			strbuf_addf(out, "%c%d %d", i ? 'L' : 'M',
			            (int)analysis->turns[i].index * CURVE_STEP,
			            CURVE_HIGH -
			                analysis->turns[i].chance[seat] * CURVE_HIGH / ALL);
		end_curve(out, r, seat);
	}
	add_ways(out, r);
	strbuf_addf(
	    out,
	    analysis->ahead > 0
		? "</svg>\n<figcaption>Chances to win after each turn, from 0 to 100 percent, as "
		  "bots see them that look %u turns ahead, %u times: "
		: "</svg>\n<figcaption>Chances to win after each turn, from 0 to 100 percent, by "
		  "bots that went on playing from there %u times (give or take %u): ",
	    analysis->ahead > 0 ? analysis->ahead : analysis->games,
	    analysis->ahead > 0 ? analysis->games : analysis->margin / A_PERCENT);
	end_curves(out, r);
}

/* What the whole game was like, and a way to each turn. */
static void add_overview(struct strbuf *out, struct archive *a, const struct analysis *analysis)
{
	struct arena *arena = arena_new();
	const struct game_result *all = results_of(a, arena);

	strbuf_adds(out, "<details id=\"overview\"><summary>All turns</summary>\n");
	if (all)
		add_points(out, &a->record, all);
	if (analysis)
		add_chances(out, &a->record, analysis);
	strbuf_adds(out, "<ol id=\"turns\" start=\"0\">\n");
	for (size_t i = 0; i < a->record.nturns; i++) {
		strbuf_addf(out, "<li><a href=\"#turn-%u\">", a->record.turns[i].serial);
		web_add_text(out, a->record.turns[i].label);
		strbuf_adds(out, "</a></li>\n");
	}
	strbuf_adds(out, "</ol>\n");
	strbuf_adds(out, "</details>\n");
	arena_free(arena);
}

static void add_fork(struct strbuf *out, const struct record_fork *f)
{
	if (f->game == NULL)
		return;
	struct strbuf game = STRBUF_INIT, instance = STRBUF_INIT;

	add_text(&game, f->game);
	add_text(&instance, f->instance);
	strbuf_addf(out, "<p>Goes on from %s of %s, after its turn with serial %u.</p>\n",
	            game.ptr, instance.ptr, f->serial);
	strbuf_release(&game);
	strbuf_release(&instance);
}

static void add_orders(struct strbuf *out, const struct record *r, const struct record_turn *t)
{
	if (t->nused + t->nactions == 0)
		return;
	strbuf_adds(out, "<div class=\"orders\">\n<h3>Orders</h3>\n<ul>\n");
	for (size_t i = 0; i < t->nactions; i++) {
		strbuf_adds(out, "<li>");
		add_text(out, t->actions[i]);
		strbuf_adds(out, "</li>\n");
	}
	for (size_t i = 0; i < t->nused; i++) {
		struct span rest = t->used[i].canonical, line;
		const char *between = "";

		strbuf_adds(out, "<li><bdi>");
		add_text(out, r->seats[t->used[i].seat].name);
		strbuf_addf(out, "</bdi> (%s): ", order_origin_name(t->used[i].origin));
		while (span_next_line(&rest, &line)) {
			strbuf_adds(out, between);
			web_add_text(out, line);
			between = "; ";
		}
		strbuf_adds(out, "</li>\n");
	}
	strbuf_adds(out, "</ul>\n</div>\n");
}

static void open_view(struct strbuf *out, const struct record *r, unsigned seat)
{
	struct strbuf who = STRBUF_INIT;

	add_text(&who, seat == 0 ? "everybody" : r->seats[seat].name);
	strbuf_addf(out, "<div class=\"view\" data-seat=\"%u\">\n<h3>As seen by %s</h3>\n",
	            seat, who.ptr);
	strbuf_release(&who);
}

/* All that everybody may see; then of each seat the parts that it saw otherwise. */
static void add_views(struct strbuf *out, struct archive *a, size_t i)
{
	struct arena *arena = arena_new();
	struct doc *all = replay_view(a, i, 0, arena);

	if (all == NULL) {
		strbuf_adds(out,
		            "<p>The position stays hidden until the game has ended.</p>\n");
	} else {
		open_view(out, &a->record, 0);
		web_add_doc(out, all);
		strbuf_adds(out, "</div>\n");
	}
	for (unsigned seat = 1; all && seat <= replay_seats(a); seat++) {
		struct strbuf own = STRBUF_INIT;

		if (web_add_doc_beside(&own, replay_view(a, i, seat, arena), all)) {
			open_view(out, &a->record, seat);
			strbuf_add_span(out, strbuf_span(&own));
			strbuf_adds(out, "</div>\n");
		}
		strbuf_release(&own);
	}
	arena_free(arena);
}

static void add_result(struct strbuf *out, const struct archive *a)
{
	const struct record *r = &a->record;
	bool is_over = strcmp(r->end_status, "over") == 0;

	struct strbuf when = STRBUF_INIT;
	utc_format_human(&when, r->ended_utc);
	if (is_over)
		strbuf_addf(out, "<h2>The end</h2>\n<p>The game was over on %s.</p>\n",
		            when.ptr);
	else
		strbuf_addf(out, "<h2>Broken off</h2>\n<p>The game was %s on %s.</p>\n",
		            r->end_status, when.ptr);
	strbuf_release(&when);
	if (!a->has_result)
		return;
	strbuf_adds(out, "<ul>\n");
	for (unsigned seat = 1; seat <= r->nseats; seat++) {
		strbuf_adds(out, "<li><bdi>");
		add_text(out, r->seats[seat].name);
		strbuf_addf(out, "</bdi>: %lld%s</li>\n", (long long)a->result.scores[seat],
		            seat_in(a->result.winners, seat) ? ", winner" : "");
	}
	strbuf_adds(out, "</ul>\n");
}

/* The result stands with the last turn only: who leafs through does not want to know yet. */
static void add_end(struct strbuf *out, const struct archive *a,
                    const struct replay_links *links)
{
	strbuf_adds(out, "<footer>\n<div id=\"result\">\n");
	if (a->record.ended)
		add_result(out, a);
	else
		strbuf_adds(out, "<p>This game is still running.</p>\n");
	if (!a->record.ended && links && links->due_utc != 0) {
		struct strbuf when = STRBUF_INIT;

		utc_format_human(&when, links->due_utc);
		strbuf_addf(out, "<p>Orders for the next turn are due %s.</p>\n", when.ptr);
		strbuf_release(&when);
	}
	strbuf_adds(
	    out, "</div>\n<p>This page was made from the record of the game, which was checked "
		 "first. The proofs are in the record, not here: <code>molepost verify</code> "
		 "checks it, and its manual page molepost-archive(5) says what that "
		 "proves.</p>\n</footer>\n");
}

void replay_html(struct archive *a, const struct replay_links *links,
                 const struct analysis *analysis, struct strbuf *out)
{
	strbuf_adds(
	    out, "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n"
		 "<head>\n<meta charset=\"utf-8\"/>\n"
		 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
		 "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		 "style-src 'unsafe-inline'; script-src 'unsafe-inline'\"/>\n"
		 "<meta name=\"color-scheme\" content=\"light dark\"/>\n<title>");
	add_title(out, a);
	strbuf_adds(out, "</title>\n");
	if (links && links->feed)
		strbuf_addf(
		    out,
		    "<link rel=\"alternate\" type=\"application/atom+xml\" href=\"%s\"/>\n",
		    links->feed);
	strbuf_addf(out, "<style>\n%s%s</style>\n</head>\n", web_style, page_style);
	strbuf_adds(out, "<body>\n<header>\n");
	add_links(out, links);
	const struct record *r = &a->record;

	strbuf_adds(out, "<h1>");
	add_title(out, a);
	strbuf_adds(out, "</h1>\n<p>");
	for (unsigned seat = 1; seat <= r->nseats; seat++) {
		strbuf_addf(out, "%s<bdi>", seat > 1 ? ", " : "");
		add_text(out, r->seats[seat].name);
		strbuf_addf(out, "</bdi>%s", r->seats[seat].bot ? " (bot)" : "");
	}
	strbuf_adds(out, "</p>\n");
	add_fork(out, &a->record.fork);
	strbuf_adds(out, "</header>\n");
	add_controls(out, a);
	strbuf_adds(out, "<main>\n");
	for (size_t i = 0; i < a->record.nturns; i++) {
		const struct record_turn *t = &a->record.turns[i];

		strbuf_addf(out, "<section class=\"turn\" id=\"turn-%u\">\n<h2>", t->serial);
		web_add_text(out, t->label);
		struct strbuf when = STRBUF_INIT;
		utc_format_human(&when, t->dropped_utc != 0 ? t->dropped_utc : t->sealed_utc);
		strbuf_addf(out,
		            t->dropped_utc != 0
		                ? "</h2>\n<p class=\"sealed\">Broken off %s</p>\n"
		                : "</h2>\n<p class=\"sealed\">Sealed %s</p>\n",
		            when.ptr);
		strbuf_release(&when);
		add_orders(out, &a->record, t);
		add_views(out, a, i);
		strbuf_adds(out, "</section>\n");
	}
	strbuf_adds(out, "</main>\n");
	add_overview(out, a, analysis);
	add_end(out, a, links);
	strbuf_addf(out, "<script>\n%s%s</script>\n</body>\n</html>\n", page_script,
	            page_script_end);
}
