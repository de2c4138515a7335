// Sets the chosen theme before the first paint, so that a dark page never flashes white.
// A classic script on purpose: modules run too late for that. theme.js does the rest.
try {
  const theme = localStorage.getItem("angelia.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage may be forbidden; then the page follows the system.
}
