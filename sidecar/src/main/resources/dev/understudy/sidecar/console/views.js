// The views, in the order of the tabs: a module each.
export const views = (
    await Promise.all([
        import('./view-overview.js'),
        import('./view-exchanges.js'),
        import('./view-divergences.js'),
        import('./view-suspects.js'),
        import('./view-upstreams.js'),
        import('./view-code.js'),
        import('./view-control.js'),
    ])
).map(module => module.default);
