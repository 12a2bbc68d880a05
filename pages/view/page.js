"use strict";
(() => {
  // Open all details for printing.
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = [...document.querySelectorAll("details:not([open])")];
    for (const d of folded) d.open = true;
  });
  addEventListener("afterprint", () => {
    for (const d of folded) d.open = false;
    folded = [];
  });

  // What wide screens show unfolded is open for screen readers, too.
  const wide = matchMedia("(min-width: 60rem)");
  const unfold = () => {
    for (const d of document.querySelectorAll("details.wide")) {
      d.open = wide.matches;
      d.firstElementChild.tabIndex = wide.matches ? -1 : 0;
    }
  };
  wide.addEventListener("change", unfold);

  // A text that can be copied gets a button. Where that is forbidden, the text is at least selected.
  const offer = () => {
    for (const d of document.querySelectorAll("details[data-copy]")) {
      const text = d.lastElementChild, button = Object.assign(document.createElement("button"), { type: "button", className: "second", textContent: d.dataset.copy });
      button.addEventListener("click", async () => {
        getSelection().selectAllChildren(text);
        try {
          await navigator.clipboard.writeText(text.innerText);
          button.textContent = d.dataset.copied;
        } catch {} // not allowed
      });
      d.append(button);
    }
  };

  const ready = () => {
    unfold();
    offer();
  };
  ready();
  document.addEventListener("shown", ready); // a host shows another document
})();
