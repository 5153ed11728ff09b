package dev.understudy.agent.lock;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which calls of the JDK have to do with locks, and how each is told of. Methods are names with descriptors. */
final class JdkLocks {
    /** What the JDK's own locks are in. */
    static final String PACKAGE = "java/util/concurrent/locks/";

    private static final String STAMPED = PACKAGE + "StampedLock";
    private static final Set<String> OWNERS = Set.of(
            PACKAGE + "Lock",
            PACKAGE + "ReentrantLock",
            PACKAGE + "ReentrantReadWriteLock$ReadLock",
            PACKAGE + "ReentrantReadWriteLock$WriteLock");
    private static final Set<String> CONDITIONS =
            Set.of(PACKAGE + "Condition", PACKAGE + "AbstractQueuedSynchronizer$ConditionObject");
    private static final Set<String> AWAITING = Set.of(
            "await()V",
            "awaitUninterruptibly()V",
            "awaitNanos(J)J",
            "await(JLjava/util/concurrent/TimeUnit;)Z",
            "awaitUntil(Ljava/util/Date;)Z");
    /** Those of every object. */
    private static final Set<String> MONITOR_WAITS = Set.of("wait()V", "wait(J)V", "wait(JI)V");

    private static final String IN_TIME = "(JLjava/util/concurrent/TimeUnit;)";
    private static final Map<String, Taking> TAKING = taking();
    private static final Map<String, Taking> TAKING_STAMPED = takingStamped();
    /** A stamp lies above the lock. */
    private static final Set<String> BY_STAMP = Set.of("unlock(J)V", "unlockRead(J)V", "unlockWrite(J)V");
    /** As these; whether the result stands for a lock that is held. */
    private static final Map<String, Boolean> CONVERTING = Map.of(
            "tryConvertToWriteLock(J)J",
            true,
            "tryConvertToReadLock(J)J",
            true,
            "tryConvertToOptimisticRead(J)J",
            false);

    private static final Set<String> WITHOUT = Set.of("tryUnlockRead()Z", "tryUnlockWrite()Z");

    private JdkLocks() {}

    private static Map<String, Taking> taking() {
        Taking waiting = new Taking("locking", "locked", "", false);
        return Map.of(
                "lock()V",
                waiting,
                "lockInterruptibly()V",
                waiting,
                "tryLock()Z",
                new Taking("trying", "tried", "Z", false),
                "tryLock" + IN_TIME + "Z",
                new Taking("trying", "triedInTime", "Z", true));
    }

    private static Map<String, Taking> takingStamped() {
        Map<String, Taking> taking = new HashMap<>();
        for (String how : new String[] {"Read", "Write"}) {
            boolean reads = how.equals("Read");
            Taking waiting = new Taking(reads ? "reading" : "writing", "stamped", "J", false);
            String name = reads ? "readLock" : "writeLock";
            taking.put(name + "()J", waiting);
            taking.put(name + "Interruptibly()J", waiting);
            taking.put("try" + how + "Lock()J", new Taking("tryingTo" + how, "stampedAtOnce", "J", false));
            taking.put("try" + how + "Lock" + IN_TIME + "J", new Taking("tryingTo" + how, "stamped", "J", true));
        }
        return taking;
    }

    /** How such a call is told of if it takes a lock, or null. */
    static @Nullable Taking taking(String owner, String method) {
        if (OWNERS.contains(owner)) {
            return TAKING.get(method);
        }
        return owner.equals(STAMPED) ? TAKING_STAMPED.get(method) : null;
    }

    /** Whether such a call gives back the lock on top of the stack. */
    static boolean givesBack(String owner, String method) {
        return OWNERS.contains(owner) ? method.equals("unlock()V") : owner.equals(STAMPED) && WITHOUT.contains(method);
    }

    /** Whether such a call gives back the lock below the stamp on top of the stack. */
    static boolean givesBackByStamp(String owner, String method) {
        return owner.equals(STAMPED) && BY_STAMP.contains(method);
    }

    /** Whether such a call makes another stamp of the one on top of the stack, below which its lock is. */
    static boolean converts(String owner, String method) {
        return owner.equals(STAMPED) && CONVERTING.containsKey(method);
    }

    /** Whether the lock may be held from there on by what such a conversion returns. */
    static boolean convertsToLock(String method) {
        return CONVERTING.getOrDefault(method, false);
    }

    /** Whether it is a wait on an object's monitor. */
    static boolean isMonitorWait(String method) {
        return MONITOR_WAITS.contains(method);
    }

    /** Whether it is a wait on a condition of a lock. */
    static boolean isConditionWait(String owner, String method) {
        return CONDITIONS.contains(owner) && AWAITING.contains(method);
    }

    /** How a call that takes a lock is told of. Immutable. */
    static final class Taking {
        /** What is called before it, with the lock. */
        final String before;
        /** What is called behind it, with its result. */
        final String behind;
        /** The result's descriptor; empty if there is none. */
        final String result;
        /** Whether a time and its unit lie above the lock. */
        final boolean inTime;

        private Taking(String before, String behind, String result, boolean inTime) {
            this.before = before;
            this.behind = behind;
            this.result = result;
            this.inTime = inTime;
        }
    }
}
