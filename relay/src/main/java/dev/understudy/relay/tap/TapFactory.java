package dev.understudy.relay.tap;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Makes the tap of each accepted connection, and says whether anything is to be tapped at all.
 *
 * <p>Called on the connection's relay event loop, so it must not block; a factory that throws leaves that connection
 * without a tap and is counted.
 */
@FunctionalInterface
public interface TapFactory {
    /** The {@link #epoch} in which nothing is tapped. */
    int OFF = 0;

    /** Copies nothing. */
    TapFactory NONE = new TapFactory() {
        @Override
        public Tap open(TapConnection connection) {
            return new Nobody();
        }

        @Override
        public int epoch() {
            return OFF;
        }
    };

    /** The tap of {@code connection}, whose production side isn't connected yet; null if it isn't to be copied. */
    @Nullable
    Tap open(TapConnection connection);

    /**
     * {@link #OFF} while nothing is to be tapped; else a number that is another one after each time it was off.
     *
     * <p>Asked before each read of each connection: no more than a read of a volatile.
     */
    default int epoch() {
        return 1;
    }

    /**
     * The tap of a connection that was open before this epoch, or whose last tap wants no more.
     *
     * <p>What follows begins with what the client sends after production has spoken (or with all the connection
     * carries): where a request may begin. Whether one does, the tap finds out, elsewhere; {@link Tap#wantsMore} is how
     * it says that none did, and then this is asked a few times again.
     *
     * @param untouched whether the connection has carried nothing yet
     * @return null if this connection can't be joined
     */
    default @Nullable Tap join(TapConnection connection, boolean untouched) {
        return open(connection);
    }

    /**
     * The connection carried bytes in this epoch that couldn't be joined to, and won't be; called at most once an
     * epoch.
     */
    default void unjoined(TapConnection connection) {}

    /**
     * Another factory, whose taps the same connections get beside this one's: each has its own switch and its own view
     * of the bytes, and neither notices what becomes of the other. Asked once per connection; null for none.
     */
    default @Nullable TapFactory beside() {
        return null;
    }

    /** The tap that drops what it gets. */
    final class Nobody implements Tap {
        @Override
        public void data(Direction direction, ByteBuf data, long nanos) {
            data.release();
        }

        @Override
        public void end(Direction direction, long nanos) {}

        @Override
        public void closed(CloseReason reason, long nanos) {}
    }
}
