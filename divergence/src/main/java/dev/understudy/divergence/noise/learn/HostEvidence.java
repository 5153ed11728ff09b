package dev.understudy.divergence.noise.learn;

import org.jspecify.annotations.Nullable;

/** Each side says the same always, and something else than the other. */
final class HostEvidence implements Evidence {
    private @Nullable String production;
    private @Nullable String debug;

    @Override
    public boolean observe(Sighting seen) {
        production = production == null ? seen.production() : production;
        return fits(seen);
    }

    @Override
    public boolean proven() {
        return true;
    }

    /** The first name of a process that begins is its own. */
    @Override
    public boolean fits(Sighting seen) {
        boolean ours = seen.production().equals(production);
        debug = ours && debug == null ? seen.debug() : debug;
        return ours && seen.debug().equals(debug);
    }

    @Override
    public void debugBegunAnew() {
        debug = null;
    }
}
