  const read = (id) => JSON.parse(document.getElementById(id).textContent);
  const make = (tag, text, attributes) => {
    const node = document.createElement(tag);
    if (text !== undefined) node.textContent = text;
    for (const [name, value] of Object.entries(attributes || {})) node.setAttribute(name, value);
    return node;
  };
  document.documentElement.classList.add("script");

  // ---- links: what they lead to gets the focus, so that keyboards and screen readers go on from there --------------
  const arrive = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    // What is folded up is opened, around the target and within it.
    const folded = [...target.querySelectorAll(":scope > details.section")];
    for (let at = target.closest("details"); at; at = at.parentElement.closest("details")) folded.push(at);
    for (const details of folded) details.open = true;
    if (folded.length) target.scrollIntoView();
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
  const textTest = (query) => {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    return (text) => words.every((word) => text.toLowerCase().includes(word));
  };
  // Kind of search -> the test that a query makes, and what of a row is tested.
  const searches = { text: [textTest, (row) => row.textContent] };
  const connect = (form, table) => {
    const search = form.querySelector("input");
    const [makeTest, textOf] = searches[search.dataset.kind ?? "text"];
    const apply = () => {
      const rows = [...table.tBodies[0].rows];
      const test = makeTest(search.value);
      let shown = 0;
      for (const row of rows) {
        const wanted = [...form.querySelectorAll("select")].every((s) => !s.value || row.dataset[s.name] === s.value);
        row.hidden = !(wanted && test(textOf(row)));
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

  // ---- on paper, sections and provenance show; other details only where they were opened --------------------------------------------------
  let closed = [];
  window.addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("details.provenance:not([open]), details.section:not([open])")];
    for (const details of closed) details.open = true;
  });
  window.addEventListener("afterprint", () => {
    for (const details of closed) details.open = false;
  });

  // Only when all is loaded does the browser no longer move the focus itself.
  if (location.hash) window.addEventListener("load", () => setTimeout(arrive));
