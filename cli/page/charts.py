"""Charts as SVG, drawn by Vega-Lite (vl-convert) while the page is made.

Inks are `currentColor`, so the charts follow the page into dark mode and onto paper.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

INK = "currentColor"
_WIDTH = 260
_BAR = 18


@dataclass(frozen=True)
class Chart:
    """A chart: its caption, the numbers in words for those who cannot see it, and the picture."""

    caption: str
    words: str
    svg: str


def svg(spec: Mapping[str, Any]) -> str:
    """Return a chart without its own words for screen readers: the figure around it has them.

    Parameters
    ----------
    spec
        Vega-Lite; size, font and inks are added.
    """
    import vl_convert

    ink = {"labelColor": INK, "titleColor": INK, "tickColor": INK, "domainColor": INK}
    whole = {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "width": _WIDTH,
        "height": {"step": _BAR},
        "background": None,
        "config": {
            "aria": False,
            "font": "sans-serif",
            "view": {"stroke": None},
            "axis": ink | {"gridColor": INK, "gridOpacity": 0.15, "labelFontSize": 11, "titleFontSize": 11},
        },
        **spec,
    }
    drawn: str = vl_convert.vegalite_to_svg(whole)
    return drawn.replace("<svg ", '<svg aria-hidden="true" focusable="false" ', 1)
