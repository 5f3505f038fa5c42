"use strict";
// Sorts and filters tables, and filters examples. Everything on the page reads without it.
for (const table of document.querySelectorAll("table.sort")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, place) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.replaceChildren(button);
    const key = (row) => {
      const cell = row.cells[place];
      return cell.dataset.v === undefined ? cell.textContent : Number(cell.dataset.v);
    };
    const compare = (a, b) => (typeof a === "number" ? a - b : a.localeCompare(b));
    button.addEventListener("click", () => {
      const first = head.classList.contains("n") ? "descending" : "ascending";
      const other = first === "ascending" ? "descending" : "ascending";
      const order = head.getAttribute("aria-sort") === first ? other : first;
      heads.forEach((each) => each.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", order);
      const sign = order === "ascending" ? 1 : -1;
      const body = table.tBodies[0];
      body.append(...[...body.rows].sort((a, b) => sign * compare(key(a), key(b))));
    });
  });
}
// A row is found by its words, not by its figures; every word that is typed must be there.
const words = (item) =>
  (item.cells ? [...item.cells].filter((cell) => !cell.classList.contains("n")) : [item])
    .map((part) => part.textContent.toLowerCase()).join(" ");
for (const list of document.querySelectorAll("[data-filter]")) {
  const items = [...list.querySelectorAll("tbody tr, .card")];
  const texts = items.map(words);
  const [line, label, box, found] = ["p", "label", "input", "output"].map((tag) =>
    document.createElement(tag));
  line.className = "filter";
  found.ariaLive = "polite";
  box.type = "search";
  box.autocomplete = "off";
  label.append(`Filter ${list.dataset.filter} `, box);
  line.append(label, " ", found);
  list.before(line);
  box.addEventListener("input", () => {
    const wanted = box.value.toLowerCase().split(/\s+/);
    items.forEach((item, place) => {
      item.hidden = !wanted.every((word) => texts[place].includes(word));
    });
    for (const group of list.querySelectorAll(".group")) {
      group.hidden = !group.querySelector(".card:not([hidden])");
    }
    const left = items.filter((item) => !item.hidden).length;
    found.textContent = `${left} of ${items.length} shown`;
  });
}
addEventListener("beforeprint", () => {
  for (const card of document.querySelectorAll("details")) card.open = true;
});
