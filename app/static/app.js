// What a page does beyond links and forms: steppers, filters, what depends on a choice, progress, copying.
// Without it every page works; these are conveniences. No text stands here but what the page brings.
"use strict";
document.documentElement.classList.add("js");

const all = (selector, within = document) => [...within.querySelectorAll(selector)];

function sums(within) {
  for (const group of all(".counts", within)) {
    let sum = 0;
    for (const row of all(".count", group)) {
      const number = row.hidden ? 0 : Number(row.querySelector("input").value) || 0;
      row.classList.toggle("some", number > 0);
      sum += number;
    }
    const shown = group.querySelector(".sum");
    const most = shown.dataset.most;
    shown.textContent = `${sum}${most ? " / " + most : ""} ${shown.dataset.words}`;
    shown.classList.toggle("much", Boolean(most) && sum > Number(most));
  }
}

// Entries of a list that belong to what another field has chosen; settings of the chosen player.
function depend(within) {
  for (const each of all("[data-of]", within)) {
    const other = document.getElementsByName(each.dataset.of)[0];
    if (!other) continue;
    const left = [];
    for (const one of all("[data-group]", each)) {
      const belongs = one.dataset.group === other.value;
      const input = one.querySelector("input");
      if (input && !belongs && !one.hidden) left.push(input.value);
      one.hidden = !belongs;
      (input || one).disabled = !belongs;
    }
    // As many of the first, the second and the third as there were of another group's.
    const now = all("[data-group]:not([hidden]) input", each);
    if (now.length && now.every((input) => !Number(input.value))) now.forEach((input, place) => { input.value = left[place] || 0; });
    if (each.tagName === "SELECT" && each.selectedOptions[0] && each.selectedOptions[0].disabled) {
      const first = [...each.options].find((one) => !one.disabled);
      each.value = first ? first.value : "";
    }
  }
  for (const select of all("select[data-shows]", within)) {
    for (const one of all(".settings", select.parentElement)) {
      one.hidden = one.dataset.group !== select.value;
      for (const input of all("input, select", one)) input.disabled = one.hidden;
    }
  }
  sums(within);
}

// A box above long tables and lists: only rows that have all its words are shown.
function filters(within) {
  for (const list of all("[data-many]", within)) {
    if (list.dataset.many === "ready") continue;
    list.dataset.many = "ready";
    const label = document.createElement("label");
    label.className = "filter-label";
    label.textContent = document.body.dataset.filter;
    const box = document.createElement("input");
    box.type = "text";
    box.className = "filter";
    label.append(box);
    (list.closest(".scroll") || list).before(label);
    box.addEventListener("input", () => {
      const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
      for (const row of all("tbody tr, :scope > li, .count", list)) {
        const text = row.textContent.toLowerCase();
        row.hidden = !words.every((word) => text.includes(word));
      }
    });
    box.addEventListener("keydown", (event) => {
      if (event.key === "Enter") event.preventDefault();
    });
  }
}

// Several heat-maps of one answer: one is shown, and which one is chosen above it.
function choose(within) {
  const maps = all(".answer .heat-part", within);
  if (maps.length < 2) return;
  const [label, select] = [document.createElement("label"), document.createElement("select")];
  label.className = "filter-label";
  label.append(document.body.dataset.show, select);
  for (const map of maps) select.add(new Option(map.querySelector("h2").textContent, maps.indexOf(map)));
  maps[0].before(label);
  const show = () => {
    for (const map of maps) map.hidden = map !== maps[select.value];
    label.after(maps[select.value]);
    for (const folded of all(".answer details.more:not(.what-if)", within)) folded.hidden = !folded.querySelector(".part:not([hidden])");
  };
  select.addEventListener("change", show);
  show();
}

function ready(within = document) {
  depend(within);
  choose(within);
  filters(within);
  sortable(within);
}

document.addEventListener("change", (event) => {
  depend(document);
  // A value of the rules that is chosen stands in its field; one that is changed is asked about at once.
  if (event.target.dataset.fills) document.getElementById(event.target.dataset.fills).value = event.target.selectedOptions[0].dataset.value || "";
  if (event.target.closest(".sets")) event.target.form.requestSubmit();
});
// Of many values that are changed where they stand only those are sent that differ.
document.addEventListener("formdata", (event) => {
  for (const cell of all(".cell", event.target)) if (cell.value === cell.dataset.was) event.formData.delete(cell.name);
});
document.addEventListener("input", (event) => {
  if (event.target.matches(".cell")) event.target.classList.toggle("changed", event.target.value !== event.target.dataset.was);
  if (event.target.closest(".counts")) sums(document);
});
document.addEventListener("click", (event) => {
  const step = event.target.closest(".step");
  if (step) {
    const input = step.parentElement.querySelector("input");
    if (input.type === "text") input.value = Number(input.value || 0) + Number(step.dataset.step);
    else if (Number(step.dataset.step) > 0) input.stepUp();
    else input.stepDown();
    input.dispatchEvent(new Event("input", { bubbles: true }));
    input.dispatchEvent(new Event("change", { bubbles: true }));
  }
  const copy = event.target.closest("[data-copy]");
  if (copy) {
    const code = copy.parentElement.querySelector("code");
    const done = () => { copy.textContent = copy.dataset.copied; };
    if (navigator.clipboard) navigator.clipboard.writeText(code.textContent).then(done, () => getSelection().selectAllChildren(code));
    else getSelection().selectAllChildren(code);
  }
});
// Whether the app is there, and how much is at work; what is finished meanwhile calls for a look.
let [work, gone] = [0, false];
async function look() {
  const here = await fetch("/here", { cache: "no-store" }).then((answer) => (answer.ok ? answer.json() : null), () => null);
  if (here && gone) location.reload();
  gone = !here;
  const said = document.getElementById("gone");
  said.hidden = !gone;
  said.textContent = gone ? said.dataset.said : "";
  for (const each of all("button")) each.disabled = gone;
  if (gone) return;
  if (here.work < work && document.hidden) document.title = `● ${document.title.replace("● ", "")}`;
  work = here.work;
  const shown = document.getElementById("work");
  shown.textContent = work;
  shown.hidden = !work;
}
setInterval(look, 3000);
document.addEventListener("visibilitychange", () => { if (!document.hidden) document.title = document.title.replace("● ", ""); });
// Digits make the move of that number, where nothing is being typed.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
  const form = document.querySelector("form[data-keys]");
  if (!form || !/^[1-9]$/.test(event.key)) return;
  const moves = all(".move", form);
  if (moves.length < 10 && moves[event.key - 1]) moves[event.key - 1].click();
});
document.addEventListener("DOMContentLoaded", () => {
  ready();
  // A part that has been put in its place: whoever uses a keyboard goes on there.
  document.addEventListener("htmx:after:process", (event) => {
    if (!["main", "answer"].includes(event.target.id)) return;
    ready(event.target);
    if (event.target.id === "main" && !event.target.querySelector("[data-busy]")) event.target.focus({ preventScroll: true });
  });
});
