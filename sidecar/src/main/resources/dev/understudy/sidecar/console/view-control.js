// What operators change: tee, sampling, recording, resync, settings, patches. Each change asks once, and is told with
// its author.
import { h, Component } from './preact.js';
import { get, post, put, remove } from './api.js';
import { Action, Because, Field, forbidden } from './actions.js';
import { Card, Loaded } from './parts.js';
import { Patch } from './patch.js';
import { Timeline } from './timeline.js';
import { bytes, count, millis, time, visible, words } from './text.js';

const EVERY_MILLIS = 2_000;
const MODES = [
    ['on', 'On', 'Copy again what clients send?'],
    ['paused', 'Pause', 'Keep in the window what clients send, until copying is on again? A full window loses input.'],
    ['off', 'Off', 'Copy nothing more? Connections that are open are not copied again as a whole.'],
];
const SAMPLE = [
    ['connections', 'Connections', 'such as 10%'],
    ['requests', 'Requests', 'such as 10%'],
    ['header', 'Header', 'whose presence chooses; none if empty'],
    ['paths', 'Paths', 'with commas between'],
    ['keys', 'Redis keys', 'their beginnings, with commas between'],
];
const LISTS = ['paths', 'keys'];

class Control extends Component {
    componentDidMount() {
        this.leave = this.props.feed.subscribe(() => this.setState({}));
    }

    componentWillUnmount() {
        this.leave();
    }

    render({ feed, caller }) {
        const operate = forbidden(caller, 'operate');
        const admin = forbidden(caller, 'admin');
        const listeners = feed.now?.status.listeners ?? [];
        return h(
            'div',
            null,
            h('h1', null, 'Control'),
            h(Because, { reason: operate === '' ? admin : operate }),
            h(
                'div',
                { class: 'cards' },
                listeners.map(listener => h(Listener, { key: listener.name, listener, operate, admin })),
                h(Resyncs, { admin }),
                h(Settings, { operate }),
                h(Patch, { admin }),
            ),
            h(Card, { title: 'Who did what', wide: true }, h(Timeline, { feed, kind: 'order' })),
        );
    }
}

function Listener({ listener, operate, admin }) {
    const path = `/v1/listeners/${encodeURIComponent(listener.name)}`;
    const name = visible(listener.name);
    const none = listener.debugs.length === 0 ? 'This listener has no debug JVM.' : operate;
    return h(
        Card,
        { title: `Listener ${name}` },
        h(
            'p',
            { class: 'figure', title: 'The tee: the switch of what is copied to debug JVMs' },
            'Copying is ',
            h('b', null, listener.tee),
            '.',
        ),
        h(
            'p',
            { class: 'actions' },
            MODES.map(([mode, label, question]) =>
                h(Action, {
                    key: mode,
                    label,
                    question: `${name}: ${question}`,
                    because: listener.tee === mode ? `It is ${mode} already.` : none,
                    run: () => put(`${path}/tee`, { mode }),
                }),
            ),
        ),
        listener.debugs.length > 0 &&
            h(
                'details',
                null,
                h('summary', null, 'Sampling'),
                h(Loaded, { every: 0, read: () => get(`${path}/tee`) }, document =>
                    h(Sampling, { path, name, sample: document.sample, because: none }),
                ),
            ),
        h(Recording, { path, name, recording: listener.recording, because: admin }),
    );
}

/** Which share is copied, as the settings name it. Below the form stands, in the port's words, what is wrong. */
class Sampling extends Component {
    constructor(props) {
        super(props);
        this.state = { values: texts(props.sample) };
    }

    send() {
        const sample = {};
        for (const [field] of SAMPLE) {
            const text = this.state.values[field].trim();
            if (LISTS.includes(field)) {
                sample[field] = text === '' ? [] : text.split(',').map(part => part.trim());
            } else if (text !== '') {
                sample[field] = text;
            }
        }
        return post(`${this.props.path}/tee`, { sample });
    }

    render({ name, because }, { values, problem }) {
        return h(
            'div',
            { class: 'form' },
            SAMPLE.map(([field, label, hint]) =>
                h(Field, {
                    key: field,
                    name: field,
                    label,
                    hint,
                    value: values[field],
                    disabled: because !== '',
                    problem: problem?.includes(field) ? problem : null,
                    change: value => this.setState({ values: { ...values, [field]: value } }),
                }),
            ),
            problem && !SAMPLE.some(([field]) => problem.includes(field)) && h('p', { class: 'problem' }, problem),
            h(Action, {
                label: 'Sample',
                question: `${name}: copy only what these choose?`,
                because,
                quiet: true,
                run: () => this.send(),
                then: () => this.setState({ problem: null }),
                refused: message => this.setState({ problem: visible(message) }),
            }),
        );
    }
}

