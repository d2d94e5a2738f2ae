// Before anything is drawn: the colour scheme that was chosen, or the one of the system.
const chosen = localStorage.getItem("mantine-color-scheme-value");
const dark = chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
document.documentElement.dataset.mantineColorScheme = dark ? "dark" : "light";
