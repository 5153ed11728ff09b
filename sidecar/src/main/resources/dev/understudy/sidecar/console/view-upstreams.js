// What the debug JVM asked of upstreams, and what it got: the aggregator's words, read by the sidecar.
import { h, Component } from './preact.js';
import { get, withParameters } from './api.js';
import { Card, Loaded, Side } from './parts.js';
import { marked } from './diff.js';
import { Faults, Warning } from './faults.js';
import { count, millis, percent, visible, words } from './text.js';

const EVERY_MILLIS = 2_000;
const OUTCOMES = ['MISSED', 'REPLAYED', 'REPEATED', 'BACKGROUND', 'STUBBED', 'LIVE', 'STANDIN', 'FAULT'];
const DECISIONS = {
    TRACE: 'production made its call in the trace of the same inbound exchange',
    TRANSACTION: 'production made its call in the transaction that gave the other replies',
    VALUES: 'of what production got meanwhile, only its values stand in production’s reply',
    INTERVAL: 'production made its call while it served an exchange that debug was serving',
    ORDER: 'it was the oldest unused reply of this form',
};

class Upstreams extends Component {
    change(name, value) {
        const filter = { ...filterOf(this.props.query), [name]: value };
        location.hash = withParameters('#/upstreams', filter);
    }

    render({ query, caller }) {
        const filter = filterOf(query);
        return h(
            'div',
            null,
            h('h1', null, 'Upstreams'),
            h(
                Loaded,
                {
                    key: JSON.stringify(filter),
                    every: document => (document?.state === 'WAITING' ? 200 : EVERY_MILLIS),
                    read: () => get(withParameters('/v1/upstreams', filter)),
                },
                document =>
                    document.state === 'READ'
                        ? h(Read, { document, filter, caller, change: (name, value) => this.change(name, value) })
                        : h(Unread, { document }),
            ),
        );
    }
}

function filterOf(query) {
    return { upstream: query.get('upstream') ?? '', outcome: query.get('outcome') ?? '' };
}

/** Why there is nothing to see, and the way out. */
function Unread({ document: { state, url, problem, faults } }) {
    if (state === 'WAITING') {
        return h('p', { class: 'quiet' }, `Reading from the aggregator at ${visible(url)} …`);
    }
    if (state === 'FAILED') {
        return h(
            'div',
            { role: 'alert' },
            h(Warning, { faults }),
            h('p', { class: 'problem' }, `The aggregator at ${visible(url)} can’t be read: ${visible(problem)}.`),
            h(
                'p',
                null,
                'Check that it runs, and ',
                h('code', null, 'aggregator.url'),
                ' and ',
                h('code', null, 'aggregator.token'),
                ' in the sidecar’s settings. This page tries again by itself.',
            ),
        );
    }
    return h(
        Card,
        { title: 'No aggregator', wide: true },
        h(
            'p',
            null,
            'The debug JVM’s calls to databases and other services are recorded and answered by an aggregator.',
        ),
        h(
            'p',
            null,
            'The sidecar’s settings name none. Start one with ',
            h('code', null, 'understudy aggregator'),
            ', and put its control port’s address into the settings as ',
            h('code', null, 'aggregator.url'),
            '.',
        ),
    );
}

