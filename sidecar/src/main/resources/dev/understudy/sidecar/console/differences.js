// The places where two replies differ, and why each counts, or doesn't.
import { h } from './preact.js';
import { marked } from './diff.js';
import { Side } from './parts.js';
import { explainedNoise } from './reasons.js';
import { visible, words } from './text.js';

/** A table of differences, both sides beside each other. */
export function Differences({ differences }) {
    const row = difference => {
        const both = difference.production !== null && difference.debug !== null;
        const [ours, theirs] = both
            ? marked(difference.production, difference.debug)
            : [[[difference.production ?? '', true]], [[difference.debug ?? '', true]]];
        return h(
            'tr',
            { class: difference.noise === null ? '' : 'noise' },
            h(
                'th',
                { scope: 'row' },
                h('code', null, visible(difference.path)),
                h('small', null, words(difference.type)),
            ),
            h(
                'td',
                null,
                difference.production === null ? h('i', null, 'nothing') : h(Side, { parts: ours, mark: 'del' }),
            ),
            h(
                'td',
                null,
                difference.debug === null ? h('i', null, 'nothing') : h(Side, { parts: theirs, mark: 'ins' }),
            ),
            h('td', null, difference.noise === null ? 'counts' : `noise: ${words(difference.noise)}`),
        );
    };
    return h(
        'div',
        null,
        h(
            'div',
            { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Differences' },
            h(
                'table',
                { class: 'differences' },
                h(
                    'thead',
                    null,
                    h(
                        'tr',
                        null,
                        ['Place', 'Production', 'Debug', 'Why'].map(name => h('th', { key: name, scope: 'col' }, name)),
                    ),
                ),
                h('tbody', null, differences.map(row)),
            ),
        ),
        h(NoiseWords, { differences }),
    );
}

/** Why the kinds of noise that stand above don't count. */
function NoiseWords({ differences }) {
    const kinds = [...new Set(differences.map(difference => difference.noise))].filter(kind => kind !== null);
    return (
        kinds.length > 0 &&
        h(
            'dl',
            { class: 'noise-words' },
            kinds.map(kind => [
                h('dt', { key: kind }, words(kind)),
                h('dd', { key: `why ${kind}` }, explainedNoise(kind)),
            ]),
        )
    );
}
