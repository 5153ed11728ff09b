// Small parts that several views use. All foreign text ends in text nodes.
import { h, Component } from './preact.js';
import { visible, words } from './text.js';

const AGAIN_MILLIS = 2_000;

export function Verdict({ kind }) {
    return h('span', { class: `verdict ${kind.toLowerCase().replace('_', '-')}` }, words(kind));
}

export function Card({ title, wide, children }) {
    return h('section', { class: wide ? 'card wide' : 'card' }, h('h2', null, title), children);
}

/** A share as a bar; more than 0.8 is a warning. */
export function Bar({ share, label }) {
    const bounded = Math.max(0, Math.min(1, share));
    return h(
        'div',
        { class: bounded > 0.8 ? 'bar high' : 'bar', role: 'img', 'aria-label': label },
        h('div', { style: { width: `${100 * bounded}%` } }),
    );
}

/** Figures over time; each line is a list of numbers. */
export function Sparkline({ lines, label }) {
    const most = Math.max(1, ...lines.flatMap(line => line.values));
    const points = values =>
        values
            .map((value, i) => `${(300 * i) / Math.max(1, values.length - 1)},${58 - (54 * value) / most}`)
            .join(' ');
    return h(
        'svg',
        { class: 'spark', viewBox: '0 0 300 60', preserveAspectRatio: 'none', role: 'img', 'aria-label': label },
        lines.map(line => h('polyline', { class: line.name, points: points(line.values) })),
    );
}

/** One side of a difference, with the words marked that only this side has. */
export function Side({ parts, mark }) {
    return h(
        'code',
        null,
        parts.map(([text, only]) => (only ? h(mark, null, visible(text)) : visible(text))),
    );
}

/** A button that puts a text on the clipboard, where the browser allows that; the text can be selected anyway. */
export class Copy extends Component {
    render({ text, children }) {
        const copy = async () => {
            try {
                await navigator.clipboard.writeText(text);
                this.setState({ done: 'Copied' });
            } catch (refused) {
                this.setState({ done: 'Select the text below instead' });
            }
        };
        return h('button', { type: 'button', onClick: copy }, this.state.done ?? children);
    }
}

export function Commands({ lines }) {
    return h('pre', { class: 'commands', tabindex: 0 }, lines.map(visible).join('\n'));
}

const folds = new Map(); // as long as the page is open, so that going back finds what was opened
const MOST_FOLDS = 500;

/** What can be folded, and stays as it was left; children that are a function are made when it is opened. */
export class Fold extends Component {
    toggled(open) {
        if (folds.size >= MOST_FOLDS) {
            folds.clear();
        }
        folds.set(this.props.name, open);
        this.props.toggled?.(open);
        this.setState({});
    }

    render({ name, open = false, summary, children, ...rest }) {
        const isOpen = folds.get(name) ?? open;
        return h(
            'details',
            { class: rest.class, open: isOpen, onToggle: event => this.toggled(event.target.open) },
            h('summary', null, summary),
            typeof children === 'function' ? isOpen && children() : children,
        );
    }
}

/** Loads a document again and again while it is shown, one call at a time; `quiet`: says nothing before it has one. */
export class Loaded extends Component {
    componentDidMount() {
        this.shown = true;
        this.load();
    }

    componentWillUnmount() {
        this.shown = false;
        clearTimeout(this.timer);
    }

    /** A number, or what a function makes of the document. */
    pause(document) {
        const { every } = this.props;
        return typeof every === 'function' ? every(document) : every;
    }

    async load() {
        let again = this.pause();
        try {
            const document = await this.props.read();
            again = this.pause(document);
            if (this.shown) {
                this.setState({ document, problem: null });
            }
        } catch (refusal) {
            const isLost = refusal.status === 0; // also what is wanted once is asked for again, until it is answered
            again = again > 0 || isLost ? Math.max(again, AGAIN_MILLIS) : 0;
            if (this.shown) {
                this.setState({ problem: refusal.message });
            }
        }
        if (this.shown && again > 0) {
            this.timer = setTimeout(() => this.load(), again);
        }
    }

    render({ children, quiet, meanwhile }) {
        const { document, problem } = this.state;
        if (quiet) {
            return document === undefined ? !problem && meanwhile : children(document);
        }
        return h(
            'div',
            null,
            problem && h('p', { class: 'problem', role: 'alert' }, problem),
            document === undefined ? !problem && h('p', { class: 'quiet' }, 'Loading …') : children(document),
        );
    }
}
