// What the page's own scripts say, in the language of the page.
"use strict";

const words = {};
for (const one of document.querySelectorAll("script.words")) Object.assign(words, JSON.parse(one.textContent));

const filled = (text, args) => text.replace(/\{(\w+)\}/g, (_, name) => args[name]);

// An English text as it is said here, its {placeholders} filled.
function _(text, args = {}) {
  return filled(words[text] ?? text, args);
}

// The same of a {count}: all our languages have one form for one, another for all others.
function _n(one, many, count, args = {}) {
  return filled((words[one] ?? [one, many])[count === 1 ? 0 : 1], { count, ...args });
}
