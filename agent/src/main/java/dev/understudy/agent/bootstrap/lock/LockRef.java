package dev.understudy.agent.bootstrap.lock;

import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * A lock of the application as a key by identity, which doesn't keep it; once the lock is gone it equals itself alone.
 */
public final class LockRef extends WeakReference<Object> {
    private final int hash;

    LockRef(Object lock) {
        super(lock);
        this.hash = System.identityHashCode(lock);
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // two locks that are equal are two locks
    public boolean equals(@Nullable Object other) {
        if (this == other) {
            return true;
        }
        Object lock = get();
        return lock != null && other instanceof LockRef && ((LockRef) other).get() == lock;
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
