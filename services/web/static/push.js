// A service worker: shows what is pushed to this browser, and opens the table that it is about.
"use strict";

self.addEventListener("push", (event) => {
  const { title, body, tag, url } = event.data.json();
  const shown = { body, tag, data: url, icon: "/static/fold.png" };
  event.waitUntil(self.registration.showNotification(title, shown));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(show(event.notification.data));
});

async function show(url) {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = pages.find((page) => new URL(page.url).pathname === url);
  return there ? there.focus() : self.clients.openWindow(url);
}
