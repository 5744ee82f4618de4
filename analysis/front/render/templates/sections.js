// Long tables are sorted by the column whose head is pressed: figures from the largest, words from the first.
"use strict";
function sortable(within) {
  for (const table of within.querySelectorAll("table[data-many]:not([data-sorts])")) {
    table.dataset.sorts = "yes";
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, place) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const words = head.classList.contains("word");
        const falls = head.getAttribute("aria-sort") ? head.getAttribute("aria-sort") === "ascending" : !words;
        for (const each of heads) each.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", falls ? "descending" : "ascending");
        const said = (row) => row.cells[place].textContent.trim();
        const beyond = { "<": -0.5, ">": 0.5 };
        const figure = (row) => parseFloat(said(row).replace("−", "-").replace(/^[^\d-]+|,/g, "")) + (beyond[said(row)[0]] || 0);
        const order = (one, other) => words ? said(one).localeCompare(said(other), "en", { numeric: true }) : figure(one) - figure(other);
        // What has no figure stands last, whichever way the others are sorted.
        const unknown = (row) => Number(!words && Number.isNaN(figure(row)));
        const rows = [...table.tBodies[0].rows];
        rows.sort((one, other) => unknown(one) - unknown(other) || (unknown(one) ? 0 : falls ? order(other, one) : order(one, other)));
        table.tBodies[0].append(...rows);
      });
    });
  }
}
