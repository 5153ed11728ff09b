package dev.understudy.divergence.noise.learn;

import org.jspecify.annotations.Nullable;

/** Each side says the same always, and something else than the other. */
final class HostEvidence implements Evidence {
    private @Nullable String production;
    private @Nullable String debug;

    @Override
    public boolean observe(Sighting seen) {
        if (production == null) {
            production = seen.production();
            debug = seen.debug();
        }
        return fits(seen);
    }

    @Override
    public boolean proven() {
        return true;
    }

    @Override
    public boolean fits(Sighting seen) {
        return seen.production().equals(production) && seen.debug().equals(debug);
    }
}
