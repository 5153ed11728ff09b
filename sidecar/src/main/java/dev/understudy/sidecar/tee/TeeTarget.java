package dev.understudy.sidecar.tee;

import dev.understudy.relay.tap.Tap;
import dev.understudy.relay.tap.TapConnection;
import org.jspecify.annotations.Nullable;

/** One debug JVM of a listener: gets a tap of each connection. Called on relay loops, but for {@link #switched}. */
public interface TeeTarget {
    /** The tap of a connection that has just been accepted; null if there is no room for one. */
    @Nullable
    Tap open(TapConnection connection);

    /** The tap of a connection that goes on already; null if that can't be joined. See {@code TapFactory.join}. */
    @Nullable
    Tap join(TapConnection connection);

    /** A connection was open when the tee was switched on, carried bytes since, and won't be joined. */
    void unjoined(TapConnection connection);

    /** The switch was turned to {@code mode}, and stands there already. */
    void switched(TeeMode mode);
}
