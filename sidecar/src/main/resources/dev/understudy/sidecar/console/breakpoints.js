// What a debug JVM that stops at a breakpoint costs, live: how long the window takes it, and what times out.
import { h } from './preact.js';
import { Bar } from './parts.js';
import { count, millis, percent, visible } from './text.js';

/** A share of the time that is left is used up: look up from the debugger. */
const WARN = 0.5;

export function Breakpoints({ windows }) {
    return [
        windows.map(window => h(Danger, { key: window.debug, window })),
        h(
            'p',
            { key: 'advice', class: 'quiet' },
            'Let breakpoints suspend their thread only. Production never waits for them. ',
            h('code', null, 'understudy ide'),
            ' writes the run configuration.',
        ),
    ];
}

function Danger({ window }) {
    const { lagMillis, replyTimeoutMillis, stopMillis, utilisation, pending } = window;
    const stands = Math.min(1, lagMillis / Math.max(1, replyTimeoutMillis));
    return h(
        'div',
        { class: 'part' },
        h(
            'p',
            null,
            h('b', null, visible(window.debug)),
            `: ${count(pending)} ${pending === 1 ? 'request waits' : 'requests wait'} for its answer.`,
        ),
        h(Bar, { share: stands, label: `${percent(stands)} of the time until requests are given up` }),
        h(
            'p',
            { class: stands > WARN ? 'problem' : '', role: stands > WARN ? 'alert' : undefined },
            `The oldest waits for ${millis(lagMillis)}; `,
            `one that stands still for ${millis(replyTimeoutMillis)} is not compared.`,
        ),
        h(
            'p',
            { class: utilisation > WARN ? 'problem' : '' },
            stopMillis < 0
                ? 'Next to nothing arrives, so a stop costs nothing yet.'
                : `If it stops now, the window is full after ${millis(stopMillis)}, and then input is lost.`,
        ),
    );
}
