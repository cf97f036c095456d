// Put the data of this page onto it.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  document.title = "Motehound " + data.command + ": " + data.file;
  document.getElementById("about").textContent = "of " + data.command + " on " + data.file;
  findings(document.getElementById("findings"), data);
  ui.made(document.getElementById("made"), data);
  document.documentElement.dataset.ready = "yes";
})();
