// The one stream: the status twice a second, and what of it has changed per second.
import { get } from './api.js';

const HISTORY = 90;
const SILENCE_MILLIS = 5_000;
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 5_000;

/** Follows the stream, and follows it again when it broke. Listeners run at most as often as events come. */
export class Feed {
    constructor(unauthorized) {
        this.unauthorized = unauthorized;
        this.listeners = new Set();
        this.connected = false;
        this.connections = 0; // each may be to another process, which counts anew
        this.now = null;
        this.rates = [];
        this.pause = FIRST_PAUSE;
    }

    start() {
        this.stop();
        this.connections++;
        this.fresh = true;
        this.source = new EventSource('/v1/console/now');
        this.source.onmessage = event => this.receive(JSON.parse(event.data));
        this.source.onerror = () => this.lost();
        this.watch();
    }

    stop() {
        clearTimeout(this.silence);
        clearTimeout(this.again);
        this.source?.close();
        this.source = null;
    }

    subscribe(listener) {
        this.listeners.add(listener);
        return () => this.listeners.delete(listener);
    }

    receive(now) {
        const before = this.now;
        this.rates = before === null || this.fresh ? [] : this.rates.slice(-HISTORY + 1).concat(rate(before, now));
        this.now = now;
        this.fresh = false;
        this.connected = true;
        this.pause = FIRST_PAUSE;
        this.watch();
        this.publish();
    }

    /** A connection may be open and dead. */
    watch() {
        clearTimeout(this.silence);
        this.silence = setTimeout(() => this.lost(), SILENCE_MILLIS);
    }

    async lost() {
        this.stop();
        this.connected = false;
        this.publish();
        this.again = setTimeout(() => this.retry(), this.pause);
        this.pause = Math.min(LONGEST_PAUSE, this.pause * 2);
    }

    async retry() {
        try {
            await get('/v1/console/session');
            this.start();
        } catch (refusal) {
            if (refusal.status === 401 || refusal.status === 403) {
                this.unauthorized();
            } else {
                this.lost();
            }
        }
    }

    publish() {
        this.listeners.forEach(listener => listener(this));
    }
}

/** Exchanges per second of all listeners, by side, between two events. */
function rate(before, now) {
    const seconds = Math.max(0.001, (now.at - before.at) / 1000);
    const total = (event, side) =>
        event.status.listeners.reduce((sum, listener) => sum + (listener.exchanges?.[side] ?? 0), 0);
    const bytes = event =>
        event.status.listeners.reduce((sum, listener) => sum + listener.bytes.request + listener.bytes.reply, 0);
    return {
        at: now.at,
        production: Math.max(0, total(now, 'production') - total(before, 'production')) / seconds,
        debug: Math.max(0, total(now, 'debug') - total(before, 'debug')) / seconds,
        bytes: Math.max(0, bytes(now) - bytes(before)) / seconds,
    };
}
