"""Makes what pages of the app need beside code: a picture of each game, and screenshots for the docs.

    python docs/make_app_pictures.py            # app/pictures/GAME.json, some seconds a game
    python docs/make_app_pictures.py --docs     # docs/app-*.png, with the extras `app` and `browser`
    python docs/make_app_pictures.py --film     # docs/app.svg, which shows these one after the other

A picture is one section of an answer, with the question: the page says what it shows and leads there.
"""

from __future__ import annotations

import base64
import os
import shutil
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from analysis.front.asking import ask
from analysis.front.page import Curve, Heat, Page, Section
from analysis.registry import GAMES, game_named
from app.folder import Asked

DOCS = Path(__file__).resolve().parent
PICTURES = DOCS.parent / "app" / "pictures"
ASKED = [
    (Asked(game="ragers", question="balance", given={"side": "accusers"}), ""),
    (Asked(game="warage", question="match", given={"deals": "2000"}, vary=["cards.fireball.cost=4:9"]), ""),
    (
        Asked(
            game="clash",
            question="solve",
            given={"attacker": "bohorg: 2 Pummeler", "defender": "elves: 2 Templar"},
            vary=[
                "attacker=bohorg: 1 Pummeler;bohorg: 2 Pummeler;bohorg: 3 Pummeler;bohorg: 4 Pummeler",
                "defender=elves: 1 Templar;elves: 2 Templar;elves: 3 Templar",
            ],
        ),
        "",
    ),
    (
        Asked(
            game="ophidian",
            question="duel",
            given={"gladiators": ["thorn", "whisper", "tempest", "pathogenesis", "bastion", "runt"]},
        ),
        "",
    ),
    (Asked(game="raverun", question="solve"), "Hands by sum of ranks"),
]
"""What is asked, and what the title of the section that is shown begins with; a drawn one if empty."""
SCREENSHOTS = {
    "home": "/ragers",
    "inside": "/ragers/rules/box",
    "rules": "/ragers/rules/box/cards.basher",
    "sides": "/warage/match?deals=4500&set=cards.fireball.cost%3D4&diff=box",
    "day": "/ragers/advise?patron=solennos&cheers=two-bashers&hand=BBSCT",
    "heat": "/ragers/balance?ask=1",
}
FILM = {
    "home": "What would you like to know?",
    "inside": "What is in it? Every value, changed where it stands",
    "rules": "One card, and whether it is too strong",
    "what-if": "What if…? It sharpens while you look",
    "sides": "Two sets of rules beside each other, and how sure that is",
    "day": "How is it played right? Every action leads on",
    "heat": "Is one of them too strong? All days at a glance",
    "play": "Play it, against the machine",
}
"""Screenshots in the order in which they are shown, and what is written above."""
FRAME_S, WIDTH, HEIGHT = 5, 900, 680
WHAT_IF = (
    "/ragers/solve?patron=solennos&cheers=two-bashers&preparation=none&rules=three-slots&time_limit=60&fresh=true"
    "&set=cards.basher.gp%3D4"
)


def picture(asked: Asked, title: str) -> Page:
    """Return an answer's page with nothing but what is drawn."""
    question = game_named(asked.game).question(asked.question)
    if asked.vary:
        page = ask(question, asked.given, vary=asked.vary).page()
    else:
        page = question.page_of(question.answer(question.build(**asked.given)))
    drawn: list[Section] = [
        each
        for each in page.sections
        if (each.title.startswith(title) if title else isinstance(each, Heat | Curve))
    ]
    return Page(headline=page.headline, sections=drawn[:1])


def make_pictures() -> None:
    """Write the pictures of all games whose questions there are."""
    PICTURES.mkdir(exist_ok=True)
    for asked, title in ASKED:
        if asked.game in GAMES and asked.question in game_named(asked.game).questions:
            path = PICTURES / f"{asked.game}.json"
            path.write_bytes(
                msgspec.json.format(msgspec.json.encode((asked, picture(asked, title))), indent=1) + b"\n"
            )
            print(path.name)


@contextmanager
def chromium_page(width: int, height: int) -> Iterator[Any]:
    """Open an empty page in a headless Chromium."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        chosen = os.environ.get("ARENA_SOLVER_CHROMIUM") or shutil.which("chromium")
        browser = driver.chromium.launch(executable_path=chosen)
        yield browser.new_page(viewport={"width": width, "height": height})
        browser.close()


def make_screenshots() -> None:
    """Write screenshots of the app's pages."""
    from app.folder import Folder
    from app.server import make_app
    from app.serving import listening, server_of

    sockets = listening("", 0)
    port = sockets[0].getsockname()[1]
    base = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryDirectory() as folder:
        kept = Folder(Path(folder))
        server = server_of(make_app(kept, "token", port))
        thread = threading.Thread(target=server.run, kwargs={"sockets": sockets})
        thread.start()
        with chromium_page(1180, 820) as page:
            page.goto(f"{base}/?token=token")
            for name, path in SCREENSHOTS.items():
                page.goto(base + path)
                page.wait_for_function("() => !document.querySelector('[data-live]')", timeout=300_000)
                page.screenshot(path=DOCS / f"app-{name}.png")
            # A smaller day, so that its checks come quickly.
            kept.write_rules("ragers", "three-slots", "name = 'three-slots'\n[match]\nrow_length = 3\n")
            page.goto(f"{base}{WHAT_IF}")
            page.locator("[data-job] ~ .headline").wait_for(timeout=600_000)
            page.wait_for_function("() => document.querySelectorAll('[data-job] circle').length > 4")
            page.screenshot(path=DOCS / "app-what-if.png")
            page.goto(f"{base}/ophidian/play?seed=7")
            page.get_by_role("button", name="Begin").click()
            page.wait_for_selector(".move", timeout=300_000)
            page.screenshot(path=DOCS / "app-play.png")
        server.should_exit = True
        thread.join()


def make_film() -> None:
    """Write the screenshots as one picture that moves, as pages without scripts may show it."""
    shown, whole = [], len(FILM) * FRAME_S
    with chromium_page(WIDTH, HEIGHT) as page:
        for number, (name, words) in enumerate(FILM.items()):
            picture = base64.b64encode((DOCS / f"app-{name}.png").read_bytes()).decode()
            page.set_content(
                f'<body style="margin:0;font:600 22px sans-serif"><p style="margin:12px 16px">{words}</p>'
                f'<img style="width:100%" src="data:image/png;base64,{picture}">'
            )
            page.wait_for_function("document.images[0].complete")
            frame = base64.b64encode(page.screenshot(type="jpeg", quality=60)).decode()
            # Where nothing moves, the first one is seen.
            style = f' class="next" style="animation-delay:{number * FRAME_S}s"' if number else ""
            shown.append(
                f'<image{style} width="{WIDTH}" height="{HEIGHT}" href="data:image/jpeg;base64,{frame}"/>'
            )
    moves = f".next{{visibility:hidden;animation:show {whole}s step-end infinite}}"
    moves += f"@keyframes show{{0%{{visibility:visible}}{100 / len(FILM)}%{{visibility:hidden}}}}"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"><style>{moves}</style>'
    (DOCS / "app.svg").write_text("\n".join([head, *shown, "</svg>\n"]), encoding="utf-8")


if __name__ == "__main__":
    make_film() if "--film" in sys.argv else make_screenshots() if "--docs" in sys.argv else make_pictures()
