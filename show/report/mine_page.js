// Put the data of this page onto it.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  mined(document.body, data);
  document.title = "Motehound: " + document.getElementById("firmware").textContent;
  ui.made(document.getElementById("made"), data);
  document.documentElement.dataset.ready = "yes";
})();
