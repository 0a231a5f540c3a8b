/*
 * Adds the page's nonce to the styles that media-chrome writes as HTML into the shadow roots of its elements. media-chrome has no
 * setting for a nonce (github.com/muxinc/media-chrome/issues/898), and the content security policy blocks styles without one.
 * Import it before media-chrome. HTML that is written in these ways never runs scripts, whatever their nonce.
 */
const { nonce } = document.querySelector('script[nonce]');
const withNonce = (html) => String(html).replaceAll('<style', `<style nonce="${nonce}"`);

const root = ShadowRoot.prototype;
const innerHTML = Object.getOwnPropertyDescriptor(root, 'innerHTML');
Object.defineProperty(root, 'innerHTML', {
  ...innerHTML,
  set(html) {
    innerHTML.set.call(this, withNonce(html));
  },
});

const setHTMLUnsafe = Object.getOwnPropertyDescriptor(root, 'setHTMLUnsafe');
if (setHTMLUnsafe)
  root.setHTMLUnsafe = function (html) {
    setHTMLUnsafe.value.call(this, withNonce(html));
  };
