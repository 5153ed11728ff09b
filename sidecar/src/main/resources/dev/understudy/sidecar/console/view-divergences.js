// Divergences as the report groups them: first causes first, what may follow from one below it.
import { h } from './preact.js';
import { get } from './api.js';
import { AcceptNoise, NoiseRules } from './noise.js';
import { Differences } from './differences.js';
import { Card, Commands, Fold, Loaded } from './parts.js';
import { count, visible } from './text.js';

const EVERY_MILLIS = 4_000;

function Divergences({ caller }) {
    return h(
        'div',
        null,
        h('h1', null, 'Divergences'),
        h(Loaded, { every: EVERY_MILLIS, read: () => get('/v1/divergences') }, document =>
            document.copies.length === 0
                ? h('p', { class: 'quiet' }, 'No listener has a debug JVM.')
                : document.copies.map(copy => h(CopyOf, { key: `${copy.listener} ${copy.debug}`, copy, caller })),
        ),
        h(NoiseRules, { caller }),
        h(
            'p',
            null,
            h('a', { href: '/v1/divergences', download: 'divergences.json' }, 'Export all divergences as JSON'),
        ),
    );
}

function CopyOf({ copy, caller }) {
    return h(
        Card,
        { title: `${visible(copy.listener)} → ${visible(copy.debug)}`, wide: true },
        h('p', { class: 'figure' }, visible(copy.sentence)),
        /p99|median/.test(copy.sentence) &&
            h(
                'p',
                { class: 'quiet' },
                'p99 is the time that 99 of 100 answers stay below; half of them stay below the median. ',
                'The percentage is how much longer (+) or shorter (−) the debug JVM takes than production. ',
                'The last p is the probability of seeing that by chance.',
            ),
        h('p', { class: copy.faithful ? 'quiet' : 'problem' }, visible(copy.fidelity)),
        copy.firstCauses.length === 0
            ? h(
                  'p',
                  { class: 'good' },
                  'Nothing differs. What fails on both sides alike is under ',
                  h('a', { href: '#/suspects' }, 'Suspects'),
                  '.',
              )
            : h(
                  'ol',
                  { class: 'causes' },
                  copy.firstCauses.map(node => h(Cause, { key: key(node), node, caller })),
              ),
        copy.ungroupedDivergences > 0 &&
            h(
                'p',
                { class: 'quiet' },
                `${count(copy.ungroupedDivergences)} more are in no group, since there are too many groups.`,
            ),
    );
}

function key(node) {
    return `${node.cause.route} ${node.cause.places.join(' ')}`;
}

function Cause({ node, caller }) {
    const { cause } = node;
    return h(
        'li',
        null,
        h('h3', null, visible(cause.route)),
        h(
            'p',
            null,
            h('b', null, count(cause.count)),
            cause.count === 1 ? ' exchange differs at ' : ' exchanges differ at ',
            cause.places.map((place, i) => [i > 0 && ', ', h('code', { key: place }, visible(place))]),
        ),
        node.mayFollow && h('p', { class: 'quiet' }, `May follow: ${visible(node.mayFollow)}.`),
        h(
            'p',
            null,
            h('a', { href: `#/exchanges?kind=DIFFERENT&route=${encodeURIComponent(cause.route)}` }, 'Its exchanges'),
            ' · ',
            h('a', { href: `#/exchanges/${cause.last}` }, `the last one, ${cause.last}`),
        ),
        cause.examples.map((example, i) =>
            h(
                Fold,
                {
                    key: example.exchange,
                    name: `example ${example.exchange} ${key(node)}`,
                    open: i === 0 && !node.mayFollow,
                    summary: `Exchange ${example.exchange}: ${visible(example.request)}`,
                },
                h('p', null, h('a', { href: `#/exchanges/${example.exchange}` }, 'Open it')),
                h(Differences, { differences: example.differences }),
            ),
        ),
        h(AcceptNoise, { cause, caller }),
        h('details', null, h('summary', null, 'Make it happen again'), h(Commands, { lines: node.reproduce })),
        node.followers.length > 0 &&
            h(
                Fold,
                {
                    name: `followers ${key(node)}`,
                    summary: `${count(node.followers.length)} that may follow from it`,
                },
                h(
                    'ol',
                    { class: 'causes' },
                    node.followers.map(follower => h(Cause, { key: key(follower), node: follower, caller })),
                ),
            ),
    );
}

export { Divergences as View };
