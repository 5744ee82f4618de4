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

  // ---- all hands of a scenario, laid out when they are first wanted ------------------------------------------------------
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
  searches.hand = [handTest, (row) => row.dataset.hand];
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
  const titled = (name) => name[0].toUpperCase() + name.slice(1);
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
      choice("opens most with", "main", [["", "any card"], ...named.map(([name, letter]) => [letter, titled(name)])]),
      make("output", "", { role: "status" }),
    );
    const table = make("table", undefined, { class: "sortable" });
    table.append(make("caption", "Shares in %, beneath them what the opening is worth in GP"));
    const head = make("tr");
    const titles = ["hand", "dealt", "held", "worth as dealt", "exchanges", ...named.map(([name]) => titled(name))];
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
