import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from "@mantine/core";

/** The one accent. Shade 8 is what text, rings and filled buttons use in light. */
const stream: MantineColorsTuple = [
  "#eef9fb",
  "#daf2f7",
  "#bde7ef",
  "#94d7e5",
  "#69c4d6",
  "#44aac4",
  "#2391aa",
  "#067f96",
  "#006f86",
  "#005a6c",
];

/** The greys of the tokens at night, for what Mantine draws by itself: disabled buttons, clear buttons. */
const dark: MantineColorsTuple = [
  "#c2c8cd",
  "#b0b7bd",
  "#9ca4ab",
  "#6c7780",
  "#384148",
  "#2b343a",
  "#222a30",
  "#192026",
  "#111619",
  "#090d10",
];

const input = { classNames: { input: "t-input", label: "t-label", description: "t-hint", error: "t-error" } };

const choice = {
  classNames: { ...input.classNames, dropdown: "t-pop", option: "t-item", pill: "t-pill" },
  defaultProps: { comboboxProps: { shadow: "md" } },
};

/** What a part is asked to look like. */
type Look = { variant?: string; size?: string | number };
type Fill = { bg: string; hover: string; color: string; bd: string };
const FILLED: Fill = { bg: "var(--t-accent-fill)", hover: "var(--t-accent-hover)", color: "var(--t-on-accent)", bd: "0" };
/** Filled follows the scheme: deep water on white, light water with dark words at night. */
const FILLS: Record<string, Fill> = {
  filled: FILLED,
  "danger-filled": { bg: "var(--t-bad-ink)", hover: "var(--t-bad)", color: "var(--t-surface)", bd: "0" },
  "danger-subtle": { bg: "transparent", hover: "var(--t-bad-wash)", color: "var(--t-bad-ink)", bd: "0" },
  default: { bg: "var(--t-raised)", hover: "var(--t-hover)", color: "var(--t-ink)", bd: "1px solid var(--t-line-strong)" },
  subtle: { bg: "transparent", hover: "var(--t-hover)", color: "var(--t-ink-2)", bd: "0" },
  danger: { bg: "transparent", hover: "var(--t-bad-wash)", color: "var(--t-bad-ink)", bd: "1px solid var(--t-line-strong)" },
};
const pick = (variant: string | undefined) => FILLS[variant ?? "filled"] ?? FILLED;

