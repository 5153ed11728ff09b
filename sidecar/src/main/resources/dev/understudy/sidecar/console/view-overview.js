// The system as a picture, with what flows through it now, and what is lost.
import { h, Component } from './preact.js';
import { Breakpoints } from './breakpoints.js';
import { get } from './api.js';
import { Warning } from './faults.js';
import { Bar, Card, Loaded, Sparkline } from './parts.js';
import { Timeline } from './timeline.js';
import { bytes, count, counted, millis, percent, perSecond, visible, words } from './text.js';

const FAILURES_MILLIS = 4_000;
const UPSTREAMS_MILLIS = 5_000;
const KINDS = ['SAME', 'EQUIVALENT', 'DIFFERENT', 'NOT_COMPARED'];

class Overview extends Component {
    componentDidMount() {
        this.leave = this.props.feed.subscribe(() => this.setState({}));
    }

    componentWillUnmount() {
        this.leave();
    }

    render({ feed }) {
        if (feed.now === null) {
            return h('p', { class: 'quiet' }, 'Waiting for the sidecar …');
        }
        const { status } = feed.now;
        const rates = feed.rates;
        return h(
            'div',
            null,
            h('h1', null, 'Overview'),
            h(Picture, { status, rate: average(rates), recent: feed.now.recent }),
            h(
                'div',
                { class: 'cards' },
                h(Card, { title: 'Exchanges per second' }, h(Rates, { rates })),
                h(
                    Card,
                    { title: 'Window' },
                    status.windows.map(window => h(Window, { key: window.debug, window })),
                ),
                h(Card, { title: 'Breakpoints' }, h(Breakpoints, { windows: status.windows })),
                h(
                    Card,
                    { title: 'Verdicts' },
                    copies(status).map(copy => h(Verdicts, { key: copy.name, copy })),
                ),
                h(Card, { title: 'Failures' }, h(Failures)),
                h(Card, { title: 'Losses' }, h(Losses, { status })),
                h(Card, { title: 'Agents' }, h(Agents, { agents: status.agents })),
                h(Card, { title: 'Epoch' }, h(Epoch, { epoch: status.epoch })),
            ),
            h(Listeners, { status }),
            h(Card, { title: 'What happened', wide: true }, h(Timeline, { feed, kind: '' })),
        );
    }
}

/** Also what fails on both sides alike, which no verdict shows. */
function Failures() {
    return h(Loaded, { every: FAILURES_MILLIS, read: () => get('/v1/suspects') }, ({ exchanges, suspects }) =>
        h(
            'p',
            { class: 'figure' },
            h('b', null, count(exchanges.failing)),
            exchanges.failing === 1 ? ' observed exchange failed. ' : ' observed exchanges failed. ',
            h(
                'a',
                { href: '#/suspects' },
                suspects.length > 0 ? `Suspected first: ${visible(suspects[0].method)}` : 'No suspects yet',
            ),
        ),
    );
}

/** Of the last seconds: single events jump. */
function average(rates) {
    const last = rates.slice(-6);
    const mean = name => last.reduce((sum, rate) => sum + rate[name], 0) / Math.max(1, last.length);
    return { production: mean('production'), debug: mean('debug'), bytes: mean('bytes') };
}

function copies(status) {
    return status.listeners.flatMap(listener =>
        listener.debugs.map(copy => ({ ...copy, name: `${listener.name} → ${copy.debug}` })),
    );
}

