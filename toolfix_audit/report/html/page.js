"use strict";
// Sorts tables and filters examples. Everything on the page reads without it.
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
const box = document.getElementById("filter");
if (box) {
  const cards = [...document.querySelectorAll("#examples ~ .card")];
  box.parentElement.hidden = false;
  box.addEventListener("input", () => {
    const wanted = box.value.toLowerCase();
    let found = 0;
    for (const card of cards) {
      card.hidden = !card.textContent.toLowerCase().includes(wanted);
      found += card.hidden ? 0 : 1;
    }
    document.getElementById("found").textContent = `${found} of ${cards.length}`;
  });
}
addEventListener("beforeprint", () => {
  for (const card of document.querySelectorAll("details")) card.open = true;
});
