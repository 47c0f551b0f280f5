// Every piece of text that is shown with too little contrast against what is behind it (WCAG 2.2, 1.4.3:
// 4.5 to 1), as "text: ratio".
const channels = (colour) => {
  const parts = colour.match(/[\d.]+/g).map(Number);
  return { rgb: parts.slice(0, 3), alpha: parts.length > 3 ? parts[3] : 1 };
};
const luminance = (rgb) => {
  const [r, g, b] = rgb.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const behind = (element) => {
  for (let part = element; part; part = part.parentElement) {
    const { rgb, alpha } = channels(getComputedStyle(part).backgroundColor);
    if (alpha === 1) return rgb;
  }
  return [255, 255, 255];
};
const ratio = (one, other) => {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
};
const faults = [];
for (const element of document.querySelectorAll("body *")) {
  const text = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  if (!text && !element.matches("input:not([type=hidden], [hidden]), select, textarea")) continue;
  const found = ratio(channels(getComputedStyle(element).color).rgb, behind(element));
  if (found < 4.5) faults.push(`${element.textContent.trim().slice(0, 40)}: ${found.toFixed(2)}`);
}
return faults;