function Read({ document, filter, caller, change }) {
    const names = document.upstreams.map(upstream => upstream.name);
    return h(
        'div',
        null,
        h(
            'div',
            { class: 'cards' },
            document.upstreams.map(upstream => h(Upstream, { key: upstream.name, upstream })),
        ),
        h(Faults, { upstreams: names, faults: document.faults, caller }),
        h(
            'form',
            { class: 'filters', onSubmit: event => event.preventDefault() },
            h(
                'label',
                null,
                'Upstream',
                h(
                    'select',
                    { name: 'upstream', value: filter.upstream, onChange: e => change('upstream', e.target.value) },
                    h('option', { value: '' }, 'all'),
                    names.map(name => h('option', { key: name, value: name }, visible(name))),
                ),
            ),
            h(
                'label',
                null,
                'Outcome',
                h(
                    'select',
                    { name: 'outcome', value: filter.outcome, onChange: e => change('outcome', e.target.value) },
                    h('option', { value: '' }, 'any'),
                    OUTCOMES.map(outcome => h('option', { key: outcome, value: outcome }, words(outcome))),
                ),
            ),
        ),
        h(Kinds, { kinds: document.kinds }),
        h(Misses, { misses: document.misses }),
        h('h2', null, 'Newest calls'),
        document.calls.length === 0
            ? h('p', { class: 'quiet' }, 'No such calls are kept.')
            : h(Calls, { calls: document.calls }),
        h('h2', null, 'Recorded, and not asked for'),
        document.recorded.length === 0
            ? h('p', { class: 'quiet' }, 'Nothing: each reply that is kept was given to the debug JVM.')
            : h(Recorded, { recorded: document.recorded }),
    );
}

