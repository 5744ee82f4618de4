"""Finished rules written as a rules file, each value with where it comes from."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from engine.rulefiles import Schema, toml_value

Tables = Mapping[str, Mapping[str, Any]]


def tables_toml(
    schema: Schema, name: str, tables: Tables, provenance: Mapping[str, str], sections: Sequence[str]
) -> str:
    lines = [f"name = {toml_value(name)}"]
    for table, keys in tables.items():
        if table.split(".")[0] not in sections:
            continue
        lines += ["", f"[{table}]", *(f"{key} = {toml_value(value)}" for key, value in keys.items())]
        if set(keys) - {"name"}:
            lines.append(f"provenance = {toml_value(_provenance_of(schema, provenance, table, list(keys)))}")
    return "\n".join(lines) + "\n"


def _provenance_of(
    schema: Schema, provenance: Mapping[str, str], table: str, keys: list[str]
) -> str | dict[str, str]:
    """One word for the whole table, or the odd ones by key and the commonest for the `rest`."""
    # Where one part is changed, loading sees by itself which: the word to keep is that of the others.
    words: dict[str, str] = {}
    for key in keys:
        if key != "name":
            leaves = schema.leaf_keys(table, key)
            unchanged = Counter(provenance[leaf] for leaf in leaves if provenance[leaf] != "changed")
            words[key] = max(unchanged, key=unchanged.__getitem__) if unchanged else "changed"
            odd = [leaf for leaf in leaves if provenance[leaf] not in (words[key], "changed")]
            words |= {leaf.removeprefix(f"{table}."): provenance[leaf] for leaf in odd}
    [(rest, count)] = Counter(words.values()).most_common(1)
    if count == len(words):
        return rest
    return {key: word for key, word in words.items() if word != rest or "." in key} | {"rest": rest}
