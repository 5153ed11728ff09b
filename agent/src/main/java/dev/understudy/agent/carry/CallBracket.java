package dev.understudy.agent.carry;

import dev.understudy.agent.bootstrap.Calls;
import dev.understudy.agent.weave.Bracket;
import dev.understudy.agent.weave.ClassNames;
import dev.understudy.agent.weave.MethodEdit;
import java.util.Map;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;

/**
 * Tells where gRPC's server, which is the same for all transports, begins a call, hears more of it, and says that it is
 * closed.
 */
enum CallBracket implements Bracket {
    /** Its third argument is the call's metadata. */
    BRING {
        @Override
        public void enter(MethodVisitor code) {
            ask(code, "bring", 3);
        }

        @Override
        public void exit(MethodVisitor code, int slot) {
            code.visitVarInsn(Opcodes.ALOAD, slot);
            code.visitMethodInsn(Opcodes.INVOKESTATIC, CALLS, "brought", "(Ljava/lang/Object;)V", false);
        }

        @Override
        public void thrown(MethodVisitor code) {
            code.visitMethodInsn(
                    Opcodes.INVOKESTATIC, CALLS, "thrown", "(Ljava/lang/Throwable;Ljava/lang/Object;)V", false);
        }
    },
    /** What the transport has of a call, its listener hands to the call's executor. */
    TELL {
        @Override
        public void enter(MethodVisitor code) {
            ask(code, "tell", 0);
        }
    },
    /** The last of it. */
    CLOSE {
        @Override
        public void enter(MethodVisitor code) {
            ask(code, "close", 0);
        }
    },
    /** The last of it reaches the application. */
    CLOSED {
        @Override
        public void enter(MethodVisitor code) {
            code.visitInsn(Opcodes.ACONST_NULL);
        }

        @Override
        public void exit(MethodVisitor code, int slot) {
            code.visitMethodInsn(Opcodes.INVOKESTATIC, CALLS, "closed", "()V", false);
        }

        @Override
        public void thrown(MethodVisitor code) {
            code.visitInsn(Opcodes.POP2);
            code.visitMethodInsn(Opcodes.INVOKESTATIC, CALLS, "closed", "()V", false);
        }
    };

    private static final String CALLS = ClassNames.of(Calls.class);
    private static final String SERVER = "io/grpc/internal/ServerImpl$";
    private static final String STATUS = "closed(Lio/grpc/Status;)V";

    /** What is changed in which class, named with slashes. */
    static Map<String, Map<String, MethodEdit>> all() {
        return Map.of(
                SERVER + "ServerTransportListenerImpl",
                Map.of(
                        "streamCreated(Lio/grpc/internal/ServerStream;Ljava/lang/String;Lio/grpc/Metadata;)V",
                        MethodEdit.around(BRING)),
                SERVER + "JumpToApplicationThreadServerStreamListener",
                Map.of(
                        "<init>",
                        Told.beforeReturn(CALLS, "listened", 0),
                        "messagesAvailable(Lio/grpc/internal/StreamListener$MessageProducer;)V",
                        MethodEdit.around(TELL),
                        "halfClosed()V",
                        MethodEdit.around(TELL),
                        "onReady()V",
                        MethodEdit.around(TELL),
                        STATUS,
                        MethodEdit.around(CLOSE)),
                "io/grpc/internal/ServerCallImpl$ServerStreamListenerImpl",
                Map.of(STATUS, MethodEdit.around(CLOSED)),
                SERVER + "NoopListener",
                Map.of(STATUS, MethodEdit.around(CLOSED)));
    }

    private static void ask(MethodVisitor code, String what, int slot) {
        code.visitVarInsn(Opcodes.ALOAD, slot);
        code.visitMethodInsn(Opcodes.INVOKESTATIC, CALLS, what, "(Ljava/lang/Object;)Ljava/lang/Object;", false);
    }

    @Override
    public void exit(MethodVisitor code, int slot) {
        TaskBracket.FIRE.exit(code, slot);
    }

    @Override
    public void thrown(MethodVisitor code) {
        TaskBracket.FIRE.thrown(code);
    }
}
