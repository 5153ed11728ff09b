package dev.understudy.agent.request;

import dev.understudy.agent.bootstrap.Sockets;
import dev.understudy.agent.weave.Bracket;
import dev.understudy.agent.weave.ClassNames;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;

/**
 * Tells what io_uring has completed: Netty's methods that hear of it are called by the event loop when the kernel has
 * accepted or read.
 *
 * <p>They are asked only for what Netty promises everybody, since a field or method of their own that a later version
 * lacks would be an error in the application.
 */
final class CompletionBracket implements Bracket {
    /** Netty's first package, and a slash behind it. */
    private final String netty;
    /** What reads, with slashes; null if it accepts. */
    private final @Nullable String reader;
    /** The argument that says how many bytes were read. */
    private final int bytes;

    private CompletionBracket(String netty, @Nullable String reader, int bytes) {
        this.netty = netty;
        this.reader = reader;
        this.bytes = bytes;
    }

    /** Around a method that returns the channel that was accepted. */
    static Bracket ofAccept(String netty) {
        return new CompletionBracket(netty, null, 0);
    }

    /**
     * Around a method of {@code reader}, one of Netty's {@code Channel.Unsafe}, one of whose arguments says how many
     * bytes were read.
     */
    static Bracket ofRead(String netty, String reader, int bytes) {
        return new CompletionBracket(netty, reader, bytes);
    }

    @Override
    public void enter(MethodVisitor code) {
        if (reader != null) {
            String promise = netty + "channel/ChannelPromise";
            code.visitVarInsn(Opcodes.ALOAD, 0);
            code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, reader, "voidPromise", "()L" + promise + ';', false);
            code.visitMethodInsn(Opcodes.INVOKEINTERFACE, promise, "channel", "()L" + netty + "channel/Channel;", true);
            code.visitVarInsn(Opcodes.ILOAD, bytes);
            call(code, "arrived", "(Ljava/lang/Object;I)V");
        }
        code.visitInsn(Opcodes.ACONST_NULL);
    }

    @Override
    public void exit(MethodVisitor code, int slot) {
        if (reader == null) {
            code.visitInsn(Opcodes.DUP);
            code.visitInsn(Opcodes.DUP);
            code.visitMethodInsn(
                    Opcodes.INVOKEINTERFACE,
                    netty + "channel/Channel",
                    "remoteAddress",
                    "()Ljava/net/SocketAddress;",
                    true);
            call(code, "accepted", "(Ljava/lang/Object;Ljava/net/SocketAddress;)V");
        }
    }

    @Override
    public void thrown(MethodVisitor code) {
        code.visitInsn(Opcodes.POP2);
    }

    private static void call(MethodVisitor code, String name, String descriptor) {
        code.visitMethodInsn(Opcodes.INVOKESTATIC, ClassNames.of(Sockets.class), name, descriptor, false);
    }
}
