"""``library``: what is stored of days; listed, checked, built and cleared."""

from __future__ import annotations

from analysis.ragers.questions.building import BUILD
from analysis.ragers.questions.stored import LIST, PRUNE

__all__ = ["QUESTIONS"]

QUESTIONS = (LIST, BUILD, PRUNE)
