// The session's story, the newest first: read again only when the stream says that something has happened.
import { h, Component } from './preact.js';
import { get, withParameters } from './api.js';
import { bytes, count, counted, time, visible, words } from './text.js';

const LIMIT = 50;

export class Timeline extends Component {
    componentDidMount() {
        this.shown = true;
        this.leave = this.props.feed.subscribe(() => this.tick());
        this.tick();
    }

    componentWillUnmount() {
        this.shown = false;
        this.leave();
    }

    tick() {
        const { now, connections } = this.props.feed;
        const seen = now === null ? null : `${connections} ${now.timeline}`;
        if (seen !== null && seen !== this.seen && !this.loading) {
            this.load(seen);
        }
    }

    async load(seen) {
        this.loading = true;
        try {
            const found = await get(withParameters('/v1/timeline', { kind: this.props.kind, limit: LIMIT }));
            this.seen = seen;
            if (this.shown) {
                const entries = found.entries.sort((a, b) => b.until - a.until || b.number - a.number);
                this.setState({ entries, problem: null });
            }
        } catch (refusal) {
            if (this.shown) {
                this.setState({ problem: refusal.message });
            }
        } finally {
            this.loading = false;
        }
    }

    render(props, { entries, problem }) {
        if (problem) {
            return h('p', { class: 'problem', role: 'alert' }, problem);
        }
        if (entries === undefined) {
            return h('p', { class: 'quiet' }, 'Loading …');
        }
        return entries.length === 0
            ? h('p', { class: 'quiet' }, 'Nothing yet.')
            : h(
                  'ol',
                  { class: 'timeline', tabindex: 0, 'aria-label': 'What happened, the newest first' },
                  entries.map(entry => h(Entry, { key: entry.number, entry })),
              );
    }
}

function Entry({ entry }) {
    const { kind, at, until, times, what } = entry;
    return h(
        'li',
        { class: isBad(kind, what) ? 'bad' : '' },
        h('time', null, time(until)),
        h('b', null, words(kind)),
        h(
            'span',
            null,
            told(kind, what),
            times > 1 && ` – ${count(times)} times, the first at ${time(at)}`,
        ),
    );
}

function isBad(kind, what) {
    return (
        kind === 'alert' ||
        kind === 'loss' ||
        kind === 'overflow' ||
        kind === 'lanes' ||
        what.state === 'missed' ||
        what.up === false ||
        (kind === 'order' && what.status >= 400) ||
        (kind === 'resync' && what.problem !== '')
    );
}

/** An event in a sentence. */
function told(kind, what) {
    const copy = `${visible(what.listener ?? '')} → ${visible(what.debug ?? '')}`;
    switch (kind) {
        case 'alert':
            return `${visible(what.rule)}: ${visible(what.why)}`;
        case 'order':
            return [
                `${visible(what.by)} (${visible(what.role)}): `,
                h('code', { key: 'order' }, `${visible(what.order)} ${visible(what.body)}`),
                what.status >= 400 && `, refused with status ${what.status}`,
            ];
        case 'loss':
        case 'overflow':
            return `${copy}: ${words(what.reason)} on ${counted(what.connections, 'connection')}, ${bytes(what.bytes)}`;
        case 'divergence':
            return [
                `the first of ${copy}: ${visible(what.request)} differs at ${visible(what.first)}. `,
                h('a', { key: 'all', href: '#/divergences' }, 'All divergences'),
            ];
        case 'debug':
            return what.state === 'missed'
                ? `${copy} can’t be reached: ${visible(what.because)}`
                : `${copy} is reached at ${visible(what.address)}`;
        case 'production':
            return `${visible(what.listener)}: ${visible(what.address)} is ${what.up ? 'up' : 'down'}`;
        case 'tee':
            return `${visible(what.listener)}: copying is ${visible(what.mode)}`;
        case 'recording':
            return `${visible(what.listener)}: ${visible(what.state)}, ${visible(what.file)}, ${bytes(what.bytes)}`;
        case 'resync':
            return `epoch ${what.epoch} of ${visible(what.debug)}, by ${words(what.cause)}: ${words(what.state)}${
                what.problem === '' ? '' : `, ${visible(what.problem)}`
            }`;
        case 'lanes':
            return `the lane process was started again, ${counted(what.restarts, 'time')} up to now`;
        default:
            return '';
    }
}
