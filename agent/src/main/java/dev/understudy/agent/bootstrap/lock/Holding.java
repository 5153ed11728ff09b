package dev.understudy.agent.bootstrap.lock;

/** One lock that a thread had, or was about to get, and in which way. Immutable. */
public final class Holding {
    private final LockRef lock;
    private final boolean shared;
    private final int place;
    private final String type;

    Holding(LockRef lock, boolean shared, int place, String type) {
        this.lock = lock;
        this.shared = shared;
        this.place = place;
        this.type = type;
    }

    /** The lock; those of a read and a write lock that belong together are equal. */
    public LockRef lock() {
        return lock;
    }

    /** Whether it was to read, so that others may have it to read too. */
    public boolean isShared() {
        return shared;
    }

    /** The number of the place where it was taken. */
    public int place() {
        return place;
    }

    /** The class of the lock, as the application knows it. */
    public String type() {
        return type;
    }
}
