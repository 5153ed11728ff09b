// Who is to blame for failing exchanges: the ranking, with its evidence and an example of each.
import { h } from './preact.js';
import { get } from './api.js';
import { Comparisons } from './compare.js';
import { FailureLabels } from './labels.js';
import { Bar, Card, Fold, Loaded } from './parts.js';
import { Source } from './source.js';
import { count, percent, visible, words } from './text.js';

const EVERY_MILLIS = 4_000;
/** Why exchanges fail, after "by". */
const BY = { STATUS: 'status', RULE: 'a rule', SLOW: 'time', DIFFERENT: 'a reply that differs' };
const IMPORTANCE =
    'Importance, as in statistical debugging: 1 for what held in all failing exchanges and makes failing certain';

function Suspects({ caller }) {
    return h(
        'div',
        null,
        h('h1', null, 'Suspects'),
        h(Loaded, { every: EVERY_MILLIS, read: () => get('/v1/suspects') }, document =>
            h(
                'div',
                null,
                h(Ranking, { document }),
                h(Looking, { looking: document.looking }),
                h(FailureLabels, { caller, edition: document.labels }),
            ),
        ),
        h('h2', null, 'Compare two executions'),
        h(Comparisons, { caller }),
    );
}

/** Where agents observe more than calls now, as the search for suspects has ordered it. */
function Looking({ looking }) {
    return (
        looking.length > 0 &&
        h(
            Card,
            { title: 'The search looks into', wide: true },
            h(
                'p',
                null,
                'Agents observe branches and values of these classes now, the most promising first. ',
                'Next are those that what is found there leads to.',
            ),
            h(
                'ul',
                { class: 'looking' },
                looking.map(name => h('li', { key: name }, h('code', null, visible(name)))),
            ),
        )
    );
}

function Ranking({ document }) {
    const { exchanges, failingBy } = document;
    const why = Object.entries(failingBy)
        .filter(([, number]) => number > 0)
        .map(([reason, number]) => `${count(number)} by ${BY[reason] ?? words(reason)}`);
    return h(
        'div',
        null,
        h(
            'p',
            { class: 'figure' },
            h('b', null, count(exchanges.failing)),
            ' failing and ',
            h('b', null, count(exchanges.successful)),
            ' successful exchanges were observed',
            why.length > 0 && ` (${why.join(', ')})`,
            '.',
        ),
        h('p', { class: 'quiet' }, 'Agents observe what their budget allows, so these are fewer than all exchanges.'),
        document.silence !== null && h('p', { class: 'quiet' }, visible(document.silence)),
        Object.entries(document.tooDifferent).map(([listener, share]) =>
            h(
                'p',
                { class: 'problem', key: listener },
                `${visible(listener)}: ${percent(share)} of the replies differ, so a difference tells nothing.`,
            ),
        ),
        h(
            'ol',
            { class: 'suspects' },
            document.suspects.map(suspect => h(Suspect, { key: `${suspect.method} ${suspect.predicate}`, suspect })),
        ),
        document.unexplained > 0 &&
            document.suspects.length > 0 &&
            h(
                'p',
                { class: 'quiet' },
                `${count(document.unexplained)} failing exchanges are explained by none of these.`,
            ),
        document.leaks.length > 0 &&
            h(
                Card,
                { title: 'Objects that stay', wide: true },
                h(
                    'ul',
                    null,
                    document.leaks.map(leak =>
                        h(
                            'li',
                            { key: `${leak.method} ${leak.class}` },
                            h('b', null, `${leak.rank}. `),
                            h('code', null, visible(leak.method)),
                            ` ${leak.used ? 'used last' : 'makes'} `,
                            h('code', null, visible(leak.class)),
                            `: ${leak.perThousand.toFixed(1)} more with every thousand exchanges`,
                        ),
                    ),
                ),
            ),
        document.lockCycles.length > 0 &&
            h(
                Card,
                { title: 'Circles of locks', wide: true },
                h(
                    'ul',
                    null,
                    document.lockCycles.map((circle, i) =>
                        h(
                            'li',
                            { key: i },
                            h('b', null, `${circle.rank}. `),
                            circle.steps.map(step => visible(step.method)).join(' → '),
                        ),
                    ),
                ),
            ),
    );
}

