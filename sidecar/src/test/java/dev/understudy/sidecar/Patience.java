package dev.understudy.sidecar;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** How long tests wait for what comes for certain: on a machine that has other work, that may take a while. */
public final class Patience {
    public static final Duration PATIENCE = Duration.ofSeconds(60);

    private Patience() {}

    public static ConditionFactory await() {
        return Awaitility.await().atMost(PATIENCE);
    }

    public static ConditionFactory await(String what) {
        return Awaitility.await(what).atMost(PATIENCE);
    }
}
