package dev.understudy.sidecar.frame;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * What a connection's requests have set up in production, so that a copy of it can begin again on a new connection to
 * the debug JVM. May hold credentials: in memory only, and never told to anybody but the debug JVM. Confined to its
 * lane loop.
 */
public interface FrameSession {
    /**
     * The next request arrived.
     *
     * @param bytes its own, as far as they are there; they stay as they are
     * @param production where production's answer to it will be
     * @param debug where that of the debug JVM will be, if it gets one
     */
    void asked(Request request, ByteBuf bytes, ReplyCopy production, ReplyCopy debug);

    /**
     * What a new connection has to begin with if it goes on with the next request; null as long as the debug JVM can't
     * be brought to where production is by then.
     */
    @Nullable
    Opening opening();

    /** Forgets everything, for good. */
    void release();
}
