"use strict";
(() => {
  const read = (id) => JSON.parse(document.getElementById(id).textContent);
  const make = (tag, text, attributes) => {
    const node = document.createElement(tag);
    if (text !== undefined) node.textContent = text;
    for (const [name, value] of Object.entries(attributes || {})) node.setAttribute(name, value);
    return node;
  };
  document.documentElement.classList.add("script");

  // ---- the heat-map's metric -----------------------------------------------------------------------------------
  const { names, units, inks } = read("constants");
  const maps = read("overview-data");
  const metric = document.getElementById("metric");
  const showMetric = (id) => {
    const map = maps[id];
    for (const [cell, [text, level]] of Object.entries(map.cells)) {
      const node = document.getElementById(cell);
      node.style.setProperty("--level", level);
      node.classList.toggle("over-dark", level >= inks.dark);
      node.classList.toggle("over-light", level >= inks.light);
      node.querySelector(".number").textContent = text;
    }
    for (const label of document.querySelectorAll(".metric-label")) label.textContent = map.label;
    document.getElementById("scale-low").textContent = map.low;
    document.getElementById("scale-high").textContent = map.high;
  };
  metric.addEventListener("change", () => {
    showMetric(metric.value);
    document.getElementById("metric-status").textContent = "The heat-map shows " + maps[metric.value].label + ".";
  });
  showMetric(metric.value); // a browser may remember another choice than the first

  // ---- links: what they lead to gets the focus, so that keyboards and screen readers go on from there --------------
  const arrive = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    (target.querySelector("[tabindex='-1']") || target).focus({ preventScroll: true });
  };
  window.addEventListener("hashchange", arrive);
  // A link to where one is already changes no hash.
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#']");
    if (link && link.hash === location.hash) setTimeout(arrive);
  });

  // ---- sorting ---------------------------------------------------------------------------------------------------
  const keyOf = (cell) => {
    const text = (cell.dataset.v ?? cell.textContent).trim();
    if (text === "" || text === "–" || text === "?") return null;
    if (text === "·") return 0;
    if (text.startsWith("<")) return parseFloat(text.slice(1)) / 2;
    const number = parseFloat(text);
    return Number.isNaN(number) ? text.toLowerCase() : number;
  };
  const compare = (one, other) =>
    typeof one === typeof other ? (one < other ? -1 : one > other ? 1 : 0) : typeof one === "number" ? -1 : 1;
  const sortBy = (table, column, heading) => {
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row) => [keyOf(row.cells[column]), row]);
    const known = rows.filter(([key]) => key !== null);
    const now = heading.getAttribute("aria-sort");
    const numbers = known.length > 0 && typeof known[0][0] === "number";
    // Numbers begin with the largest, words with the first; the unknown stay last.
    const down = now === null ? numbers : now === "ascending";
    known.sort(([one], [other]) => (down ? -1 : 1) * compare(one, other));
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", down ? "descending" : "ascending");
    body.append(...known.map(([, row]) => row), ...rows.filter(([key]) => key === null).map(([, row]) => row));
  };
  const makeSortable = (table) => {
    [...table.tHead.rows[0].cells].forEach((heading, column) => {
      const button = make("button", undefined, { type: "button" });
      button.append(...heading.childNodes);
      heading.append(button);
      button.addEventListener("click", () => sortBy(table, column, heading));
    });
  };
  document.querySelectorAll("table.sortable").forEach(makeSortable);

  // ---- filtering -------------------------------------------------------------------------------------------------
  // "B B -V": at least two Bashers, no Veteran; names, or their beginnings, will do.
  const handTest = (query) => {
    const needed = {};
    const barred = [];
    for (const word of query.split(/[\s,;+]+/).filter(Boolean)) {
      const bare = word.replace(/^-/, "");
      if (!bare) continue;
      let found = names.filter(([, letter]) => letter === bare.toUpperCase()).map(([, letter]) => letter);
      if (!found.length && bare.length > 1 && bare === bare.toUpperCase()) found = [...bare];
      if (!found.length) found = names.filter(([name]) => name.startsWith(bare.toLowerCase())).map(([, l]) => l);
      if (!found.length) return () => false;
      for (const letter of found) {
        if (word.startsWith("-")) barred.push(letter);
        else needed[letter] = (needed[letter] || 0) + 1;
      }
    }
    return (hand) =>
      !barred.some((letter) => hand.includes(letter)) &&
      Object.entries(needed).every(([letter, count]) => hand.split(letter).length > count);
  };
  const textTest = (query) => {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    return (text) => words.every((word) => text.toLowerCase().includes(word));
  };
  const connect = (form, table) => {
    const search = form.querySelector("input");
    const apply = () => {
      const rows = [...table.tBodies[0].rows];
      const test = search.dataset.kind === "hand" ? handTest(search.value) : textTest(search.value);
      let shown = 0;
      for (const row of rows) {
        const text = search.dataset.kind === "hand" ? row.dataset.hand : row.textContent;
        const wanted = [...form.querySelectorAll("select")].every((s) => !s.value || row.dataset[s.name] === s.value);
        row.hidden = !(wanted && test(text));
        shown += !row.hidden;
      }
      form.querySelector("output").textContent = shown + " of " + rows.length + " rows";
    };
    form.addEventListener("input", apply);
    form.addEventListener("submit", (event) => event.preventDefault());
    apply();
  };
  for (const form of document.querySelectorAll("form.filters")) {
    connect(form, document.getElementById(form.dataset.table));
  }

  // ---- all hands of a scenario, laid out when they are first wanted ------------------------------------------------------
  const percent = (share) => {
    const shown = 100 * share;
    return shown <= 0 ? "0" : shown < 1 ? "<1" : shown.toFixed(0);
  };
  const gp = (amount) => {
    const shown = Math.abs(amount).toFixed(2);
    return shown === "0.00" ? shown : (amount < 0 ? "-" : "+") + shown;
  };
  const handRow = ([hand, actions, dealt, reach, worth, mix, ev, exchange], columns) => {
    const row = make("tr");
    row.dataset.hand = hand;
    row.append(make("th", hand, { scope: "row" }));
    const number = (text, value) => row.append(make("td", text, value === null ? {} : { "data-v": value }));
    number((100 * dealt * units.dealt).toFixed(2), dealt);
    number((100 * reach * units.dealt).toFixed(2), reach);
    if (worth === null) number("–", null);
    else number(gp(worth * units.worth), worth);
    if (exchange === null) number("–", null);
    else number(percent(1 - exchange[0] * units.share), 1000 - exchange[0]);
    let most = -1;
    for (const letter of columns) {
      const at = actions.indexOf(letter);
      if (at < 0) {
        number("–", null);
        continue;
      }
      const cell = make("td", percent(mix[at] * units.share), { "data-v": mix[at] });
      cell.append(make("small", gp(ev[at] * units.worth)));
      row.append(cell);
      if (mix[at] > most) {
        most = mix[at];
        row.dataset.main = letter;
      }
    }
    return row;
  };
  const choice = (label, name, options) => {
    const whole = make("label", label + " ");
    const select = make("select", undefined, { name });
    for (const [value, text] of options) select.append(make("option", text, { value }));
    whole.append(select);
    return whole;
  };
  const layOut = (details) => {
    const rows = read(details.dataset.hands + "-hands");
    const title = details.querySelector("summary").textContent;
    const named = names.filter(([, letter]) => rows.some((row) => row[1].includes(letter)));
    if (rows.some((row) => row[1].includes("-"))) named.push(["nothing", "-"]);
    const form = make("form", undefined, { class: "filters", "aria-label": "Filter: " + title });
    const label = make("label", "Hands with ");
    label.append(make("input", undefined, { type: "search", placeholder: "B B -V", "data-kind": "hand" }));
    form.append(
      label,
      choice("opens most with", "main", [["", "any card"], ...named.map(([name, letter]) => [letter, name])]),
      make("output", "", { role: "status" }),
    );
    const table = make("table", undefined, { class: "sortable" });
    table.append(make("caption", "Shares in %, beneath them what the opening is worth in GP"));
    const head = make("tr");
    const titles = ["hand", "dealt", "held", "worth as dealt", "exchanges", ...named.map(([name]) => name)];
    for (const text of titles) head.append(make("th", text, { scope: "col" }));
    table.createTHead().append(head);
    const columns = named.map(([, letter]) => letter);
    table.createTBody().append(...rows.map((row) => handRow(row, columns)));
    const scroll = make("div", undefined, { class: "scroll", role: "group", tabindex: "0", "aria-label": title });
    scroll.append(table);
    details.append(form, scroll);
    makeSortable(table);
    connect(form, table);
  };
  for (const details of document.querySelectorAll("details.hands")) {
    details.addEventListener("toggle", () => {
      if (details.open && !details.querySelector("table")) layOut(details);
    });
  }
  // ---- on paper, provenance shows; hands only where they were opened --------------------------------------------------
  let closed = [];
  window.addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("details.provenance:not([open])")];
    for (const details of closed) details.open = true;
  });
  window.addEventListener("afterprint", () => {
    for (const details of closed) details.open = false;
  });

  // Only when all is loaded does the browser no longer move the focus itself.
  if (location.hash) window.addEventListener("load", () => setTimeout(arrive));
})();
