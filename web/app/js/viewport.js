// Keeps the page as tall as what is really visible. Where the on-screen keyboard covers the page
// instead of shrinking it, only the visual viewport knows, and the composer would be under the keys.

export function fitViewport() {
  const visual = window.visualViewport;
  if (!visual) return;
  const fit = () => {
    const covered = visual.scale === 1 && window.innerHeight - visual.height > 1;
    if (!covered) return document.documentElement.style.removeProperty("--viewport");
    document.documentElement.style.setProperty("--viewport", `${visual.height}px`);
    return window.scrollTo(0, 0);
  };
  visual.addEventListener("resize", fit);
}
