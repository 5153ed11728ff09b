// The frame around the views: who is signed in, which view is shown, light or dark, keys.
import { h, render, Component } from './preact.js';
import { get, post, remove } from './api.js';
import { Feed } from './feed.js';
import { views } from './views.js';

/** When the first view has had time to be drawn, the others are loaded, too. */
const OTHERS_MILLIS = 1_500;
const THEMES = ['auto', 'light', 'dark'];

/** Where the address stands: #/exchanges/7?kind=DIFFERENT. */
function place() {
    const [path, query] = location.hash.replace(/^#\/?/, '').split('?');
    const [id, ...rest] = path.split('/');
    return {
        view: views.find(view => view.id === id) ?? views[0],
        argument: rest.join('/'),
        query: new URLSearchParams(query ?? ''),
    };
}

function stored(name, otherwise) {
    try {
        return localStorage.getItem(name) ?? otherwise;
    } catch (refused) {
        return otherwise;
    }
}

function store(name, value) {
    try {
        localStorage.setItem(name, value);
    } catch (refused) {
        // it holds until the page is closed
    }
}

/** A view that can't be loaded now is loaded when it is shown. */
function preload(view) {
    view.load().catch(() => {});
}

class SignIn extends Component {
    async submit(event) {
        event.preventDefault();
        try {
            this.props.done(await post('/v1/console/session', { token: this.token.value.trim() }));
        } catch (refusal) {
            this.setState({ problem: refusal.message });
        }
    }

    render({ problem }) {
        const shown = this.state.problem ?? problem;
        return h(
            'main',
            { class: 'sign-in' },
            h('h1', null, 'Understudy console'),
            h(
                'p',
                null,
                'Run ',
                h('code', null, 'understudy console'),
                ' and open the link that it prints, or enter a token of this control port.',
            ),
            h(
                'form',
                { onSubmit: event => this.submit(event) },
                h('label', { for: 'token' }, 'Token'),
                h('input', {
                    id: 'token',
                    type: 'password',
                    autocomplete: 'off',
                    required: true,
                    ref: input => {
                        this.token = input;
                    },
                }),
                h('button', { type: 'submit', class: 'primary' }, 'Sign in'),
            ),
            shown && h('p', { class: 'problem', role: 'alert' }, shown),
        );
    }
}

class App extends Component {
    constructor() {
        super();
        this.feed = new Feed(() => this.setState({ caller: null }));
        this.state = { caller: undefined, place: place(), theme: stored('theme', 'auto'), connected: true };
    }

    componentDidMount() {
        this.feed.subscribe(feed => {
            if (feed.connected !== this.state.connected) {
                this.setState({ connected: feed.connected });
            }
        });
        addEventListener('hashchange', () => this.moved());
        addEventListener('keydown', event => this.key(event));
        this.applyTheme(this.state.theme);
        this.enter();
    }

    /** By the code of a link, or by what the browser has already. A code is kept until the sidecar has answered it. */
    async enter(code = /^#code=([\w-]+)$/.exec(location.hash)?.[1]) {
        try {
            if (code !== undefined) {
                history.replaceState(null, '', '/');
                this.signedIn(await post('/v1/console/session', { code }));
            } else {
                this.signedIn(await get('/v1/console/session'));
            }
        } catch (refusal) {
            if (refusal.status === 0) {
                setTimeout(() => this.enter(code), 1_000);
            } else {
                this.setState({ caller: null, problem: code === undefined ? null : refusal.message });
            }
        }
    }

    signedIn(caller) {
        this.setState({ caller, problem: null, place: place() });
        this.feed.start();
        setTimeout(() => views.forEach(preload), OTHERS_MILLIS);
    }

    async signOut() {
        this.feed.stop();
        await remove('/v1/console/session').catch(() => {});
        this.setState({ caller: null });
    }

    moved() {
        if (/^#code=/.test(location.hash)) {
            this.enter();
        } else {
            this.setState({ place: place() });
        }
    }

    key(event) {
        const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
        const asked = document.querySelector('dialog[open]') !== null;
        if (typing || asked || event.ctrlKey || event.metaKey || event.altKey) {
            return;
        }
        const view = views[Number(event.key) - 1];
        if (view !== undefined) {
            location.hash = `#/${view.id}`;
        } else if (event.key === 't') {
            this.nextTheme();
        }
    }

    nextTheme() {
        const theme = THEMES[(THEMES.indexOf(this.state.theme) + 1) % THEMES.length];
        store('theme', theme);
        this.applyTheme(theme);
        this.setState({ theme });
    }

    componentDidUpdate() {
        document.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    }

    applyTheme(theme) {
        document.documentElement.dataset.theme = theme;
    }

    render(props, { caller, place: at, theme, connected, problem }) {
        if (caller === undefined) {
            return h('main', { class: 'sign-in' }, h('h1', null, 'Understudy console'), h('p', null, 'Connecting …'));
        }
        if (caller === null) {
            return h(SignIn, { problem, done: signedIn => this.signedIn(signedIn) });
        }
        const who = `${caller.name} (${caller.role})`;
        return h(
            'div',
            { class: 'frame' },
            h(
                'header',
                null,
                h('a', { class: 'brand', href: '#/' }, 'Understudy'),
                h(
                    'nav',
                    { 'aria-label': 'Views' },
                    views.map((view, i) =>
                        h(
                            'a',
                            {
                                href: `#/${view.id}`,
                                'aria-current': view === at.view ? 'page' : undefined,
                                title: `Key ${i + 1}`,
                            },
                            view.title,
                        ),
                    ),
                ),
                h(
                    'div',
                    { class: 'session' },
                    h(
                        'span',
                        { class: connected ? 'live' : 'live lost', role: 'status' },
                        connected ? 'live' : 'reconnecting …',
                    ),
                    caller.name !== '' && h('span', { class: 'who', title: who }, who),
                    h(
                        'button',
                        { type: 'button', class: 'theme', onClick: () => this.nextTheme(), title: 'Colours: key t' },
                        h('span', null, 'theme: '),
                        theme,
                    ),
                    h('button', { type: 'button', onClick: () => this.signOut() }, 'Sign out'),
                ),
            ),
            h(
                'main',
                { id: 'view' },
                h(at.view.View, { key: at.view.id, feed: this.feed, argument: at.argument, query: at.query, caller }),
            ),
        );
    }
}

preload(place().view);
const root = document.getElementById('app');
root.replaceChildren();
render(h(App), root);
