"""All texts of the app, in English. What is said of a game comes from its declarations."""

from __future__ import annotations

import re
import time
from typing import Any

from analysis.front.doors import BALANCE, INSIDE
from analysis.front.doors import PLAY as PLAY_IT
from analysis.front.doors import WHAT_IF as WHAT_IF_QUESTION

_FLAGS_APART = re.compile(r"\s*\([^()]*--[a-z][^()]*\)")
_OF_COMMANDS = re.compile(r"[;,.] repeatable\b|[;,] (?:the )?exit code[^.;]*", re.IGNORECASE)
_FLAG = re.compile(r"`{0,2}--([a-z][a-z-]*)`{0,2}")
# ---- refusals ----------------------------------------------------------------------------------------------
FOREIGN_HOST = "This address is none of this server's. Open the one that was printed when it started.\n"
FOREIGN_ORIGIN = "Only pages of this server may change something here.\n"
NO_METHOD = "Pages are asked for and forms are sent; there is nothing else here.\n"
NO_COOKIE = "This browser is not known here. Start `arena app` again: its address is good once.\n"
LONG_ADDRESS = "This address is too long.\n"
LARGE_BODY = "This is too large: at most 256 KiB are taken.\n"
LONG_FIELD = "A field is too long: at most 4,000 characters are taken."
MANY_FIELDS = "These are too many fields: at most 1,000 are taken."
NO_FORM = "This is not what a form of this server sends."
BAD_NAME = (
    "{name!r} cannot be a name: it needs a letter, has at most 40 characters, and none of / \\ < > : | ? *"
)
NOTHING_CHANGED = "Nothing is changed yet: change a value, then ask what that does."
NO_RULES = "there are no rules called {name!r} here any more"
NO_FILES = "files cannot be named here: ask that at a terminal"
NEEDS_FILE = "This question needs a file: ask it at a terminal, such as"
NO_FOLDER = "{folder!r} cannot be used: {why}"
NO_PAGE = "There is no such page."
NO_GAME = "No game is called {name!r}; there are {names}."
NO_PARAMETER = "{name!r} is nothing that this question asks for"
NO_MEMORY = "There is not enough memory for that; ask for less of it."
WENT_WRONG = "This went wrong inside: {kind}: {why}"
LOST = "The process that was at it is gone; perhaps there was not enough memory. Ask again, or ask for less."
MANY_WAIT = "too many questions wait already; stop some of them, or wait until they are answered"
SERVER_ERROR = "Something went wrong inside. What you have kept is as it was; go back and try again."
# ---- pages -------------------------------------------------------------------------------------------------
TITLE = "Arena"
EXACTNESS = {"exact": "exact", "bounded": "with a proved bound", "measured": "measured, with intervals"}
SURE = {"exact": "Exact: nothing here rests on chance", "bounded": "Proved, within the bounds shown"}
SURE["measured"] = "Measured: every interval says how far chance reaches"
WAY, BACK_STEP, MORE_ABOUT = "The way here", "back one step", "More about this question"
STATES = {"waiting": "waits", "running": "at work", "paused": "paused", "done": "answered"}
STATES |= {"stopped": "stopped", "failed": "failed", "interrupted": "interrupted", "asks": "would take long"}
PROVENANCE = {"rulebook": "from the rulebook", "assumed": "an assumption of ours", "changed": "changed"}
PROVENANCE["public"] = "stated in public by the publisher or by owners"
BOX_TITLE = "as in the box"
NO_SUCH_TABLE = "there is no {name!r} in these rules"
TAKEN_ENTRY = "there is something called {name!r} already"
TAKEN_NAME = "there are rules called {name!r} already"
NO_MOVE = "{text!r} names no move here"
NO_EXPLANATION = "Nothing is called {text!r} here."
NOTHING_UNDONE = "There is nothing to take back."
LOST_GAME = "This game cannot be gone on with: the rules have changed, or another player decides by time."
NO_SEAT = "there is no seat {seat}; {seats} can play"
MANY_GAMES = "Too many games are thinking at once; wait a little."
STARTED = "The app is at {address}  (Ctrl-C ends it)"
OTHERS = "Another server uses this folder, too; each shows the other's answers."
EVERYWHERE = "Anybody who reaches {host} and sees the address above can use this app: it is not encrypted."
PORT_TAKEN = "port {port} cannot be used: {why}"


