"""What kept answers know already: of a game, of its entries, and of what is behind each door."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec

from analysis.errors import RequestError
from analysis.front.checkup.answer import CheckupAnswer
from analysis.front.doors import WHAT_IF, door_of
from analysis.front.forms import label_of
from analysis.front.kinds import Pick
from app import texts
from app.browse import address
from app.folder import BOX, Asked, Folder, JobRecord, Result
from app.forms import keywords
from app.jobs import key_of, keys_of

__all__ = ["Known"]


class Known:
    """Looks into kept answers; nothing is asked."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder

    def answer(self, asked: Asked) -> Result | None:
        """Return an answer that is kept; None where nobody has asked, or it was stopped."""
        try:
            found = self.folder.result(key_of(asked, self.folder))
        except RequestError:
            return None
        return found if found is not None and found.complete else None

    def entries(self, game: Any, use: str) -> dict[str, tuple[Asked, str]]:
        """Return for each entry that can be judged the question, and what kept answers say, if any."""
        declared = game.questions.get("balance")
        only = next((each for each in declared.parameters if each.name == "only"), None) if declared else None
        if only is None or not isinstance(only.kind, Pick):
            return {}
        rules = "" if use == BOX else use
        asked = Asked(game=game.name, question="balance", rules=rules)
        known = [each.id for each in declared.names(keywords(declared, asked, self.folder))[only.kind.names]]
        several = [msgspec.structs.replace(asked, given={"only": each}) for each in known]
        found = {}
        for id_, each, key in zip(known, several, keys_of(several, self.folder), strict=True):
            kept = self.folder.result(key)
            found[id_] = each, texts.plain(kept.page.headline) if kept is not None and kept.complete else ""
        return found

    def checkup(self, game: Any, use: str) -> dict[str, str]:
        """Return what a kept check-up says of entries, by their tables."""
        asked = Asked(game=game.name, question="checkup", rules="" if use == BOX else use)
        kept = self.answer(asked) if "checkup" in game.questions else None
        if kept is None:
            return {}
        answer = msgspec.json.decode(kept.answer, type=CheckupAnswer)
        certain = [each for each in answer.findings if each.certain]
        return {each.about: each.said for each in reversed(certain)}

    def by_door(self, game: Any, use: str, records: Sequence[JobRecord]) -> dict[str, tuple[str, str]]:
        """Return by door what was found last by these rules, and where it stands; a check-up first."""
        found: dict[str, tuple[str, str]] = {}
        rules = "" if use == BOX else use
        asked = [each for each in records if each.asked.game == game.name and each.asked.rules == rules]
        asked.sort(key=lambda each: each.asked.question != "checkup")
        for each in asked:
            declared = game.questions.get(each.asked.question)
            kept = self.folder.result(each.key) if declared is not None and each.state == "done" else None
            if declared is not None and kept is not None:
                door = WHAT_IF if each.asked.diff or each.asked.vary else door_of(declared)
                found.setdefault(door, (texts.plain(kept.page.headline), address(each.asked)))
        return found

    def numbers(self, game: Any, use: str) -> str:
        """Return how many of what there are in rules."""
        tables = game.read(self.folder.rules_files(game.name, use)).tables()
        numbers = Counter(each.partition(".")[0] for each in tables if each.count(".") == 1)
        return ", ".join(f"{number} {label_of(name).lower()}" for name, number in numbers.items())
