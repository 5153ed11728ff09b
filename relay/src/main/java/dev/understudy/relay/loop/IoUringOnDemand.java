package dev.understudy.relay.loop;

import io.netty.channel.Channel;
import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoRegistration;
import io.netty.channel.socket.DuplexChannel;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringIoHandle;
import io.netty.channel.uring.IoUringIoHandler;
import org.jspecify.annotations.Nullable;

/**
 * Netty's io_uring with the half-close that {@link EpollOnDemand} gives epoll: each stream socket is a
 * {@link PolledSocket}.
 *
 * <p>Connections are accepted one by one. Netty would have the kernel accept whatever comes until it is told to stop,
 * and that is more than a listener with {@code max-connections} may have.
 */
final class IoUringOnDemand implements IoHandler {
    private static final String ACCEPT_ALL = "io.netty.iouring.acceptMultiShotEnabled";

    private final IoHandler ring;

    private IoUringOnDemand(IoHandler ring) {
        this.ring = ring;
    }

    /** Why this kernel, or what stands before it, doesn't let us; null if it does. */
    static @Nullable Throwable obstacle() {
        // Netty reads the property once, before its first ring.
        System.setProperty(ACCEPT_ALL, "false");
        return IoUring.unavailabilityCause();
    }

    static IoHandlerFactory newFactory() {
        if (obstacle() != null) {
            throw new IllegalStateException("no io_uring here", obstacle());
        }
        IoHandlerFactory factory = IoUringIoHandler.newFactory();
        return executor -> new IoUringOnDemand(factory.newHandler(executor));
    }

    @Override
    public void initialize() {
        ring.initialize();
    }

    @Override
    public int run(IoHandlerContext context) {
        return ring.run(context);
    }

    @Override
    public void prepareToDestroy() {
        ring.prepareToDestroy();
    }

    @Override
    public void destroy() {
        ring.destroy();
    }

    @Override
    public void wakeup() {
        ring.wakeup();
    }

    @Override
    public boolean isCompatible(Class<? extends IoHandle> handleType) {
        return ring.isCompatible(handleType);
    }

    @Override
    public IoRegistration register(IoHandle handle) throws Exception {
        if (handle instanceof Channel.Unsafe unsafe
                && handle instanceof IoUringIoHandle socket
                && unsafe.voidPromise().channel() instanceof DuplexChannel channel) {
            return ring.register(new PolledSocket(channel, socket));
        }
        return ring.register(handle);
    }
}
