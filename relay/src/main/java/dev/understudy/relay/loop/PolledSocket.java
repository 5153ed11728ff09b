package dev.understudy.relay.loop;

import io.netty.channel.IoEvent;
import io.netty.channel.IoRegistration;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.channel.unix.DomainSocketChannel;
import io.netty.channel.unix.UnixChannel;
import io.netty.channel.uring.IoUringIoEvent;
import io.netty.channel.uring.IoUringIoHandle;
import io.netty.channel.uring.IoUringIoOps;

/**
 * A stream socket on a ring, between the kernel's completions and Netty's socket, which hears of some of them
 * differently.
 *
 * <ul>
 * <li>Every poll completes at a FIN, whatever it asked for, and Netty answers by reading all there is, wanted or not: a
 * FIN would end back-pressure. So Netty isn't told. The FIN is what the last wanted read finds.
 * <li>A poll for bytes completes once for what comes, and what comes between two reads might be missed. Behind a FIN or
 * a reset nothing else comes that would tell, so after it each read that found bytes counts as if more had come.
 * <li>Netty's own poll for a hang-up is spent with the FIN, and the reset after it would be missed. From then on there
 * is one of ours, which ends with the socket: {@link HungUp}.
 * <li>Netty knows no half-close of Unix sockets and closes them at their FIN; it isn't told of that either.
 * </ul>
 *
 * <p>Completions are told apart by the number of their request; Netty numbers its own from -32768 to 32767 and leaves
 * out 0. Confined to its event loop. The constants are the kernel's (io_uring.h, poll.h).
 */
@SuppressWarnings("try") // the interface's close() may throw anything
final class PolledSocket implements IoUringIoHandle {
    private static final byte POLL_ADD = 6;
    private static final byte ASYNC_CANCEL = 14;
    private static final byte RECV = 27;
    private static final int MULTISHOT = 1;
    private static final int MORE = 1 << 1;

    private static final int POLLIN = 1;
    private static final int POLLOUT = 1 << 2;
    private static final int POLLERR = 1 << 3;
    private static final int POLLHUP = 1 << 4;
    private static final int POLLRDHUP = 1 << 13;
    private static final int CANCELED = -125;
    private static final int NOTHING_NOW = -11;

    private static final long OURS = 0;

    private final DuplexChannel channel;
    private final boolean unix;
    private final IoUringIoHandle socket;
    private boolean ended;
    private boolean hungUp;
    private boolean hangUpPolled;

    PolledSocket(DuplexChannel channel, IoUringIoHandle socket) {
        this.channel = channel;
        this.unix = channel instanceof DomainSocketChannel;
        this.socket = socket;
    }

    @Override
    public void handle(IoRegistration registration, IoEvent event) {
        IoUringIoEvent completion = (IoUringIoEvent) event;
        if (completion.opcode() == POLL_ADD && completion.res() >= 0) {
            polled(registration, completion);
        } else if (completion.opcode() == RECV && completion.res() == 0 && unix) {
            halfClosed(registration, completion);
        } else if (completion.userData() != OURS) {
            boolean bytes = completion.opcode() == RECV && completion.res() > 0;
            socket.handle(registration, event);
            if (bytes && ended) {
                readable(registration);
                tellHangUp();
            }
        }
    }

    /** Netty is told that there was nothing to read, and does nothing more of it once the input is shut down. */
    private void halfClosed(IoRegistration registration, IoUringIoEvent completion) {
        channel.shutdownInput();
        socket.handle(registration, new IoUringIoEvent(NOTHING_NOW, 0, RECV, completion.userData()));
        channel.pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
    }

    private void polled(IoRegistration registration, IoUringIoEvent completion) {
        int ready = completion.res();
        if (completion.userData() != OURS) {
            socket.handle(registration, forNetty(completion));
        }
        if ((ready & (POLLRDHUP | POLLHUP | POLLERR)) != 0 && !ended) {
            ended = true;
            readable(registration);
        }
        hungUp |= (ready & (POLLHUP | POLLERR)) != 0;
        tellHangUp();
        if (ended && !hungUp && !hangUpPolled && !unix && channel.isOpen()) {
            pollForHangUp(registration);
        }
    }

    /** Again after each read, since it is a reason to read on. */
    private void tellHangUp() {
        // A Unix socket says so of a peer that has closed in good order, too; what it lost it says by an error.
        if (hungUp && channel.isOpen() && !unix) {
            channel.pipeline().fireUserEventTriggered(HungUp.INSTANCE);
        }
    }

    private static IoUringIoEvent forNetty(IoUringIoEvent completion) {
        int wanted = completion.res() & (POLLIN | POLLOUT);
        if (wanted == completion.res()) {
            return completion;
        }
        // Else its poll for a hang-up, which is over and to be forgotten; the flag says that no other poll is.
        return wanted == 0
                ? new IoUringIoEvent(CANCELED, MORE, POLL_ADD, completion.userData())
                : new IoUringIoEvent(wanted, completion.flags(), POLL_ADD, completion.userData());
    }

    /** As if a poll had said that there is something to read. */
    private void readable(IoRegistration registration) {
        socket.handle(registration, new IoUringIoEvent(POLLIN, MORE, POLL_ADD, OURS));
    }

    /** Asks for nothing, so that it tells only of what is always told: the reset, after the FIN that it begins with. */
    private void pollForHangUp(IoRegistration registration) {
        hangUpPolled = true;
        int fd = ((UnixChannel) channel).fd().intValue();
        long poll = registration.submit(ops(POLL_ADD, fd, 0, MULTISHOT));
        // A poll holds on to its socket: the kernel would close it only after the poll.
        channel.closeFuture().addListener(closed -> registration.submit(ops(ASYNC_CANCEL, -1, poll, 0)));
    }

    private static IoUringIoOps ops(byte code, int fd, long about, int length) {
        return new IoUringIoOps(code, (byte) 0, (short) 0, fd, 0L, about, length, 0, OURS, (short) 0, (short) 0, 0, 0L);
    }

    @Override
    public void registered() {
        socket.registered();
    }

    @Override
    public void unregistered() {
        socket.unregistered();
    }

    @Override
    public void close() throws Exception {
        socket.close();
    }
}
