"""Every question of every declared game in the app: its form, its answer, and that it is the command's."""

from __future__ import annotations

import html
import json
import random
import re
import shlex
import time
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import hypothesis
import pytest
from hypothesis import assume, reject, settings
from hypothesis import strategies as st

pytest.importorskip("starlette", reason="the app needs the extra `app`")

from analysis.errors import RequestError
from analysis.front.doors import DOORS, TOOLS, asks, door_of
from analysis.front.examples import opens_with
from analysis.front.forms import form_of, needs_file, read_form, shown_parameters
from analysis.front.kinds import Names
from analysis.front.parameters import Shape, read, text_of
from analysis.front.reference import command_line
from app.browse import slug
from app.security import MOST_FIELDS
from app.texts import plain
from tests.app.client import running
from tests.front.games import COMPILES, QUICK, check_each, declared, game, random_value, walks
from tests.front.test_questions import run

if TYPE_CHECKING:
    from tests.app.client import Client

_VOLATILE = re.compile(r"timing|seconds|source|\w+_s|\w+_bytes|\w+_mb")


def quick(name: str, verb: str) -> tuple[str, ...]:
    """The quick settings of a question; a small day that is solved live begins anew."""
    known = {each.name for each in game(name).question(verb).parameters}
    live = {"fresh", "iterations"} <= known and "--iterations" in QUICK[name][verb]
    return (*QUICK[name][verb], *(["--fresh"] if live else []))


def words_given(name: str, verb: str) -> list[tuple[str, str]]:
    """The quick settings of a question as fields of an address."""
    question = game(name).question(verb)
    known = {each.option: each for each in question.parameters}
    words, pairs, rest = list(quick(name, verb)), [], []
    while words:
        word = words.pop(0)
        option, equals, value = word.partition("=")
        if option not in known:
            rest.append(word)
        elif known[option].shape is Shape.FLAG:
            pairs.append((known[option].name, "true"))
        else:
            pairs.append((known[option].name, value if equals else words.pop(0)))
    for each in (each for each in question.parameters if each.argument):
        taken, rest = (rest, []) if each.repeatable else (rest[:1], rest[1:])
        pairs += [(each.name, word) for word in taken]
    return pairs


def fields_of(form: Any) -> list[tuple[str, list[str]]]:
    """What a browser would send of a form as it stands."""
    found: list[tuple[str, list[str]]] = []

    def walk(each: Any) -> None:
        if each.widget in ("counts", "parts", "several"):
            pass
        elif each.widget == "flag":
            found.extend([(each.name, ["true"])] if each.value == "true" else [])
        else:
            found.append((each.name, [each.value]))
        for one in each.fields:
            walk(one)

    for each in [*(one for _, group in form.groups for one in group), *form.more]:
        walk(each)
    return found


def steady(found: Any) -> Any:
    """An answer without what no two runs share: how long things took."""
    if isinstance(found, dict):
        return {key: steady(value) for key, value in found.items() if not _VOLATILE.fullmatch(key)}
    return [steady(each) for each in found] if isinstance(found, list) else found


@cache
def names_of(name: str, verb: str) -> Names:
    return game(name).question(verb).names({})


@pytest.mark.parametrize("name", QUICK)
def test_every_question_has_a_form_that_asks_with_the_defaults_as_it_stands(
    client: Client, name: str
) -> None:
    def check(verb: str) -> None:
        question = game(name).question(verb)
        reply = client.get(f"/{name}/{slug(verb)}")
        assert reply.status == 200
        if needs_file(question):
            assert "needs a file" in reply.seen
            return
        known = {each.name: each for each in shown_parameters(question)}
        for each in known.values():
            assert plain(each.help.split(". ")[0].split(", such as")[0])[:40] in reply.seen
        labelled = set(re.findall(r'<label for="([^"]+)"', reply.text))
        fields = re.findall(r'<(?:input|select)[^>]* id="(f-[^"]+)"', reply.text)
        boxed = set(re.findall(r'<label><input type="checkbox" id="([^"]+)"', reply.text))
        assert set(fields) <= labelled | boxed
        assert len(set(fields)) == len(fields)
        assert len(reply.fields(f"/{slug(verb)}")) <= MOST_FIELDS
        assert len(reply.text) < 300_000
        # What has to be said is never folded away.
        form = form_of(question, names_of(name, verb), {})
        folded = {each.name for each in form.more}
        shown = {each.name for _, group in form.groups for each in group}
        assert folded == {each.name for each in known.values() if each.more and not each.required}
        assert folded | shown == set(known)
        assert not folded & shown
        required = {each.name for each in question.parameters if each.required}
        example, _ = opens_with(question)
        form = form_of(question, names_of(name, verb), example)
        given, errors = read_form(question, dict(fields_of(form)), names_of(name, verb))
        assert not errors
        assert required <= set(given) <= set(example)
        question.build(**given)
        # A form's field is found on the form by its name, before what all elements have.
        asked = {
            "closest",
            "contains",
            "dispatchEvent",
            "getAttribute",
            "hasAttribute",
            "matches",
            "querySelector",
        }
        assert not {each.name for each in question.parameters} & asked

    check_each(QUICK[name], check)


