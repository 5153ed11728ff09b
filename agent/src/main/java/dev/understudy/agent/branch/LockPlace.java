package dev.understudy.agent.branch;

/** Where a method takes a lock, or that it is synchronized (line 0). Immutable. */
public final class LockPlace extends JumpSite {
    private final String lock;

    LockPlace(String className, String method, int line, String lock) {
        super(className, method, new BranchLine(line, ""));
        this.lock = lock;
    }

    /**
     * What the lock is called there: the field that has it, {@code this Shop}, {@code Shop.class}; empty if that isn't
     * known.
     */
    public String lock() {
        return lock;
    }
}
