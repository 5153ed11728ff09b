// The views, in the order of the tabs: a module each, loaded when it is wanted first.
import { lazy } from './lazy.js';

function view(id, title, load) {
    return { id, title, load, View: lazy(load, 'View') };
}

export const views = [
    view('overview', 'Overview', () => import('./view-overview.js')),
    view('exchanges', 'Exchanges', () => import('./view-exchanges.js')),
    view('divergences', 'Divergences', () => import('./view-divergences.js')),
    view('suspects', 'Suspects', () => import('./view-suspects.js')),
    view('upstreams', 'Upstreams', () => import('./view-upstreams.js')),
    view('code', 'Code', () => import('./view-code.js')),
    view('control', 'Control', () => import('./view-control.js')),
];