function texts(sample) {
    return Object.fromEntries(
        SAMPLE.map(([field]) => [field, LISTS.includes(field) ? sample[field].join(', ') : sample[field]]),
    );
}

function Recording({ path, name, recording, because }) {
    const isOn = recording.state === 'on';
    return h(
        'div',
        { class: 'part' },
        h(
            'p',
            null,
            `Recording: ${visible(recording.state)}`,
            recording.file !== '' && `, ${visible(recording.file)}, ${bytes(recording.bytes)}`,
            recording.ended !== '' && `, ${visible(recording.ended)}`,
        ),
        h(
            'p',
            { class: 'actions' },
            h(Action, {
                label: 'Record',
                question: `${name}: write all traffic to a file from now on?`,
                because: isOn ? 'It is recorded already.' : because,
                run: () => put(`${path}/recording`, { mode: 'on' }),
            }),
            h(Action, {
                label: 'Stop recording',
                question: `${name}: end the recording?`,
                because: isOn ? because : because === '' ? 'Nothing is recorded.' : because,
                run: () => put(`${path}/recording`, { mode: 'off' }),
            }),
        ),
    );
}

function Resyncs({ admin }) {
    return h(
        Card,
        { title: 'Resync' },
        h(Loaded, { every: EVERY_MILLIS, read: () => get('/v1/resync') }, ({ debug, possible, epochs }) => {
            const because = possible ? admin : 'The settings name no steps under resync.';
            return h(
                'div',
                null,
                h(
                    'p',
                    { class: 'actions' },
                    h(Action, {
                        label: 'Resync',
                        question:
                            `Bring ${visible(debug)} back to production’s state? ` +
                            'What it did so far ends with it.',
                        because,
                        run: () => post('/v1/resync', {}),
                    }),
                ),
                !possible && h(Because, { reason: because }),
                h(
                    'ol',
                    { class: 'epochs' },
                    epochs.slice(-10).map(epoch =>
                        h(
                            'li',
                            { key: epoch.epoch, value: epoch.epoch, class: epoch.problem === '' ? '' : 'bad' },
                            `${time(epoch.fromMillis)}, ${words(epoch.cause)}, ${words(epoch.state)}`,
                            epoch.tookMillis > 0 && ` in ${millis(epoch.tookMillis)}`,
                            `; ${count(epoch.different)} of ${count(epoch.compared)} differ`,
                            epoch.problem !== '' && `; ${visible(epoch.problem)}`,
                        ),
                    ),
                ),
            );
        }),
    );
}

/** Of agents, while their JVMs run. */
class Settings extends Component {
    constructor() {
        super();
        this.state = { name: 'window.wanted', value: '' };
    }

    render({ operate }, { name, value, problem }) {
        return h(
            Card,
            { title: 'Settings of agents' },
            h(Loaded, { every: EVERY_MILLIS, read: () => get('/v1/orders') }, ({ orders, agents, wantedMillis }) => [
                h(
                    'ul',
                    { key: 'ordered', class: 'plain' },
                    wantedMillis > 0 && h('li', null, h('code', null, `window.wanted: ${millis(wantedMillis)}`)),
                    Object.entries(orders.settings ?? {}).map(([key, set]) =>
                        h('li', { key }, h('code', null, `${visible(key)}: ${visible(JSON.stringify(set))}`)),
                    ),
                ),
                agents.flatMap(agent =>
                    agent.problems.map((text, i) =>
                        h(
                            'p',
                            { key: `${agent.name} ${i}`, class: 'problem' },
                            `${visible(agent.name)}: ${visible(text)}`,
                        ),
                    ),
                ),
            ]),
            h(
                'div',
                { class: 'form' },
                h(Field, {
                    name: 'setting',
                    label: 'Setting',
                    hint: 'as written at the agent’s start; window.wanted is the sidecar’s own',
                    value: name,
                    disabled: operate !== '',
                    change: changed => this.setState({ name: changed }),
                }),
                h(Field, {
                    name: 'value',
                    label: 'Value',
                    hint: 'such as 10m',
                    value,
                    problem,
                    disabled: operate !== '',
                    change: changed => this.setState({ value: changed }),
                }),
                h(
                    'p',
                    { class: 'actions' },
                    h(Action, {
                        label: 'Set',
                        question: `Set ${visible(name)} to ${visible(value)} in all debug JVMs?`,
                        because: operate,
                        quiet: true,
                        run: () => post('/v1/orders/settings', { set: { [name.trim()]: value.trim() } }),
                        then: () => this.setState({ problem: null }),
                        refused: message => this.setState({ problem: visible(message) }),
                    }),
                    h(Action, {
                        label: 'Reset all',
                        question: 'Have all settings hold again as they were set at the start?',
                        because: operate,
                        run: () => remove('/v1/orders/settings'),
                    }),
                ),
            ),
        );
    }
}

export { Control as View };
