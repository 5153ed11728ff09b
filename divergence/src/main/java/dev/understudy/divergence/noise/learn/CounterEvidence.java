package dev.understudy.divergence.noise.learn;

/** Both sides count up: most values are larger than all before. Some aren't, because replies overtake one another. */
final class CounterEvidence implements Evidence {
    private static final double RISING = 0.6;

    private final Counter production = new Counter();
    private final Counter debug = new Counter();

    @Override
    public boolean observe(Sighting seen) {
        production.count(Long.parseLong(seen.production()));
        debug.count(Long.parseLong(seen.debug()));
        return true;
    }

    @Override
    public boolean proven() {
        return production.rises() && debug.rises();
    }

    /** Both go on from where they were. */
    @Override
    public boolean fits(Sighting seen) {
        long ours = Long.parseLong(seen.production());
        long theirs = Long.parseLong(seen.debug());
        boolean near = production.isNear(ours) && debug.isNear(theirs);
        if (near) {
            production.count(ours);
            debug.count(theirs);
        }
        return near;
    }

    @Override
    public void debugBegunAnew() {
        debug.begunAnew();
    }

    private static final class Counter {
        private static final long NONE = -1;

        private long highest = NONE;
        private long largestStep;
        private int seen;
        private int risen;

        void count(long value) {
            if (highest != NONE && value > highest) {
                largestStep = Math.max(largestStep, value - highest);
                risen++;
            }
            highest = Math.max(highest, value);
            seen = Math.min(seen + 1, Integer.MAX_VALUE - 1);
        }

        /** It goes on from anywhere, by steps as they were. */
        void begunAnew() {
            highest = NONE;
        }

        boolean rises() {
            return risen >= RISING * seen;
        }

        boolean isNear(long value) {
            long slack = 64 + 16 * Math.min(largestStep, Long.MAX_VALUE / 32);
            return highest == NONE || (value > highest - slack && value - slack < highest);
        }
    }
}
