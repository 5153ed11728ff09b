package dev.understudy.relay.loop;

import io.netty.channel.Channel;
import io.netty.channel.IoEvent;
import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoOps;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoEvent;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollIoOps;
import io.netty.channel.unix.DomainSocketChannel;
import io.netty.channel.unix.FileDescriptor;

/**
 * Netty's epoll with a correct half-close: it decides what the kernel is asked to report, passes on a hang-up that
 * Netty ignores, and keeps a socket's events from the next socket.
 *
 * <ul>
 * <li>EPOLLRDHUP is never asked for. Netty answers it by reading all there is, wanted or not, so a peer's FIN would end
 * back-pressure. Without it the FIN is simply what the last wanted read finds.
 * <li>A socket that isn't read from now is watched edge-triggered, so that a hang-up wakes the loop once and not for
 * ever. Netty 4.2.18 takes such a socket out of epoll instead and can't put it back: its next write that doesn't fit
 * fails with ENOENT.
 * <li>After the FIN was read Netty looks at the socket no more, and would miss the reset that follows: {@link HungUp}.
 * <li>Netty tells sockets apart by file descriptor. A socket that is closed while a batch of events is handled may have
 * one of its own left in the batch, and a socket opened meanwhile may have its descriptor: one connection's reset would
 * end the next one's connect. What comes in the batch in which a socket was registered isn't its own.
 * </ul>
 */
final class EpollOnDemand implements IoHandler {
    private static final int EPOLLHUP = 0x10;

    private final IoHandler epoll;
    private long batch;
    private boolean handling;

    private EpollOnDemand(IoHandler epoll) {
        this.epoll = epoll;
    }

    static IoHandlerFactory newFactory() {
        IoHandlerFactory factory = EpollIoHandler.newFactory();
        return executor -> new EpollOnDemand(factory.newHandler(executor));
    }

    @Override
    public void initialize() {
        epoll.initialize();
    }

    @Override
    public int run(IoHandlerContext context) {
        batch++;
        handling = true;
        try {
            return epoll.run(context);
        } finally {
            handling = false;
        }
    }

    @Override
    public void prepareToDestroy() {
        epoll.prepareToDestroy();
    }

    @Override
    public void destroy() {
        epoll.destroy();
    }

    @Override
    public void wakeup() {
        epoll.wakeup();
    }

    @Override
    public boolean isCompatible(Class<? extends IoHandle> handleType) {
        return epoll.isCompatible(handleType);
    }

    @Override
    public IoRegistration register(IoHandle handle) throws Exception {
        if (handle instanceof Channel.Unsafe unsafe && handle instanceof EpollIoHandle socket) {
            return new Watched(epoll.register(new Socket(unsafe, socket, handling ? batch : 0)));
        }
        return epoll.register(handle);
    }

    private record Watched(IoRegistration registration) implements IoRegistration {
        @Override
        @SuppressWarnings("TypeParameterUnusedInFormals") // the interface's own signature
        public <T> T attachment() {
            return registration.attachment();
        }

        @Override
        public long submit(IoOps ops) {
            EpollIoOps wanted = ((EpollIoOps) ops).without(EpollIoOps.EPOLLRDHUP);
            boolean reading = wanted.contains(EpollIoOps.EPOLLIN);
            return registration.submit(reading ? wanted : wanted.with(EpollIoOps.EPOLLET));
        }

        @Override
        public boolean isValid() {
            return registration.isValid();
        }

        @Override
        public boolean cancel() {
            return registration.cancel();
        }
    }

    @SuppressWarnings("try") // the interface's close() may throw anything
    private final class Socket implements EpollIoHandle {
        private final Channel.Unsafe unsafe;
        private final EpollIoHandle handle;
        private final long registeredIn;

        private Socket(Channel.Unsafe unsafe, EpollIoHandle handle, long registeredIn) {
            this.unsafe = unsafe;
            this.handle = handle;
            this.registeredIn = registeredIn;
        }

        @Override
        public FileDescriptor fd() {
            return handle.fd();
        }

        @Override
        public void handle(IoRegistration registration, IoEvent event) {
            if (registeredIn == batch) {
                return;
            }
            handle.handle(registration, event);
            if ((((EpollIoEvent) event).ops().value() & EPOLLHUP) != 0) {
                Channel channel = unsafe.voidPromise().channel();
                // A Unix socket says so of a peer that has closed in good order, too; what it lost it says by an error.
                if (channel.isOpen() && !(channel instanceof DomainSocketChannel)) {
                    channel.pipeline().fireUserEventTriggered(HungUp.INSTANCE);
                }
            }
        }

        @Override
        public void registered() {
            handle.registered();
        }

        @Override
        public void unregistered() {
            handle.unregistered();
        }

        @Override
        public void close() throws Exception {
            handle.close();
        }
    }
}
