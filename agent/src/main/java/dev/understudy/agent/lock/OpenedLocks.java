package dev.understudy.agent.lock;

import dev.understudy.agent.bootstrap.lock.LockKind;
import java.lang.instrument.Instrumentation;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Lock;

/** Lets the bootstrap part see which lock the JDK's views are of, by fields that only the JDK itself may read. */
public final class OpenedLocks {
    private OpenedLocks() {}

    /** Opens their package to it, and has it link what it reads them by, so that no thread of the application does. */
    public static void open(Instrumentation instrumentation) {
        instrumentation.redefineModule(
                Object.class.getModule(),
                Set.of(),
                Map.of(),
                Map.of(Lock.class.getPackageName(), Set.of(LockKind.class.getModule())),
                Set.of(),
                Map.of());
        LockKind.of(instrumentation);
    }
}
