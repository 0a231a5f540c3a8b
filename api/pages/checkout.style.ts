import type { Html } from './html.js';

/** Style of the sandbox's page: one column on phones, large controls, visible keyboard focus. */
export const checkoutStyle: Html = {
  html: `
  :root {
    color-scheme: light dark;
    --ground: #f3f4f8; --card: #fff; --text: #16181f; --muted: #5b6070; --line: #d5d8e2; --accent: #3a48c9;
    --on-accent: #fff; --warning: #fff3d6; --on-warning: #5c4300;
    font: 1rem/1.5 ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif;
  }
  @media (prefers-color-scheme: dark) {
    :root {
      --ground: #0d0e13; --card: #181a22; --text: #f1f2f6; --muted: #a9aebc; --line: #343846; --accent: #9aa6ff;
      --on-accent: #0d0e13; --warning: #3b2f10; --on-warning: #ffe2a0;
    }
  }
  *, *::before, *::after { box-sizing: border-box; }
  body { margin: 0; min-height: 100vh; background: var(--ground); color: var(--text); -webkit-text-size-adjust: 100%; }
  main {
    width: min(100%, 30rem); margin: 0 auto; padding: max(1.25rem, env(safe-area-inset-top)) 1rem 2rem;
    overflow-wrap: anywhere;
  }
  h1 { margin: 0.5rem 0; font-size: 1.5rem; line-height: 1.2; }
  .sandbox { margin: 0 0 1rem; padding: 0.6rem 0.8rem; border-radius: 0.6rem; background: var(--warning); color: var(--on-warning); }
  dl { margin: 0 0 1rem; padding: 0.25rem 1rem; border: 1px solid var(--line); border-radius: 0.8rem; background: var(--card); }
  dl div { display: flex; justify-content: space-between; gap: 1rem; padding: 0.7rem 0; }
  dl div + div { border-top: 1px solid var(--line); }
  dt { flex: none; color: var(--muted); }
  dd { min-width: 0; margin: 0; text-align: end; font-weight: 600; }
  .links div { flex-wrap: wrap; column-gap: 1rem; row-gap: 0; }
  .links dd { margin-inline-start: auto; overflow-wrap: break-word; }
  .amount { font-size: 1.25rem; font-variant-numeric: tabular-nums; }
  form { display: grid; gap: 0.75rem; }
  button, .button {
    display: block; width: 100%; min-height: 3rem; padding: 0.7rem 1rem; border: 1px solid var(--line); border-radius: 0.8rem;
    background: var(--card); color: inherit; font: inherit; font-weight: 600; text-align: center; text-decoration: none; text-wrap: balance;
    cursor: pointer;
  }
  .main, .button { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
  .quiet { border-color: transparent; background: none; color: var(--muted); }
  :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
  details { padding: 0.5rem 1rem; border: 1px dashed var(--line); border-radius: 0.8rem; }
  summary { min-height: 2.5rem; padding: 0.5rem 0; cursor: pointer; color: var(--muted); }
  details p { margin: 0 0 0.5rem; color: var(--muted); font-size: 0.9rem; }
  fieldset { margin: 0; padding: 0; border: 0; }
  label { display: flex; gap: 0.7rem; align-items: baseline; padding: 0.55rem 0; cursor: pointer; }
  input { width: 1.1rem; height: 1.1rem; flex: none; accent-color: var(--accent); translate: 0 0.15rem; }
  a:not(.button) { color: var(--accent); }
  code { font-size: 0.85rem; }
  .note { font-size: 1.1rem; }
  .hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
`,
};