#: Flags, keys of the rules, and words of programs; what is folded as a command or as data has them.
_NO_WORDS = re.compile(
    r"--[a-z]|exit code|NashConv|certificate|repeatable|left-hand|right-hand|\bkernels?\b|\[\{"
    r"|\b(?:{sections})(?:\.[a-z0-9_-]+)+\b(?!\.)"
)


def no_words_in(name: str, page: str) -> list[str]:
    """What a page says in words of programs, outside what is folded as such and how it was found."""
    bad = re.compile(_NO_WORDS.pattern.replace("{sections}", "|".join(game(name).schema.sections)))
    for part in (
        '<details class="(?:command|data)".*?</details>',
        '<section class="how.*?</section>',
        "<datalist.*?</datalist>",
        "<code>.*?</code>",
    ):
        page = re.sub(part, "", page, flags=re.DOTALL)
    seen = html.unescape(re.sub(r"<[^>]+>", " ", page))
    found = [seen[max(0, each.start() - 40) : each.end() + 20] for each in bad.finditer(seen)]
    return [each for each in found if not re.search(r"\.(csv|xlsx|toml)\b", each)]


@pytest.mark.parametrize("name", QUICK)
def test_pages_speak_to_designers(client: Client, name: str) -> None:
    """Every page behind a door of every game: forms, rules, an entry of each kind."""
    tables = game(name).read().tables()
    entries = {re.sub(r"\.[^.]+", "", table, count=1): table for table in tables}
    places = [
        "",
        "/what-if",
        "/rules",
        "/rules/box",
        "/play",
        *(f"/rules/box/{each}" for each in entries.values()),
    ]
    asked = [
        each for each in game(name).questions.values() if door_of(each) != TOOLS and not needs_file(each)
    ]
    for place in [*places, *(f"/{slug(each.name)}" for each in asked)]:
        page = client.get(f"/{name}{place}").text.partition('id="tools"')[0]
        assert not no_words_in(name, page), place


@pytest.mark.slow
@pytest.mark.kernels
@pytest.mark.parametrize("name", QUICK)
def test_every_form_is_answered_as_it_opens(tmp_path: Path, name: str) -> None:
    """What takes longer is at work after a while; it is stopped then."""
    with running(tmp_path) as client:
        for verb, question in game(name).questions.items():
            if needs_file(question):
                continue
            reply = client.get(f"/{name}/{slug(verb)}")
            sent = client.post(f"/{name}/{slug(verb)}", reply.fields(f"/{slug(verb)}"))
            assert sent.status == 303, (verb, sent.seen)
            end = time.monotonic() + 30
            while time.monotonic() < end and "data-live" in (reply := client.get(sent.where)).text:
                time.sleep(0.3)
            for job in re.findall(r'data-job="(\w+)"', reply.text):
                client.post(f"/jobs/{job}", {"do": "stop"})
            assert reply.status == 200, (verb, reply.seen)


@settings(max_examples=300)
@hypothesis.given(
    st.sampled_from([tuple(map(str, each.values)) for each in declared()]), st.integers(0, 10**6)
)
def test_any_values_go_through_the_form_and_come_back(place: tuple[str, str], seed: int) -> None:
    name, verb = place
    question, names, chance = game(name).question(verb), names_of(name, verb), random.Random(seed)
    given: dict[str, Any] = {}
    for each in shown_parameters(question):
        if (each.required or chance.random() < 0.6) and each.shape is not Shape.FILE:
            several = [random_value(each, names, chance) for _ in range(chance.randint(1, 2))]
            if each.shape is Shape.PLAYER:
                several = [one for one in several if not _has_file(one)]
            # A text of blanks is none.
            if texts := [text_of(one) for one in several if text_of(one).strip()]:
                given[each.name] = texts if each.repeatable else texts[0]
    try:
        for each in question.parameters:
            for one in given.get(each.name, ()) if each.repeatable else [given.get(each.name)]:
                assume(one is None or text_of(read(each, one, names)) == one)
    except RequestError:
        reject()  # a game's own check refuses these values
    form = form_of(question, names, given)
    found, errors = read_form(question, dict(fields_of(form)), names)
    assert not errors
    for each in shown_parameters(question):
        # What is as usual is not given.
        if each.name in given and each.name in found and each.shape is not Shape.TEXT:
            both = (texts if each.repeatable else [texts] for texts in (found[each.name], given[each.name]))
            first, second = ([read(each, text, names) for text in texts] for texts in both)
            assert first == second


