// Parts whose modules are loaded when they are shown first, so that the first view needn't wait for all others.
import { h, Component } from './preact.js';

/** Stands in for the component of that name in the module that `load` imports. */
export function lazy(load, name) {
    return class extends Component {
        componentDidMount() {
            this.shown = true;
            load().then(
                module => this.shown && this.setState({ Part: module[name] }),
                () => this.shown && this.setState({ lost: true }),
            );
        }

        componentWillUnmount() {
            this.shown = false;
        }

        render(props, { Part, lost }) {
            if (lost) {
                return h(
                    'p',
                    { class: 'problem', role: 'alert' },
                    'The sidecar did not send this part of the console. ',
                    h('button', { type: 'button', onClick: () => location.reload() }, 'Reload'),
                );
            }
            return Part === undefined ? h('p', null, 'Loading …') : h(Part, props);
        }
    };
}
