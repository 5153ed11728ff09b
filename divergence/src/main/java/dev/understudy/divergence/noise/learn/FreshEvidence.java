package dev.understudy.divergence.noise.learn;

/**
 * Neither side has ever shown one of its values before, nor the other's. What comes from a common source, such as a key
 * in a database, comes again sooner or later, or comes on the other side.
 */
final class FreshEvidence implements Evidence {
    private final Recent production = new Recent();
    private final Recent debug = new Recent();

    @Override
    public boolean observe(Sighting seen) {
        boolean fresh = !production.contains(seen.production()) && !debug.contains(seen.debug()) && !crosses(seen);
        remember(seen);
        return fresh;
    }

    @Override
    public boolean proven() {
        return true;
    }

    /** Either both repeat a value or neither does: a generator that stands still on one side is a difference. */
    @Override
    public boolean fits(Sighting seen) {
        boolean alike = production.contains(seen.production()) == debug.contains(seen.debug()) && !crosses(seen);
        remember(seen);
        return alike;
    }

    private boolean crosses(Sighting seen) {
        return production.contains(seen.debug()) || debug.contains(seen.production());
    }

    private void remember(Sighting seen) {
        production.add(seen.production());
        debug.add(seen.debug());
    }

    /** The hashes of the last values. */
    private static final class Recent {
        private final long[] hashes = new long[128];
        private int count;

        boolean contains(String value) {
            long hash = hash(value);
            for (int i = 0; i < Math.min(count, hashes.length); i++) {
                if (hashes[i] == hash) {
                    return true;
                }
            }
            return false;
        }

        void add(String value) {
            hashes[count % hashes.length] = hash(value);
            count = count == 2 * hashes.length - 1 ? hashes.length : count + 1;
        }

        private static long hash(String value) {
            long hash = value.length();
            for (int i = 0; i < value.length(); i++) {
                hash = (hash ^ value.charAt(i)) * 0x9E3779B97F4A7C15L;
                hash ^= hash >>> 29;
            }
            return hash;
        }
    }
}