def _has_file(player: Any) -> bool:
    return any(type(getattr(player, name)).__name__ == "PosixPath" for name in player.__struct_fields__)


#: All questions of the game of the examples, the first one of each other game, and the rest in weekly tests.
ASKED = [
    pytest.param(each.values[0], some, id=f"{each.id}-{len(some)}", marks=[*each.marks, *more])
    for each in walks()
    for some, more in (
        [(each.values[1], ())]
        if each.id == "bidding"
        else [(each.values[1][:1], ()), (each.values[1][1:], (pytest.mark.slow,))]
    )
    if some
]


@pytest.mark.parametrize(("name", "verbs"), ASKED)
def test_an_answer_is_that_of_the_command(client: Client, name: str, verbs: list[str]) -> None:
    def check(verb: str) -> None:
        pairs, question = words_given(name, verb), game(name).question(verb)
        path = f"/{name}/{slug(verb)}?{urlencode(pairs) or 'ask=1'}"
        if needs_file(question):
            # Files of this machine are named at a terminal only.
            assert client.get(f"/{name}/{slug(verb)}?ask=1").status == 422
            return

        def told(form: str) -> str:
            return run(name, *verb.split(), *quick(name, verb), "--format", form, "-q").stdout

        reply = client.answered(path)
        assert reply.status == 200, reply.seen
        assert steady(json.loads(client.saved(reply).text)) == steady(json.loads(told("json")))
        page = json.loads(told("page"))
        for sentence in (page["headline"], *page["notes"]):
            # What is written as for a command has its names here.
            assert re.search("[/=]", sentence) or " ".join(plain(sentence).split()) in reply.seen
        assert client.saved(reply, "csv").text.splitlines() == told("csv").splitlines()
        assert "<h1>" in client.saved(reply, "html").text
        assert question.shows_ids or not no_words_in(name, reply.text)
        # A second look needs no work.
        assert "data-live" not in client.get(path).text
        # The command that the page shows asks the same.
        repeatable = {each.name for each in question.parameters if each.repeatable}
        given: dict[str, Any] = {}
        for key, value in pairs:
            given[key] = [*given.get(key, []), value] if key in repeatable else value
        words = shlex.split(command_line(question, given))
        assert words[: 1 + len(verb.split())] == [name, *verb.split()]
        if name not in COMPILES:
            found = run(*words, "--format", "json", "-q").stdout
            assert steady(json.loads(found)) == steady(json.loads(told("json")))

    check_each(verbs, check)


def test_home_shows_every_game_with_its_questions(client: Client) -> None:
    reply = client.get("/")
    for name in QUICK:
        assert game(name).title in reply.seen
        page = client.get(f"/{name}")
        for verb, question in game(name).questions.items():
            assert f'href="/{name}/{slug(verb)}"' in page.text
            assert asks(question) in page.seen
        for door in DOORS:
            assert door in page.seen
            assert door in reply.seen


def test_the_hand_stays_from_step_to_step(client: Client) -> None:
    reply = client.answered("/ragers/advise?patron=solennos&cheers=two-bashers&hand=BBSCT")
    onward = [
        dict(parse_qsl(urlsplit(html.unescape(link)).query))
        for link in re.findall(r'href="(/ragers/advise[^"]*history[^"]*)"', reply.text)
    ]
    # A card that is not in it belongs to another hand.
    assert {each.get("hand") for each in onward if each["history"][0] in "BSCT"} == {"BBSCT"}
    assert not any("hand" in each for each in onward if each["history"][0] not in "BSCT")


def test_what_is_known_stands_on_cards_and_on_doors(tmp_path: Path) -> None:
    with running(tmp_path) as client:
        before = client.get("/ragers/rules/box")
        asked = [html.unescape(each) for each in re.findall(r'href="([^"]*only=[^"]*)"', before.text)]
        assert len(asked) == before.seen.count("Not checked yet")
        said = re.search(r'<h1 class="headline">([^<]*)', client.answered("/ragers/balance?only=basher").text)
        assert said
        after = client.get("/ragers/rules/box")
        assert after.seen.count("Not checked yet") == before.seen.count("Not checked yet") - 1
        for place in ("/ragers/rules/box", "/ragers/rules/box/cards.basher", "/ragers"):
            assert said[1] in client.get(place).text
        # It is said of these rules alone.
        client.post("/ragers/rules", {"name": "Mine", "like": "box", "set": "cards.basher.gp=4"})
        for place in ("/ragers/rules/mine", "/ragers?rules=mine"):
            assert said[1] not in client.get(place).text


