// The source of a method, with the lines marked that a suspicion is about. Read when it is opened.
import { h } from './preact.js';
import { get, withParameters } from './api.js';
import { Fold, Loaded } from './parts.js';
import { count, visible } from './text.js';

/** `lines` are those of its class's source that are marked; none if the suspicion is about all of the method. */
export function Source({ method, lines }) {
    const path = withParameters('/v1/source', { method, line: lines.length === 0 ? '' : Math.min(...lines) });
    return h(Fold, { name: `source ${path}`, class: 'source', summary: 'Source' }, () =>
        h(Loaded, { key: path, every: 0, read: () => get(path) }, document => h(Lines, { document, lines })),
    );
}

function Lines({ document, lines }) {
    return h(
        'div',
        null,
        h('p', { class: 'quiet' }, `${visible(document.file)}, ${count(document.of)} lines`),
        h(
            'ol',
            { class: 'lines scroll', start: document.first, tabindex: 0, 'aria-label': 'Source' },
            document.lines.map((line, i) => {
                const number = document.first + i;
                const text = h('code', null, visible(line));
                return h('li', { key: number }, lines.includes(number) ? h('mark', null, text) : text);
            }),
        ),
    );
}