function Picture({ status, rate, recent }) {
    const production = status.listeners.flatMap(listener => listener.production);
    const down = production.filter(target => !target.up).length;
    const open = status.listeners.reduce((sum, listener) => sum + listener.connections.open, 0);
    const lanes = copies(status);
    const unreachable = lanes.filter(copy => copy.lanes.obstacle !== '').map(copy => copy.debug);
    return h(
        'div',
        { class: 'picture', role: 'group', 'aria-label': 'The system' },
        h(Node, { name: 'Clients', place: 'clients' }, counted(open, 'connection')),
        h(Arrow, { place: 'in', text: perSecond(rate.production) }),
        h(
            Node,
            { name: 'Sidecar', place: 'sidecar' },
            status.listeners.map(listener =>
                h(
                    'span',
                    { key: listener.name, class: 'line', title: `The tee is ${listener.tee}` },
                    `${visible(listener.name)}: copying ${listener.tee}`,
                ),
            ),
        ),
        h(Arrow, { place: 'out', text: `${bytes(rate.bytes)}/s` }),
        h(
            Node,
            { name: 'Production', place: 'production', bad: down > 0 },
            down > 0
                ? `${down} of ${production.length} addresses down`
                : `${production.length} address${production.length === 1 ? '' : 'es'} up`,
            h(Answers, { answers: recent.production }),
        ),
        h(Arrow, { place: 'copy', text: perSecond(rate.debug) }),
        h(
            Node,
            {
                name: status.windows.length > 1 ? 'Debug JVMs' : 'Debug JVM',
                place: 'debug',
                bad: unreachable.length > 0,
            },
            unreachable.length > 0 && `${unreachable.map(visible).join(', ')} can't be reached`,
            byDebug(lanes).map(({ debug, copy, connected }) =>
                h(
                    'span',
                    { key: debug, class: 'line' },
                    `${visible(debug)}: ${copy === null ? '' : `${copy} copy, `}${counted(connected, 'connection')}`,
                ),
            ),
            h(Answers, { answers: recent.debug }),
        ),
        status.outgoing.length > 0 && h(Arrow, { place: 'calls', text: 'upstream calls' }),
        status.outgoing.length > 0 &&
            h(
                Node,
                { name: 'Aggregator', place: 'aggregator' },
                status.outgoing.map(calls =>
                    h(
                        'span',
                        { key: calls.debug, class: 'line' },
                        `calls as production's in ${count(calls.SAME)} exchanges, others in ${count(calls.DIFFERENT)}`,
                    ),
                ),
            ),
        h(
            Loaded,
            {
                quiet: true,
                meanwhile: status.outgoing.length > 0 && [
                    h(Arrow, { key: 'down', place: 'down', text: 'upstream calls' }),
                    h(Node, { key: 'upstreams', name: 'Upstreams', place: 'upstreams' }, 'Loading …'),
                ],
                every: document => (document?.state === 'NONE' ? 0 : UPSTREAMS_MILLIS),
                read: () => get('/v1/upstreams?limit=1'),
            },
            ({ upstreams, faults }) => [
                upstreams.length > 0 && h(Arrow, { key: 'down', place: 'down', text: 'upstream calls' }),
                upstreams.length > 0 && h(Upstreams, { key: 'upstreams', upstreams }),
                h(Warning, { key: 'faults', faults }),
            ],
        ),
    );
}

/** Each debug JVM once, whatever the number of its listeners. */
function byDebug(lanes) {
    const all = new Map();
    for (const { debug, copy, lanes: own } of lanes) {
        all.set(debug, { debug, copy, connected: own.connected + (all.get(debug)?.connected ?? 0) });
    }
    return [...all.values()];
}

/** How a side has answered of late. */
function Answers({ answers: { answered, failed, p50, p99 } }) {
    return (
        answered > 0 &&
        h(
            'span',
            { class: 'line', title: 'Times of the last ten seconds: median, and what 99 of 100 stay below' },
            `${millis(p50)} / ${millis(p99)}, `,
            h('span', { class: failed > 0 ? 'bad' : '' }, `${percent(failed / answered)} errors`),
        )
    );
}

function Upstreams({ upstreams }) {
    const down = upstreams.filter(upstream => upstream.production.upstream.some(address => !address.up));
    return h(
        Node,
        { name: upstreams.length > 1 ? 'Upstreams' : 'Upstream', place: 'upstreams', bad: down.length > 0 },
        upstreams.map(upstream =>
            h(
                'a',
                {
                    key: upstream.name,
                    class: 'line',
                    href: `#/upstreams?upstream=${encodeURIComponent(upstream.name)}`,
                },
                `${visible(upstream.name)}: ${count(upstream.production.exchanges)} recorded`,
                upstream.debug.missed > 0 && `, ${count(upstream.debug.missed)} missed`,
                down.includes(upstream) && ', down',
            ),
        ),
    );
}

function Node({ name, place, bad, children }) {
    return h(
        'div',
        { class: `node ${place}${bad ? ' bad' : ''}` },
        h('strong', null, name),
        h('div', null, children),
    );
}

function Arrow({ place, text }) {
    return h(
        'div',
        { class: `arrow ${place}` },
        h('span', { class: 'glyph', 'aria-hidden': 'true' }),
        h('span', null, text),
    );
}

function Rates({ rates }) {
    const now = average(rates);
    return h(
        'div',
        null,
        h(
            'p',
            { class: 'figure' },
            h('b', { class: 'production' }, perSecond(now.production)),
            ' production ',
            h('b', { class: 'debug' }, perSecond(now.debug)),
            ' debug',
        ),
        h(Sparkline, {
            label: 'Exchanges per second of the last 45 seconds',
            lines: ['production', 'debug'].map(name => ({ name, values: rates.map(rate => rate[name]) })),
        }),
    );
}

function Window({ window }) {
    return h(
        'div',
        { class: 'part' },
        h(
            'p',
            { class: 'figure' },
            h('b', null, percent(window.utilisation)),
            ` of ${bytes(window.capacityBytes)}, ${visible(window.debug)}`,
        ),
        h(Bar, { share: window.utilisation, label: `window ${percent(window.utilisation)} full` }),
        h(
            'p',
            null,
            `${bytes(window.occupancyBytes)} waiting, ${millis(window.lagMillis)} behind, `,
            `overflow ${window.estimate.replace(/^overflows /, '')}`,
        ),
        h(
            'p',
            { class: 'quiet' },
            `at most ${percent(window.peakUtilisation)} full and ${millis(window.peakLagMillis)} behind so far`,
        ),
    );
}

