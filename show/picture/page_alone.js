// The page that stands alone.
pictured(document.body, JSON.parse(document.getElementById("data").textContent), () => []);
document.documentElement.dataset.ready = "yes";
