"""Every question of every declared game in the app: its form, its answer, and that it is the command's."""

from __future__ import annotations

import csv
import html
import io
import json
import random
import re
import shlex
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest

pytest.importorskip("starlette", reason="the app needs the extra `app`")

from analysis.front.forms import example_of, form_of, needs_file, read_form, shown_parameters
from analysis.front.kinds import Names
from analysis.front.parameters import Shape, read, text_of
from analysis.front.reference import command_line
from app.browse import slug
from tests.front.games import COMPILES, QUICK, ROOT, declared, game, random_value
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


@pytest.mark.parametrize(("name", "verb"), declared())
def test_what_has_to_be_said_is_never_folded_away(name: str, verb: str) -> None:
    question = game(name).question(verb)
    form = form_of(question, question.names({}), {})
    known = {each.name: each for each in shown_parameters(question)}
    folded = {each.name for each in form.more}
    assert folded == {each.name for each in known.values() if each.more and not each.required}
    shown = {each.name for _, group in form.groups for each in group}
    assert folded | shown == set(known)
    assert not folded & shown


def steady(found: Any) -> Any:
    """An answer without what no two runs share: how long things took."""
    if isinstance(found, dict):
        return {key: steady(value) for key, value in found.items() if not _VOLATILE.fullmatch(key)}
    return [steady(each) for each in found] if isinstance(found, list) else found


def names_of(name: str, verb: str) -> Names:
    return game(name).question(verb).names({})


@pytest.mark.parametrize(("name", "verb"), declared())
def test_every_question_has_a_form_with_labels_help_and_a_button(
    client: Client, name: str, verb: str
) -> None:
    reply = client.get(f"/{name}/{slug(verb)}")
    assert reply.status == 200
    if needs_file(game(name).question(verb)):
        assert "needs a file" in reply.seen
        return
    for each in shown_parameters(game(name).question(verb)):
        assert each.help.split(". ")[0][:40] in reply.seen
    labelled = set(re.findall(r'<label for="([^"]+)"', reply.text))
    shown = re.findall(r'<(?:input|select)[^>]* id="(f-[^"]+)"', reply.text)
    boxed = set(re.findall(r'<label><input type="checkbox" id="([^"]+)"', reply.text))
    assert set(shown) <= labelled | boxed
    assert len(set(shown)) == len(shown)
    assert len(reply.fields(f"/{slug(verb)}")) <= 200
    assert len(reply.text) < 300_000


@pytest.mark.parametrize(("name", "verb"), declared())
def test_a_form_sent_as_it_stands_asks_with_the_defaults(name: str, verb: str) -> None:
    question = game(name).question(verb)
    required = {each.name for each in question.parameters if each.required}
    example = example_of(question) if required else {}
    form = form_of(question, names_of(name, verb), example)
    given, errors = read_form(question, dict(fields_of(form)), names_of(name, verb))
    assert not errors
    assert set(given) <= set(example)
    assert required <= set(given) or needs_file(question)
    question.build(**given) if not needs_file(question) else None


@pytest.mark.parametrize(("name", "verb"), declared())
@pytest.mark.parametrize("seed", range(10))
def test_any_values_go_through_the_form_and_come_back(name: str, verb: str, seed: int) -> None:
    question, names, chance = game(name).question(verb), names_of(name, verb), random.Random(seed)
    given: dict[str, Any] = {}
    for each in shown_parameters(question):
        if (each.required or chance.random() < 0.6) and each.shape is not Shape.FILE:
            several = [random_value(each, names, chance) for _ in range(chance.randint(1, 2))]
            if each.shape is Shape.PLAYER:
                several = [one for one in several if not _has_file(one)]
            if each.repeatable and several:
                given[each.name] = [text_of(one) for one in several]
            elif several:
                given[each.name] = text_of(several[0])
    try:
        for each in question.parameters:
            if each.name in given:
                for one in given[each.name] if each.repeatable else [given[each.name]]:
                    assert text_of(read(each, one, names)) == one
    except Exception:
        pytest.skip("a game's own check refuses these values")
    form = form_of(question, names, given)
    found, errors = read_form(question, dict(fields_of(form)), names)
    assert not errors
    for each in shown_parameters(question):
        if each.name in given and each.shape is not Shape.TEXT:
            kept = found.get(each.name)
            if kept is None:
                continue  # as usual

            def values(texts: Any, parameter: Any = each) -> Any:
                several = texts if parameter.repeatable else [texts]
                return [read(parameter, text, names) for text in several]

            assert values(kept) == values(given[each.name])


def _has_file(player: Any) -> bool:
    return any(type(getattr(player, name)).__name__ == "PosixPath" for name in player.__struct_fields__)


def test_no_field_hides_what_the_page_asks_a_form() -> None:
    # A form's field is found on the form by its name, before what all elements have.
    asked = (
        "closest",
        "contains",
        "dispatchEvent",
        "getAttribute",
        "hasAttribute",
        "matches",
        "querySelector",
    )
    for place in declared(asks=True):
        name, verb = map(str, place.values)
        assert not {each.name for each in game(name).question(verb).parameters} & set(asked), (name, verb)


def asked_here() -> list[Any]:
    """Return all questions; of those that compile, only the first of each game is not slow."""
    found, games = declared(asks=True), set()
    for place, each in enumerate(found):
        if any(mark.name == "kernels" for mark in each.marks):
            if each.values[0] in games:
                found[place] = pytest.param(*each.values, id=each.id, marks=[*each.marks, pytest.mark.slow])
            games.add(each.values[0])
    return found


