package dev.understudy.agent.weave;

import dev.understudy.agent.bootstrap.Gates;
import dev.understudy.agent.bootstrap.Probes;
import net.bytebuddy.jar.asm.Handle;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;

/** The place-holder of a method: {@code invokedynamic} through the class's gate, or a static call in old classes. */
final class ProbeBracket implements Bracket {
    private static final String PROBES = Type.getInternalName(Probes.class);
    private static final Handle LINK = new Handle(
            Opcodes.H_INVOKESTATIC,
            Type.getInternalName(Gates.class),
            "link",
            "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;I)"
                    + "Ljava/lang/invoke/CallSite;",
            false);

    private final int probe;
    private final int gate;
    private final boolean dynamic;

    /** A place-holder for the probe; {@code dynamic} if the class file may have {@code invokedynamic} (version 51). */
    ProbeBracket(int probe, int gate, boolean dynamic) {
        this.probe = probe;
        this.gate = gate;
        this.dynamic = dynamic;
    }

    @Override
    public void enter(MethodVisitor code) {
        if (probe <= Short.MAX_VALUE) {
            code.visitIntInsn(Opcodes.SIPUSH, probe);
        } else {
            code.visitLdcInsn(probe);
        }
        if (dynamic) {
            code.visitInvokeDynamicInsn("enter", "(I)Ljava/lang/Object;", LINK, gate);
        } else {
            code.visitMethodInsn(Opcodes.INVOKESTATIC, PROBES, "enter", "(I)Ljava/lang/Object;", false);
        }
    }

    @Override
    public void exit(MethodVisitor code) {
        code.visitMethodInsn(Opcodes.INVOKESTATIC, PROBES, "exit", "(Ljava/lang/Object;)V", false);
    }

    @Override
    public void thrown(MethodVisitor code) {
        code.visitMethodInsn(
                Opcodes.INVOKESTATIC, PROBES, "thrown", "(Ljava/lang/Throwable;Ljava/lang/Object;)V", false);
    }
}