def test_a_position_has_the_way_to_it(client: Client) -> None:
    """Each step of the way asks what it says; the last one is where we are."""
    asked = "/ragers/advise?patron=solennos&cheers=two-bashers&hand=BBSCT"
    reply = client.answered(asked)
    way = re.search(r'<nav class="crumbs".*?</nav>', reply.text, re.DOTALL)
    assert way
    assert "step 1</b>" in way[0]
    (day,) = re.findall(r'href="([^"]*)"', way[0])
    assert client.answered(html.unescape(day)).status == 200
    # An answer says in a line how sure it is.
    assert re.search(r'class="sureness">.*?gain at most [\d.]+ GP', reply.text, re.DOTALL)


def test_an_answer_is_sharpened_by_a_click(client: Client) -> None:
    reply = client.answered("/bidding/match?deals=30")
    (more,) = re.findall(r'href="([^"]*)"[^>]*>Sharpen<', reply.text)
    assert html.unescape(more) == "/bidding/match?deals=120"
    first, second = (json.loads(client.saved(each).text) for each in (reply, client.answered(more)))
    assert second["deals"] > first["deals"]
    assert "Sharpen" not in client.answered("/bidding/solve?ask=1").seen


def test_doors_carry_the_rules_in_use(tmp_path: Path) -> None:
    # In a folder of its own: answers that are kept lead to the rules that they were asked with.
    with running(tmp_path) as client:
        for name in QUICK:
            sets = game(name).rules_example
            client.post(f"/{name}/rules", {"name": "In Use Now", "like": "box", "set": sets})
            for place in ("", "/what-if", "/solve", "/match", "/play"):
                page = client.get(f"/{name}{place}?form=1&rules=in-use-now")
                assert page.status == 200
                assert "rules: In Use Now" in page.seen
                links = re.findall(r'href="(/\w+/(?:match|solve|what-if|play)[^"]*)"', page.text)
                assert all("rules=in-use-now" in link for link in links if link.startswith(f"/{name}/"))
            form = dict(client.get(f"/{name}/match?form=1&rules=in-use-now").fields("/match"))
            assert form["rules"] == "in-use-now"


def test_two_sides_are_chosen_by_their_names(client: Client) -> None:
    client.post("/bidding/rules", {"name": "Dear Gold", "like": "box", "set": "prizes.gold.worth=9"})
    page = client.get("/bidding/what-if")
    assert "Dear Gold" in page.seen
    fields = {"question": dict(page.fields("/what-if"))["question"], "rules": "box", "diff": "box"}
    assert client.get("/bidding/what-if?" + urlencode(fields)).status == 422
    reply = client.answered("/bidding/what-if?" + urlencode(fields | {"rules": "dear-gold"}))
    assert json.loads(client.saved(reply).text)["differences"]


def test_errors_stand_beside_their_fields(client: Client) -> None:
    fields = dict(client.get("/bidding/match").fields("/match"))
    wrong = {"deals": "none", "first.cards.one": "9", "player.0": "nobody"}
    reply = client.post("/bidding/match", fields | wrong)
    assert reply.status == 422
    for field, said in {
        "deals": "is not a whole number",
        "first-cards": "at most 5",
        "player-0": "no player is called",
    }.items():
        assert re.search(rf'id="f-{field}-error">[^<]*{said}', reply.text), field
    assert 'value="none"' in reply.text
    settings = client.post("/bidding/match", fields | {"player.0": "high", "player.0.high.least": "1000"})
    assert re.search(r'id="f-player-0-high-least-error">[^<]*from 1 to 99', settings.text)


def test_what_a_form_gives_becomes_an_address(client: Client) -> None:
    fields = dict(client.get("/bidding/match").fields("/match"))
    changed = {"deals": "30", "player.0": "high", "player.0.high.least": "3", "player.1": "rank"}
    reply = client.post("/bidding/match", fields | changed | {"first.cards.one": "0", "first.cards.two": "2"})
    assert reply.status == 303
    assert reply.where == "/bidding/match?" + urlencode(
        [("first", "2 two, three"), ("player", "high:least=3"), ("player", "rank"), ("deals", "30")]
    )
    shown = client.answered(reply.where)
    assert "--player high:least=3 --player rank --deals 30" in shown.text
    assert dict(shown.fields("/match"))["deals"] == "30"