@pytest.mark.parametrize(("name", "verb"), asked_here())
def test_an_answer_is_that_of_the_command(client: Client, name: str, verb: str) -> None:
    pairs = words_given(name, verb)
    path = f"/{name}/{slug(verb)}?{urlencode(pairs) or 'ask=1'}"
    if needs_file(game(name).question(verb)):
        # Files of this machine are named at a terminal only.
        assert client.get(f"/{name}/{slug(verb)}?ask=1").status == 422
        return
    reply = client.answered(path)
    assert reply.status == 200, reply.seen
    found = json.loads(client.saved(reply).text)
    expected = json.loads(run(name, *verb.split(), *quick(name, verb), "--format", "json", "-q").stdout)
    assert steady(found) == steady(expected)
    page = json.loads(run(name, *verb.split(), *quick(name, verb), "--format", "page", "-q").stdout)
    assert " ".join(page["headline"].split()) in reply.seen
    for note in page["notes"]:
        assert " ".join(note.split()) in reply.seen
    rows = list(csv.DictReader(io.StringIO(client.saved(reply, "csv").text)))
    assert rows == list(
        csv.DictReader(
            io.StringIO(run(name, *verb.split(), *quick(name, verb), "--format", "csv", "-q").stdout)
        )
    )
    assert "<h1>" in client.saved(reply, "html").text
    # A second look needs no work.
    assert "data-live" not in client.get(path).text


@pytest.mark.parametrize(("name", "verb"), asked_here())
def test_the_command_line_asks_the_same(name: str, verb: str) -> None:
    question = game(name).question(verb)
    given: dict[str, Any] = {}
    repeatable = {each.name for each in question.parameters if each.repeatable}
    for key, value in words_given(name, verb):
        given[key] = [*given.get(key, []), value] if key in repeatable else value
    words = shlex.split(command_line(question, given))
    assert words[: 1 + len(verb.split())] == [name, *verb.split()]
    if name in COMPILES:
        return
    found = json.loads(run(*words, "--format", "json", "-q").stdout)
    expected = json.loads(run(name, *verb.split(), *quick(name, verb), "--format", "json", "-q").stdout)
    assert steady(found) == steady(expected)


def test_home_shows_every_game_with_its_questions(client: Client) -> None:
    reply = client.get("/")
    for name in QUICK:
        assert game(name).title in reply.seen
        for verb in QUICK[name]:
            assert verb.startswith("rules ") or f'href="/{name}/{slug(verb)}"' in reply.text
        assert client.get(f"/{name}").status == 200


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


def test_the_questions_own_check_is_heard(client: Client) -> None:
    fields = dict(client.get("/bidding/match").fields("/match"))
    reply = client.post("/bidding/match", fields | {"first.cards.one": "0"})
    assert reply.status == 303
    refused = client.answered(reply.where)
    assert refused.status == 422
    assert re.search(r'id="f-second-error">[^<]*equally many', refused.text)


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
    assert "certainly change" in reply.seen
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
    words = ("--deals", "20", "--rules", str(files["cheap"]), "--diff-rules", str(files["dear"]))
    assert shlex.join(words) in reply.text
    expected = json.loads(run("bidding", "match", *words, "-q", "--format", "json").stdout)
    found = json.loads(client.saved(reply).text)
    assert (found["box"]["name"], found["rules"]["name"]) == ("dear", "cheap")
    assert found["differences"] == expected["differences"]
    # Other values under the same name are another question.
    client.post("/bidding/rules/dear/prizes.gold", {"worth": "2"})
    assert json.loads(client.saved(client.answered(path)).text)["differences"] != found["differences"]


def test_what_makes_what_ifs_quicker_is_asked_as_their_form_opens(client: Client) -> None:
    reply = client.answered("/ragers/day?patron=solennos&cheers=two-bashers")
    (path,) = re.findall(r'hx-get="(/ragers/warmup[^"]*)" hx-trigger="toggle once"', reply.text)
    assert dict(parse_qsl(urlsplit(html.unescape(path)).query)) == {
        "patron": "solennos",
        "cheers": "two-bashers",
    }
    # It may stop for other questions, and its own page is there.
    assert game("ragers").question("warmup").gives_way
    assert "toggle once" not in client.answered("/bidding/solve?ask=1").text


def test_a_document_is_saved_as_it_is(client: Client) -> None:
    reply = client.answered("/bidding/export?ask=1")
    text = client.saved(reply, "efg").text
    assert text == run("bidding", "export", "--format", "efg", "-q").stdout


@pytest.mark.parametrize(
    "path", ["/nothing", "/bidding/nothing", "/jobs/nothing", "/answers/abc.json", "/bidding/play/x"]
)
def test_what_is_not_there_is_said_in_a_page(client: Client, path: str) -> None:
    reply = client.get(path)
    assert reply.status == 404
    assert "<h1>" in reply.text


def test_the_app_stays_small() -> None:
    def lines(pattern: str) -> int:
        return sum(
            len(path.read_text(encoding="utf-8").splitlines()) for path in (ROOT / "app").glob(pattern)
        )

    assert lines("*.py") <= 2500
    assert lines("static/app.js") <= 200
