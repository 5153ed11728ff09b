package dev.understudy.aggregator.fault;

/**
 * Numbers that depend on a seed and on how many requests came before, and on nothing else: unlike one shared stream, no
 * thread can take another's.
 */
final class Dice {
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private long state;

    Dice(long seed, long request) {
        state = mix(seed) ^ mix(request * GOLDEN + 1);
    }

    /** At least 0, below 1. */
    double next() {
        state += GOLDEN;
        return (mix(state) >>> 11) * 0x1.0p-53;
    }

    /** The finaliser of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014). */
    private static long mix(long bits) {
        long mixed = (bits ^ (bits >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }
}
