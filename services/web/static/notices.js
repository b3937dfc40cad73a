// Has this browser told of turns by push: the form is sent once the browser has subscribed.
"use strict";

(() => {
  const form = document.getElementById("push");
  if (!form || !("serviceWorker" in navigator) || !("PushManager" in window)) return;
  form.hidden = false;

  async function worker() {
    const found = await navigator.serviceWorker.register(form.dataset.worker);
    const coming = found.installing ?? found.waiting;
    if (found.active || !coming) return found;
    await new Promise((done) => coming.addEventListener("statechange", () => found.active && done()));
    return found;
  }

  async function subscribed() {
    const { pushManager } = await worker();
    const had = await pushManager.getSubscription();
    return had ?? pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: form.dataset.key });
  }

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      form.elements.subscription.value = JSON.stringify(await subscribed());
      form.submit();
    } catch {
      document.getElementById("push-says").textContent = _("This browser does not allow it.");
    }
  });
})();