/** The names of the components stand as text, so that a page loads only those it shows. */
export const theme = createTheme({
  primaryColor: "stream",
  primaryShade: { light: 8, dark: 4 },
  colors: { stream, dark },
  fontFamily: "var(--t-font)",
  fontFamilyMonospace: "var(--t-mono)",
  fontSizes: { xs: "0.75rem", sm: "0.8125rem", md: "0.875rem", lg: "1rem", xl: "1.25rem" },
  lineHeights: { xs: "1.35", sm: "1.45", md: "1.5", lg: "1.4", xl: "1.3" },
  headings: {
    fontWeight: "600",
    sizes: {
      h1: { fontSize: "1.75rem", lineHeight: "1.2" },
      h2: { fontSize: "1.25rem", lineHeight: "1.3" },
      h3: { fontSize: "0.875rem", lineHeight: "1.4" },
    },
  },
  spacing: { xs: "4px", sm: "8px", md: "12px", lg: "16px", xl: "24px", xxl: "32px" },
  radius: { xs: "4px", sm: "6px", md: "8px", lg: "10px", xl: "14px" },
  defaultRadius: "sm",
  focusRing: "auto",
  cursorType: "pointer",
  respectReducedMotion: true,
  breakpoints: { xs: "30em", sm: "40em", md: "60em", lg: "75em", xl: "90em" },
  components: {
    Button: {
      defaultProps: { size: "sm" },
      classNames: { root: "t-button" },
      vars: (_theme: unknown, props: Look) => {
        const fill = pick(props.variant);
        return {
          root: {
            "--button-height": props.size === "xs" ? "26px" : "var(--t-control)",
            "--button-padding-x": props.size === "xs" ? "8px" : "12px",
            "--button-fz": props.size === "xs" ? "var(--t-12)" : "var(--t-13)",
            "--button-bg": fill.bg,
            "--button-hover": fill.hover,
            "--button-color": fill.color,
            "--button-hover-color": fill.color,
            "--button-bd": fill.bd,
          },
        };
      },
    },
    ActionIcon: {
      defaultProps: { variant: "subtle", size: 28 },
      vars: (_theme: unknown, props: Look) => {
        const fill = pick(props.variant ?? "subtle");
        return {
          root: {
            "--ai-bg": fill.bg,
            "--ai-hover": fill.hover,
            "--ai-color": "var(--t-ink-3)",
            "--ai-hover-color": "var(--t-ink)",
            "--ai-bd": fill.bd,
          },
        };
      },
    },
    TextInput: input,
    PasswordInput: input,
    NumberInput: { ...input, defaultProps: { hideControls: true } },
    Textarea: input,
    InputWrapper: { classNames: { label: "t-label", description: "t-hint", error: "t-error" } },
    FileInput: input,
    DateInput: input,
    DateTimePicker: input,
    TagsInput: choice,
    MultiSelect: choice,
    Autocomplete: choice,
    Select: { ...choice, defaultProps: { ...choice.defaultProps, allowDeselect: false } },
    Radio: { defaultProps: { size: "xs" }, classNames: { radio: "t-check", label: "t-check-label", description: "t-hint" } },
    RadioGroup: { classNames: { label: "t-label", error: "t-error" } },
    Checkbox: { defaultProps: { size: "xs" }, classNames: { input: "t-check", label: "t-check-label", description: "t-hint" } },
    SegmentedControl: {
      defaultProps: { size: "xs" },
      classNames: { root: "t-segments", label: "t-segment", indicator: "t-segment-on" },
    },
    Tabs: { classNames: { list: "t-tabs", tab: "t-tab" } },
    Menu: {
      defaultProps: { shadow: "md", offset: 4, position: "bottom-end" },
      classNames: { dropdown: "t-pop", item: "t-item", label: "t-item-label" },
    },
    Modal: {
      defaultProps: {
        centered: true,
        radius: "lg",
        padding: "xl",
        overlayProps: { className: "t-veil" },
        closeButtonProps: { "aria-label": "Close" },
      },
      classNames: { content: "t-pop", header: "t-modal-head", title: "t-title" },
    },
    Drawer: {
      defaultProps: { position: "right", size: 520, padding: 0, closeButtonProps: { "aria-label": "Close" } },
      classNames: { content: "t-drawer" },
    },
    Tooltip: { defaultProps: { openDelay: 300, withArrow: false, offset: 6 }, classNames: { tooltip: "t-tip" } },
    Notification: {
      defaultProps: { closeButtonProps: { "aria-label": "Close" } },
      classNames: { root: "t-note", title: "t-note-title", description: "t-note-text" },
    },
    Kbd: { classNames: { root: "t-kbd" } },
    Skeleton: { defaultProps: { radius: "xs" } },
  },
});

/** Mantine's own variables, pointed at the tokens, so that both schemes follow one list. */
export const resolver: CSSVariablesResolver = () => ({
  variables: {
    "--mantine-color-body": "var(--t-surface)",
    "--mantine-color-text": "var(--t-ink)",
    "--mantine-color-bright": "var(--t-ink)",
    "--mantine-color-dimmed": "var(--t-ink-3)",
    "--mantine-color-placeholder": "var(--t-ink-3)",
    "--mantine-color-anchor": "var(--t-accent)",
    "--mantine-color-error": "var(--t-bad-ink)",
    "--mantine-color-default": "var(--t-raised)",
    "--mantine-color-default-hover": "var(--t-hover)",
    "--mantine-color-default-color": "var(--t-ink)",
    "--mantine-color-default-border": "var(--t-line-strong)",
    "--mantine-primary-color-filled": "var(--t-accent-fill)",
    "--mantine-primary-color-filled-hover": "var(--t-accent-hover)",
    "--mantine-primary-color-contrast": "var(--t-on-accent)",
    "--mantine-color-stream-filled": "var(--t-accent-fill)",
    "--mantine-color-stream-filled-hover": "var(--t-accent-hover)",
    "--mantine-shadow-md": "var(--t-pop)",
    "--mantine-shadow-xl": "var(--t-pop)",
  },
  light: {},
  dark: {},
});