def test_values_that_vary_give_curves_and_heat_maps_with_links(client: Client) -> None:
    one = client.answered("/bidding/match?deals=20&vary=prizes.gold.worth%3D1:3")
    assert 'class="curve"' in one.text
    assert "set=prizes.gold.worth%3D2" in one.text
    two = client.answered("/bidding/match?deals=20&vary=prizes.gold.worth%3D1:3&vary=deals%3D20,40")
    assert 'class="heat"' in two.text
    assert "deals=40&amp;set=prizes.gold.worth%3D2" in two.text
    words = ("--vary", "prizes.gold.worth=1:3", "--vary", "deals=20,40", "--deals", "20", "-q")
    expected = json.loads(run("bidding", "match", *words, "--format", "json").stdout)
    found = json.loads(client.saved(two).text)
    assert found["points"] == expected["points"]
    assert client.get("/bidding/match?vary=nonsense").status == 422
    assert client.get("/bidding/match?nonsense=1").status == 422


def test_a_what_if_shows_what_certainly_changes(client: Client) -> None:
    asked = client.get("/bidding/solve?first=three,two&second=three,two&key=cards.three.value&value=1")
    assert asked.status == 200
    path = "/bidding/solve?" + urlencode(
        [("first", "three, one"), ("second", "two, two"), ("set", "cards.three.value=1"), ("diff", "box")]
    )
    reply = client.answered(path)
    assert 'class="sure"' in reply.text
    assert "--set cards.three.value=1 --diff" in reply.text
    words = ("--first", "three, one", "--second", "two, two", "--set", "cards.three.value=1", "--diff", "-q")
    expected = json.loads(run("bidding", "solve", *words, "--format", "json").stdout)
    assert json.loads(client.saved(reply).text)["differences"] == expected["differences"]
    sent = client.raw(
        "GET", "/bidding/export?ask=1&key=cards.three.value&value=1", headers={"Cookie": client.cookie}
    )
    assert sent.where == "/bidding/export?set=cards.three.value%3D1"
    assert client.answered("/bidding/solve?ask=1&key=cards.nothing.value&value=1").status == 422
    assert client.answered("/bidding/solve?diff=box").status == 422
    assert client.answered("/bidding/solve?diff=nobody-made-these").status == 422


def test_rules_of_two_names_are_compared(client: Client) -> None:
    for name, value in (("dear", "9"), ("cheap", "1")):
        client.post("/bidding/rules", {"name": name, "like": "box", "set": f"prizes.gold.worth={value}"})
    form = client.get("/bidding/solve?rules=cheap").text.partition('name="diff"')[2]
    assert '<option value="dear">' in form
    path = "/bidding/match?deals=20&rules=cheap&diff=dear"
    reply = client.answered(path)
    files = {name: client.folder / "rules" / "bidding" / f"{name}.toml" for name in ("cheap", "dear")}
    words = ("--deals", "20", "--rules", str(files["cheap"]), "--diff", str(files["dear"]))
    assert shlex.join(words) in reply.text
    expected = json.loads(run("bidding", "match", *words, "-q", "--format", "json").stdout)
    found = json.loads(client.saved(reply).text)
    assert (found["before"], found["after"]) == ("dear", "cheap")
    assert found["differences"] == expected["differences"]
    # Other values under the same name are another question.
    client.post("/bidding/rules/dear/prizes.gold", {"worth": "2"})
    assert json.loads(client.saved(client.answered(path)).text)["differences"] != found["differences"]


def test_what_makes_what_ifs_quicker_is_asked_as_their_form_opens(client: Client) -> None:
    reply = client.answered("/ragers/solve?patron=solennos&cheers=two-bashers")
    (path,) = re.findall(r'hx-get="(/ragers/warmup[^"]*)" hx-trigger="toggle once"', reply.text)
    assert dict(parse_qsl(urlsplit(html.unescape(path)).query)) == {
        "patron": "solennos",
        "cheers": "two-bashers",
    }
    # It may stop for other questions, and its own page is there.
    assert game("ragers").question("warmup").gives_way
    assert "toggle once" not in client.answered("/bidding/solve?ask=1").text


@pytest.mark.parametrize(
    "path", ["/nothing", "/bidding/nothing", "/jobs/nothing", "/answers/abc.json", "/bidding/play/x"]
)
def test_what_is_not_there_is_said_in_a_page(client: Client, path: str) -> None:
    reply = client.get(path)
    assert reply.status == 404
    assert "<h1>" in reply.text
