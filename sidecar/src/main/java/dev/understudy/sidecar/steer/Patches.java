package dev.understudy.sidecar.steer;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The order {@code patch}: which patch debug JVMs are to run with, if any. For any threads, guarded by this. */
public final class Patches {
    private static final String KIND = "patch";

    private final Orders orders;
    private @Nullable Patch wanted;

    /** None is wanted. */
    public Patches(Orders orders) {
        this.orders = orders;
    }

    /** Wants {@code patch} in the place of what was wanted. */
    public synchronized void apply(Patch patch) {
        wanted = patch;
        orders.order(KIND, Map.of("id", patch.id()));
    }

    /** Wants none any more; false if none was. */
    public synchronized boolean takeBack() {
        boolean was = wanted != null;
        wanted = null;
        orders.order(KIND, null);
        return was;
    }

    /** The one that is wanted, or null. */
    public synchronized @Nullable Patch wanted() {
        return wanted;
    }
}