/** Production's newest calls that the debug JVM has not made, or not yet. */
function Recorded({ recorded }) {
    return h(
        'div',
        { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Recorded calls' },
        h(
            'table',
            { class: 'recorded' },
            h(
                'thead',
                null,
                h(
                    'tr',
                    null,
                    ['Ago', 'Upstream', 'Form', 'Took'].map(name => h('th', { key: name, scope: 'col' }, name)),
                ),
            ),
            h(
                'tbody',
                null,
                recorded.map(call =>
                    h(
                        'tr',
                        { key: `${call.upstream} ${call.id}` },
                        h('td', { class: 'number' }, millis(call.ageMillis)),
                        h('td', null, visible(call.upstream)),
                        h('td', null, h('code', null, visible(call.form))),
                        h('td', { class: 'number' }, millis(call.tookMillis)),
                    ),
                ),
            ),
        ),
    );
}

function Upstream({ upstream }) {
    const { production, journal, debug } = upstream;
    const down = production.upstream.filter(address => !address.up);
    const counted = [
        [debug.replayed, 'replayed'],
        [debug.repeated, 'repeated'],
        [debug.background, 'background'],
        [debug.stubbed, 'stubbed'],
        [debug.live?.answered ?? 0, 'read live'],
        [debug.standin?.answered ?? 0, 'answered by a stand-in'],
        [debug.local, 'answered on the spot'],
    ];
    const answered = debug.missed + counted.reduce((sum, [number]) => sum + number, 0);
    const facts = [
        ...counted,
        [debug.requests - answered, 'without an answer yet'],
        [debug.faulted, 'more given a fault'],
        [debug.ambiguous, 'of the replayed ones by a guess'],
    ].filter(([number]) => number > 0);
    return h(
        Card,
        { title: `${visible(upstream.name)} (${visible(upstream.protocol)})` },
        h(
            'p',
            { class: 'figure' },
            h('b', { class: debug.missed > 0 ? 'bad' : '' }, count(debug.missed)),
            ` of ${count(debug.requests)} calls missed`,
        ),
        h(
            'p',
            null,
            facts.length === 0
                ? 'nothing replayed yet'
                : facts.map(([n, name]) => `${count(n)} ${name}`).join(', '),
        ),
        debug.local > 0 &&
            h(
                'p',
                { class: 'quiet' },
                'On the spot: calls about their own connection alone, such as opening it. They need no recorded reply.',
            ),
        h(
            'p',
            { class: 'quiet' },
            `${count(production.exchanges)} exchanges recorded, ${count(journal.unused)} of these not asked for yet; `,
            `waited ${millis(debug.waitMillis.p50)} / ${millis(debug.waitMillis.p99)} (p50 / p99); `,
            `journal ${percent(journal.capacityBytes > 0 ? journal.bytes / journal.capacityBytes : 0)} full`,
        ),
        down.length > 0 &&
            h('p', { class: 'problem' }, `Down: ${down.map(address => visible(address.address)).join(', ')}`),
    );
}

/** Misses of the whole run by what they have in common. */
function Kinds({ kinds }) {
    return [
        h('h2', { key: 'title' }, 'Misses of the whole run'),
        kinds.length === 0
            ? h('p', { key: 'none', class: 'good' }, 'Nothing was missed.')
            : h(
                  'div',
                  { key: 'table', class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Misses by kind' },
                  h(
                      'table',
                      null,
                      h(
                          'thead',
                          null,
                          h(
                              'tr',
                              null,
                              ['Calls', 'Upstream', 'Form', 'Why'].map(name =>
                                  h('th', { key: name, scope: 'col' }, name),
                              ),
                          ),
                      ),
                      h(
                          'tbody',
                          null,
                          kinds.map((kind, i) =>
                              h(
                                  'tr',
                                  { key: i },
                                  h('td', null, count(kind.count)),
                                  h('td', null, visible(kind.upstream)),
                                  h('td', null, h('code', null, visible(kind.form))),
                                  h('td', null, visible(kind.why)),
                              ),
                          ),
                      ),
                  ),
              ),
    ];
}

/** The newest misses, each beside the recorded forms that are like it. */
function Misses({ misses }) {
    return (
        misses.length > 0 && [
            h('h2', { key: 'title' }, 'Newest misses'),
            misses.map((miss, i) =>
                h(
                    'details',
                    { key: miss.id, class: 'miss', open: i === 0 },
                    h(
                        'summary',
                        null,
                        `${visible(miss.upstream)}: `,
                        h('code', null, visible(miss.form)),
                    ),
                    h('p', null, visible(miss.why ?? '')),
                    miss.inbound !== undefined && h(Inbound, { number: miss.inbound }),
                    (miss.nearest ?? []).length === 0
                        ? h('p', { class: 'quiet' }, 'No recorded form is like it.')
                        : miss.nearest.map((near, n) => h(Near, { key: n, form: miss.form, near })),
                ),
            ),
        ]
    );
}

function Inbound({ number }) {
    return h('p', null, `Made for the sidecar’s exchange ${number}.`);
}

function Near({ form, near }) {
    const [asked, recorded] = marked(form, near.form);
    return h(
        'dl',
        { class: 'near' },
        h('dt', null, 'asked'),
        h('dd', null, h(Side, { parts: asked, mark: 'del' })),
        h('dt', null, 'recorded'),
        h('dd', null, h(Side, { parts: recorded, mark: 'ins' })),
        near.differs.length > 0 && h('dt', null, 'differs in'),
        near.differs.length > 0 && h('dd', null, h('code', null, near.differs.map(visible).join(', '))),
    );
}

function Calls({ calls }) {
    return h(
        'div',
        { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Newest calls' },
        h(
            'table',
            { class: 'calls' },
            h(
                'thead',
                null,
                h(
                    'tr',
                    null,
                    ['Call', 'Outcome', 'Upstream', 'Form', 'Why it got that', 'Waited'].map(name =>
                        h('th', { key: name, scope: 'col' }, name),
                    ),
                ),
            ),
            h(
                'tbody',
                null,
                calls.map(call =>
                    h(
                        'tr',
                        { key: call.id },
                        h('td', null, call.id),
                        h('td', { class: call.outcome === 'MISSED' ? 'bad' : '' }, words(call.outcome)),
                        h('td', null, visible(call.upstream)),
                        h('td', null, h('code', null, visible(call.form))),
                        h('td', null, reason(call)),
                        h('td', null, millis(call.waitMillis)),
                    ),
                ),
            ),
        ),
    );
}

function reason(call) {
    if (call.why !== undefined) {
        return visible(call.why);
    }
    if (call.stub !== undefined) {
        return `stub ${visible(call.stub)}`;
    }
    if (call.faults !== undefined) {
        return `fault ${call.faults.map(visible).join(', ')}`;
    }
    const decision = DECISIONS[call.by] ?? '';
    return call.ambiguous ? `${decision}; a guess, since others were as good` : decision;
}

export { Upstreams as View };
