package dev.understudy.standin.learn;

/** How many bytes of bodies are kept at the same time, over all connections; beyond it only their lengths count. */
final class KeptBytes {
    /** Enough for the bodies of many connections, and little beside a heap. */
    static final int MOST = 64 << 20;

    private int left;

    KeptBytes(int most) {
        left = most;
    }

    /** Takes up to so many; how many there were. */
    int take(int wanted) {
        int taken = Math.min(wanted, left);
        left -= taken;
        return taken;
    }

    /** Gives some back. */
    void give(int bytes) {
        left += bytes;
    }
}
