"""What is wrong with a question, said so that whoever asked can mend it."""

from __future__ import annotations

from collections.abc import Mapping

from analysis.exit_codes import (
    EXIT_FAILURE,
    EXIT_INTERRUPTED,
    EXIT_MEMORY,
    EXIT_TARGET_NOT_REACHED,
    EXIT_USAGE,
)


class RequestError(Exception):
    """A question that cannot be answered as it was asked.

    Parameters
    ----------
    message : what is wrong, and what would do.
    option : the option of the command line that says it, such as ``--patron``; None where it is no single
        one.
    """

    def __init__(self, message: str, option: str | None = None) -> None:
        super().__init__(message)
        self.option = option


class WorkError(Exception):
    """A sound question that cannot be answered here; the message says why, and what may help.

    Attributes
    ----------
    exit_code, said : what a command ends with, and the word before the message.
    """

    exit_code = EXIT_FAILURE
    said = "Error"


class NotAskedYetError(WorkError):
    """What another question has to find first.

    Attributes
    ----------
    question, given : that question, and what is to be asked of it besides the same rules.
    """

    def __init__(self, message: str, question: str, given: Mapping[str, str | list[str]]) -> None:
        super().__init__(message)
        self.question, self.given = question, dict(given)


class NothingYetError(WorkError):
    """Somebody stopped before there was an answer of any use; the message says so."""

    exit_code = EXIT_INTERRUPTED
    said = "Stopped"


class TooShortError(WorkError):
    """A limit was over before there was an answer of any use; the message says so."""

    exit_code = EXIT_TARGET_NOT_REACHED
    said = "Stopped"


class NotKeptError(WorkError):
    """What took time to find could be kept nowhere; the message says why."""


class RefusedError(WorkError):
    """What would take more memory than is allowed; the message says how much."""

    exit_code = EXIT_MEMORY
    said = "Refused"


class MalformedFileError(WorkError):
    """A file that is none of those it should be; the message says where."""

    exit_code = EXIT_USAGE