function Verdicts({ copy }) {
    const total = KINDS.reduce((sum, kind) => sum + copy.verdicts[kind], 0);
    const reasons = Object.entries(copy.notCompared).sort((a, b) => b[1] - a[1]);
    return h(
        'div',
        { class: 'part' },
        h('p', { class: 'figure' }, h('b', null, count(total)), ` of ${visible(copy.name)}`),
        h(
            'div',
            {
                class: 'stack',
                role: 'img',
                'aria-label': KINDS.map(kind => `${copy.verdicts[kind]} ${words(kind)}`).join(', '),
            },
            total > 0 &&
                KINDS.map(kind =>
                    h('div', {
                        key: kind,
                        class: kind.toLowerCase().replace('_', '-'),
                        style: { width: `${(100 * copy.verdicts[kind]) / total}%` },
                    }),
                ),
        ),
        h(
            'ul',
            { class: 'plain' },
            KINDS.map(kind =>
                h(
                    'li',
                    { key: kind },
                    h(
                        'a',
                        { href: `#/exchanges?kind=${kind}&debug=${encodeURIComponent(copy.debug)}` },
                        `${count(copy.verdicts[kind])} ${words(kind)}`,
                    ),
                ),
            ),
        ),
        reasons.length > 0 &&
            h(
                'p',
                { class: 'quiet' },
                'not compared: ',
                reasons.map(([reason, number]) => `${count(number)} ${words(reason)}`).join(', '),
            ),
    );
}

function Losses({ status }) {
    const lost = copies(status).flatMap(copy =>
        Object.entries(copy.losses).map(([reason, loss]) => ({ copy, reason, loss })),
    );
    return lost.length === 0
        ? h('p', { class: 'good' }, 'Nothing is lost.')
        : h(
              'ul',
              { class: 'plain bad' },
              lost.map(({ copy, reason, loss }) =>
                  h(
                      'li',
                      { key: copy.name + reason },
                      `${visible(copy.name)}: ${words(reason)}, ${counted(loss.events, 'time')}, ${bytes(loss.bytes)}`,
                  ),
              ),
          );
}

function Agents({ agents }) {
    return agents.length === 0
        ? h('p', { class: 'quiet' }, 'No agent has reported in the last ten seconds.')
        : agents.map(agent =>
              h(
                  'div',
                  { class: 'part', key: agent.name },
                  h(
                      'p',
                      { class: 'figure' },
                      h('b', null, percent(agent.spent)),
                      ` of a core, ${visible(agent.name)}`,
                  ),
                  h(Bar, {
                      share: agent.budget > 0 ? agent.spent / agent.budget : 0,
                      label: `budget of ${visible(agent.name)}`,
                  }),
                  h(
                      'p',
                      null,
                      `budget ${percent(agent.budget)} of a core, at most ${percent(agent.budgetMax)}; `,
                      `${perSecond(agent.samplesPerSecond)} samples`,
                  ),
                  agent.why !== '' && h('p', { class: 'quiet' }, visible(agent.why)),
              ),
          );
}

function Epoch({ epoch }) {
    return h(
        'div',
        null,
        h('p', { class: 'figure' }, h('b', null, epoch.epoch), ` of ${visible(epoch.debug)}, ${epoch.state}`),
        h(
            'p',
            null,
            `cause: ${words(epoch.cause)}; ${count(epoch.different)} of ${count(epoch.compared)} differ, `,
            `${count(epoch.overflows)} overflows`,
        ),
        epoch.patch !== '' && h('p', null, `patch ${visible(epoch.patch)}`),
        epoch.problem !== '' && h('p', { class: 'problem' }, visible(epoch.problem)),
    );
}

function Listeners({ status }) {
    const names = ['Listener', 'Debug JVM', 'Production p50 / p99', 'Debug p50 / p99', 'Fidelity'];
    return h(
        'div',
        { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Listeners' },
        h(
            'table',
            null,
            h(
                'thead',
                null,
                h(
                    'tr',
                    null,
                    names.map(name => h('th', { key: name, scope: 'col' }, name)),
                ),
            ),
            h(
                'tbody',
                null,
                status.listeners.flatMap(listener =>
                    listener.debugs.map(copy =>
                        h(
                            'tr',
                            { key: listener.name + copy.debug },
                            h('th', { scope: 'row' }, visible(listener.name), h('small', null, listener.address)),
                            h('td', null, visible(copy.debug), h('small', null, copy.address)),
                            h('td', null, percentiles(copy.latencyMillis.production)),
                            h('td', null, percentiles(copy.latencyMillis.debug)),
                            h('td', null, visible(copy.fidelity)),
                        ),
                    ),
                ),
            ),
        ),
    );
}

function percentiles(latency) {
    return `${millis(latency.p50)} / ${millis(latency.p99)}`;
}

export { Overview as View };
