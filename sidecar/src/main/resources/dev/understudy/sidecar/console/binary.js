// Bodies that are no text: images of pixels as such, all others as bytes. Only on request, by who may operate.
import { h } from './preact.js';

const WIDTH = 16;

/** The bytes of what the port sends. */
export function decoded(base64) {
    return Uint8Array.from(atob(base64), letter => letter.charCodeAt(0));
}

/** Lines of sixteen bytes, as numbers and as letters. */
export function hexLines(bytes) {
    const lines = [];
    for (let at = 0; at < bytes.length; at += WIDTH) {
        const row = [...bytes.subarray(at, at + WIDTH)];
        const numbers = row.map(byte => byte.toString(16).padStart(2, '0')).join(' ');
        const letters = row.map(byte => (byte > 32 && byte < 127 ? String.fromCharCode(byte) : '·')).join('');
        lines.push(`${at.toString(16).padStart(6, '0')}  ${numbers.padEnd(3 * WIDTH - 1)}  ${letters}`);
    }
    return lines;
}

/** Both sides' images; the browser draws pixels only, and loads nothing. */
export function Images({ production, copy }) {
    const shown = [
        ['Production', production],
        ['Debug', copy],
    ].filter(([, body]) => body?.image);
    return (
        shown.length > 0 &&
        h(
            'div',
            { class: 'images' },
            shown.map(([side, { image, base64 }]) =>
                h(
                    'figure',
                    { key: side },
                    h('img', {
                        src: `data:${image};base64,${base64}`,
                        alt: `The image that ${side.toLowerCase()} sent`,
                    }),
                    h('figcaption', null, `${side}, ${image}`),
                ),
            ),
        )
    );
}