def plain(text: str) -> str:
    """Say for a page what is said for a command line: options by their names, not as flags."""
    text = _OF_COMMANDS.sub("", _FLAGS_APART.sub("", text)).replace("NashConv", "what both could still gain")
    return _FLAG.sub(lambda found: found[1].replace("-", " "), text)


def memory(used: int, limit: int) -> str:
    """Say how much memory is used of how much."""
    return f"memory {used / 2**30:.1f} GiB" + (f" of {limit / 2**30:.1f}" if limit else "")


def duration(seconds: float) -> str:
    """Say how long something took."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} minutes"


def standing(record: Any, seconds: float, *, yields: bool = False, stopping: bool = False) -> str:
    """Say where a job stands."""
    if stopping and record.state == "running":
        return "stops with what there is"
    if yields:
        return "stands still until another long question is answered"
    if record.state == "waiting":
        return "waits for its turn"
    if record.state == "paused":
        return "paused; it keeps its memory"
    if record.state == "interrupted":
        return "was interrupted when the app ended"
    if record.state != "running":
        return f"{STATES[record.state]} after {duration(record.seconds)}"
    if record.told.startswith("kernels"):
        return f"{record.phase}: makes the solver ready"
    if record.told:
        return f"{record.phase}: {record.told.replace('NashConv', 'both could gain')}"
    if record.phase == "compiling":
        return "makes the solver ready, once after an installation; that takes some minutes"
    if not record.total:
        return f"at work for {duration(seconds)}"
    text = f"{record.phase}: {record.done:,} of {record.total:,}"
    if record.done and seconds > 2:
        left = seconds * (record.total - record.done) / record.done
        text += f"; about {duration(left)} left"
    return text


# ---- words of the pages ------------------------------------------------------------------------------------
RULES_IN_USE, ALL_RULES, WHAT_TO_KNOW = "rules:", "Rules of your own", "{game}: what would you like to know?"
PLAY_DOOR, INSIDE_DOOR, BALANCE_DOOR, WHAT_IF_DOOR = PLAY_IT, INSIDE, BALANCE, WHAT_IF_QUESTION
CHANGE_FIRST, TWO_SIDES, ONE_SIDE, OTHER_SIDE = "Change a value", "Two sides", "One side", "Beside"
SAME_SIDES = "Both sides are the same: change a value first, or choose other rules."
TOO_STRONG, NOT_KNOWN, NOT_CHECKED, ASK_IT = "Is it too strong?", "Not known yet.", "Not checked yet:", "ask"
CHANGE_QUESTION, DOORS = "Change the question", "What would you like to know?"
WANTED, FIGURE, AT_LEAST = "…until a figure is as wanted", "Figure", "At least (shares in per cent)"
AT_MOST = "At most"
GLANCE, SEVERAL_VALUES = "At a glance", "Several values at once, or one of your own:"
WITH_BOX, MORE_VALUES = "Compare with the box", "{number} more values"
TAGLINE = "How should it be played, what is it worth, and how sure is that?"
SKIP = "Skip to the page"
GAMES, JOBS, PLAY, RULES, QUESTIONS = "Games", "Questions at work", "Play", "Rules", "Questions"
OVERVIEW = "Overview"
HOME_HELP = (
    "Choose a question: its form is filled in with an example, so “Ask” works at once. Every answer has an "
    "address of its own, and the line that asks the same at a terminal."
)
PLAY_HELP = "Play it yourself against any of its players, with hints and what each decision cost."
RULES_HELP = "Every value of the rules with where it comes from; change some, and keep them under a name."
AT_WORK = "At work, or left when the app ended last"
SEE_ALL = "All questions at work"
ASK, ASK_AGAIN, BEGIN, MORE = "Ask", "Ask again", "Begin", "More settings"
BY_RULES = "By the rules"
VARY = "Compare over several values"
VARY_HELP = "One value gives a curve, two a heat-map: KEY=FROM:TO, KEY=FROM:TO:STEP or KEY=VALUE,VALUE."
VARY_LABEL = "Values {number}"
GOAL_LABEL = "What a figure is to be"
GOAL_HELP = "Such as won_1=45:55, shares in per cent: the answer is the smallest change that does it."
SET = "Single values of the rules"
SET_HELP = "Laid over the rules for this question only; an empty one is taken away."
COMMAND = "As a command"
COPY, COPIED = "Copy", "Copied"
SAVE = "Save as"
SAVE_FORMS = {"json": "JSON", "csv": "CSV", "html": "Page", "md": "Markdown"}
DETAILS = "Details"
LEADS = "Further"
FIGURES_ABOUT = "{exactness}, answered in {time}"
STOPPED_EARLY = "This was stopped early: it shows what was known then."
GO_ON = "Go on with it"
SHARPEN, SHARPEN_HELP = "Sharpen", "The same question with more deals, or more time."
SAID, AGAINST, THE_BOX = " · ", "{one} against {other}", "the box"
ENDED = {"asks": "This takes long. Is it to begin?", "failed": "There is no answer yet"}
ALLOW_MORE = "Allow more of it"
BEGIN_LONG = "Begin all the same"
SMALLER, FIRST = "Less of it first", "Ask this first"
STOPPED = "This was stopped before anything was known."
NO_ANSWER_YET = "At work"
PAUSE, GO_ON_JOB, STOP, STOP_HELP = "Pause", "Go on", "Stop here", "Keeps what is known so far."
LEAVE_PAGE = "You can leave this page: the question goes on, and this address shows its answer."
NO_SCRIPT = "This page shows the answer once it is loaded again."
WHAT_IF = "What if…"
WHAT_IF_KEY, WHAT_IF_VALUE, COMPARE = "Value of the rules", "It becomes", "See what it does"
WHAT_IF_TO = "Or all values up to"
WITH_AND_WITHOUT, COMPARED = "With and without the change of the rules", "Compare with the rules"
FILTER, SHOW = "Filter", "Figure of the heat-map"
NO_JOBS = "No question has taken long enough to stand here."
FORGET = "Forget it"
GAP, SECONDS = "what both could gain, or half of an interval", "seconds"
GAP_HELP = "What both could still gain by playing otherwise, or ± of what is measured: small is exact."
SO_FAR_ABOUT = "This is what is known so far; it becomes more exact by itself."
ERROR_TITLE = "That did not work"
ERRORS = "Some of this cannot be asked so:"
BACK_HOME = "To the games"
SUM = "in all"
NEW_GAME, KEPT_GAMES = "A new game", "Games that you began"
MOVES_MADE = "{number} decisions made"
OVER = "over"
YOUR_SEAT = "You sit in seat {seat}. Seed {seed}."
THINKING = "The others are thinking…"
YOUR_MOVE, BOARD, HAPPENED, SO_FAR = "Your decision", "The table", "What happened", "What happened before"
THE_END = "The game is over"
REVIEW = "What did I do wrong?"
PLAY_FIRST = "This looks at a game that you have played: at its end, “What did I do wrong?” leads here."
HINT, UNDO, ANOTHER = "What are my moves worth?", "Take back", "Another game"
HINT_HELP = "Some hints take a while."
EXPLAIN, EXPLAIN_LABEL = "Explain", "What does this do?"
OWN_WORDS, DO_MOVE = "Or in the game's own words", "Do it"
CHANGED_LINE = "changed"
RULES_TITLE = "Rules of {game}"
RULES_NAMES_HELP = "What differs from the box is kept as a rules file, which the commands read as well."
NEW_RULES, NAME_LABEL, LIKE_LABEL, MAKE = "New rules", "Name", "Begin with", "Make them"
NAME_HELP = "Any name, such as Strong bashers."
IMPORT, IMPORT_DO = "Rules from a file", "See what it changes"
IMPORT_LABEL = "Spreadsheet (xlsx, ods, csv) or rules file (toml)"
IMPORT_HELP = "Nothing is kept yet. A CSV holds one sheet and is called like it, such as cards.csv."
DRAFT, DRAFT_NONE = "What this file changes", "This file changes nothing."
NO_RULES_FILE = "{name!r} is no file of rules: those end with {kinds}"
DIFFERS = "What differs from the box"
DIFFERS_NOT = "Nothing differs from the box yet: choose an entry to change it."
DOWNLOAD, DELETE, SHEET = "Save the file", "Delete these rules", "As a spreadsheet"
DELETE_HELP = "Answers that are kept stay as they are."
LOOK = "Change it"
ADD_COPY, ADD_COPY_LABEL, ADD_COPY_LIKE = "Make one like it", "Its name", "It begins as a copy of"
ADD_OWN = "One of your own"
NO_MORE = "There is no room for one more: {why}. Change this one instead."
THESE_ALL = "these are all that the game has"
TAKE_OUT, TAKE_OUT_HELP = "Take it out", "The box does not have it; what these rules say elsewhere stays."
OWN_ENTRY = "your own"
STANDS_IN = "It stands in"
STANDS_NOWHERE = "Nothing else in these rules names it yet."
DO_NOTHING, SEE_WHAT = "Ask about", "See what it does"
AS_DATA = "As in a file"
KEEP, KEEP_AS = "Keep it", "Keep it as new rules named"
IN_BOX = "in the box: {value}"
CHANGED_HERE = "Change values where they stand; then see what that does, or keep it."
CONTINUE = "Go on"
GONE = "The app has ended. Start it again with “arena app”: this page goes on by itself then."
MADE_BY = "Nothing leaves this machine."
DO_FIRST = "Do this first"
WORDS_TITLE = "What do these words mean?"
WORDS = {
    "certain": "It would hardly be so by luck alone, all figures of an answer taken together: one answer in"
    " twenty may be wrong in this.",
    "may be nothing": "What was measured is no larger than luck alone could make it. More deals may tell.",
    "(49 to 55)": "The figure lies between these two: with 95 % certainty where it was measured, for sure"
    " where it was proved.",
    "exact": "Worked out without chance and without rounding that matters.",
    "proved": "It lies between the bounds that are shown, whoever plays and however well.",
    "measured": "Counted from many games of players that are named. A better player may change it.",
    "not known yet": "So far the answer would be a guess. “Sharpen” goes on, with more deals or more time.",
    "good, fair, rough": "How much both players together could still gain by playing otherwise: at most 5, 10"
    " or 20 % of what is played for.",
    "the box": "The game as it is sold. Whatever you change is kept under a name of its own.",
    "illustrative": "Invented values, of a game whose numbers nobody has published. Yours can replace them.",
    "deal": "All the luck of one game. Each deal is played once from every seat, so that nobody is luckier.",
    "fine, watch, fix": "Within its bounds; out of the first one; out of the second one. The bounds can be"
    " set.",
    "best play": "Plans of which no player gains by leaving theirs alone (an equilibrium).",
}
"""Words of answers, and what they mean; names of a game's own are on its pages."""
OTHERS = "More of them"
SETTINGS_OF = "Settings of {player}"
ENTRIES, ENTRY = "{number} entries", "entry"
PICTURE_LINK = "Look closer"


def moment(seconds: float) -> str:
    """Say when something was."""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))
