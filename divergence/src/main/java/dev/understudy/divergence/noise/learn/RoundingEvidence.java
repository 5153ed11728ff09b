package dev.understudy.divergence.noise.learn;

/** The looks of two values are all that there is to it. */
final class RoundingEvidence implements Evidence {
    @Override
    public boolean observe(Sighting seen) {
        return true;
    }

    @Override
    public boolean proven() {
        return true;
    }

    @Override
    public boolean fits(Sighting seen) {
        return true;
    }
}