function Suspect({ suspect }) {
    const { example } = suspect;
    return h(
        'li',
        { value: suspect.rank },
        h(
            'h3',
            null,
            h('code', null, visible(suspect.method)),
            ' ',
            h('a', { href: `#/code?text=${encodeURIComponent(suspect.method)}` }, 'log points and calls'),
        ),
        h('p', { title: visible(suspect.predicate) }, plain(suspect.predicate)),
        h(
            'div',
            { class: 'evidence', title: IMPORTANCE },
            h(Bar, { share: suspect.importance, label: `strength of evidence ${percent(suspect.importance)}` }),
            h('span', null, `strength of evidence ${suspect.importance.toFixed(2)}`),
        ),
        h(
            'p',
            null,
            `It held in ${count(suspect.failing)} of ${count(suspect.failingObserved)} failing and `,
            `${count(suspect.successful)} of ${count(suspect.successfulObserved)} successful exchanges. `,
            `Failing is ${percent(suspect.increase)} likelier then `,
            `(95 % interval ${percent(suspect.low)} to ${percent(suspect.high)}).`,
            suspect.rank > 1 && ` It explains ${count(suspect.explains)} that nothing above it does.`,
        ),
        h(
            'p',
            null,
            'For example ',
            h('a', { href: `#/exchanges/${example.exchange}` }, `exchange ${example.exchange}`),
            ': ',
            visible(example.request),
            example.status > 0 && `, status ${example.status}`,
            example.said !== '' && `, ${visible(example.said)}`,
        ),
        h(Source, { method: suspect.method, lines: marks(suspect, suspect.method) }),
        suspect.alike.length > 0 &&
            h(
                Fold,
                {
                    name: `alike ${suspect.method} ${suspect.predicate}`,
                    open: true,
                    summary:
                        `${count(suspect.alike.length)} that held in nearly the same exchanges: ` +
                        'each may be the cause',
                },
                h(
                    'p',
                    { class: 'quiet' },
                    'What decided its way comes first, then who called it, then what held in the same exchanges, the ',
                    'strongest first. Callers further out follow. A cause often runs before what it makes fail.',
                ),
                h(
                    'ol',
                    null,
                    suspect.alike.map(alike =>
                        h(
                            'li',
                            { key: `${alike.method} ${alike.predicate}` },
                            h(
                                'a',
                                { href: `#/code?text=${encodeURIComponent(alike.method)}` },
                                h('code', null, visible(alike.method)),
                            ),
                            h('span', { title: visible(alike.predicate) }, ` ${plain(alike.predicate)}`),
                            alike.method !== suspect.method &&
                                h(Source, { method: alike.method, lines: marks(suspect, alike.method) }),
                        ),
                    ),
                ),
            ),
        suspect.context.length > 0 &&
            h(
                Fold,
                {
                    name: `context ${suspect.method} ${suspect.predicate}`,
                    summary: 'Called by way of methods that run in nearly every exchange',
                },
                h(
                    'ul',
                    null,
                    suspect.context.map(method => h('li', { key: method }, h('code', null, visible(method)))),
                ),
            ),
    );
}

/** In the words of people who don't know how the agent counts: "at line 7, condition 2 of 3, went on". */
function plain(predicate) {
    return visible(predicate)
        .replace(/, condition (\d+) of (\d+),/, ', in part $1 of its $2-part condition,')
        .replace(/ went on, not to line (\d+)/, ' went on to what follows instead of line $1');
}

/** The lines of a method that the suspect, or what held in the same exchanges, is about. */
function marks(suspect, method) {
    return [suspect, ...suspect.alike].filter(one => one.method === method && one.line > 0).map(one => one.line);
}

export { Suspects as View };
