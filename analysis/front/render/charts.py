"""Charts as SVG by Vega-Lite; inks are `currentColor`, so they follow the page into dark mode."""

from __future__ import annotations

from typing import Any

from analysis.front.page import Curve, Heat, Mix
from analysis.front.render.numbers import axis_format

__all__ = ["chart", "spec_of"]

_INK = "currentColor"


def chart(section: Mix | Curve | Heat) -> str:
    """Return a section as SVG; empty where vl-convert is not installed: the table says the same."""
    try:
        import vl_convert
    except ImportError:
        return ""
    drawn: str = vl_convert.vegalite_to_svg(spec_of(section))
    return drawn.replace("<svg ", '<svg aria-hidden="true" focusable="false" ', 1)


def spec_of(section: Mix | Curve | Heat) -> dict[str, Any]:
    """Return a section as a Vega-Lite specification."""
    ink = {"labelColor": _INK, "titleColor": _INK, "tickColor": _INK, "domainColor": _INK}
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "width": 420,
        "background": None,
        "config": {
            "aria": False,
            "font": "sans-serif",
            "view": {"stroke": None},
            "axis": ink | {"gridColor": _INK, "gridOpacity": 0.15},
            "legend": {"labelColor": _INK, "titleColor": _INK},
        },
        **_drawing(section),
    }


def _drawing(section: Mix | Curve | Heat) -> dict[str, Any]:
    if isinstance(section, Mix):
        return _bars(section)
    return _lines(section) if isinstance(section, Curve) else _squares(section)


def _bars(section: Mix) -> dict[str, Any]:
    x = {"field": "share", "type": "quantitative", "axis": {"format": "%"}, "title": "share"}
    return {
        "data": {"values": [{"move": name, "share": share} for name, share in section.parts]},
        "mark": "bar",
        "encoding": {"x": x, "y": {"field": "move", "type": "nominal", "sort": None}},
    }


def _lines(section: Curve) -> dict[str, Any]:
    values = [
        {"x": point, "y": value, "series": name}
        for name, series in section.series.items()
        for point, value in zip(section.points, series, strict=True)
    ]
    numbers = all(isinstance(point, float) for point in section.points)
    x: dict[str, Any] = {"field": "x", "title": section.x, "sort": None}
    x |= {"type": "quantitative", "scale": {"zero": False}} if numbers else {"type": "nominal"}
    y: dict[str, Any] = {"field": "y", "type": "quantitative", "title": section.y, "scale": {"zero": False}}
    y["axis"] = {"format": axis_format(section.kind)}
    colour = {"field": "series", "type": "nominal", "title": None, "sort": None}
    encoding = {"x": x, "y": y} | ({"color": colour} if len(section.series) > 1 else {})
    return {"data": {"values": values}, "mark": {"type": "line", "point": True}, "encoding": encoding}


def _squares(section: Heat) -> dict[str, Any]:
    values = [
        {"x": column, "y": row, "value": value}
        for row, cells in zip(section.rows, section.cells, strict=True)
        for column, value in zip(section.columns, cells, strict=True)
        if value is not None
    ]
    colour: dict[str, Any] = {"field": "value", "type": "quantitative", "title": section.title}
    colour["legend"] = {"format": axis_format(section.kind)}
    return {
        "data": {"values": values},
        "mark": "rect",
        "encoding": {
            "x": {"field": "x", "type": "ordinal", "title": section.x, "sort": None},
            "y": {"field": "y", "type": "ordinal", "title": section.y, "sort": None},
            "color": colour,
        },
    }
