package dev.understudy.agent.weave;

import dev.understudy.agent.bootstrap.Probes;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import org.jspecify.annotations.Nullable;

/** The place-holder of a method: it asks the class's gate by {@code invokedynamic}, or has a static call in old classes. */
final class ProbeBracket implements Bracket {
    private static final String PROBES = Type.getInternalName(Probes.class);

    private final int probe;
    private final int gate;
    private final boolean dynamic;
    private final @Nullable OwnGate own;
    private final Type returned;

    /**
     * A place-holder for the probe.
     *
     * @param probe below {@link Probes#CAPACITY}, which fits the instruction
     * @param dynamic whether the class file may have {@code invokedynamic} (version 51)
     * @param own the method of the class that asks its gate, if it has one
     * @param descriptor the method's
     */
    ProbeBracket(int probe, int gate, boolean dynamic, @Nullable OwnGate own, String descriptor) {
        this.probe = probe;
        this.gate = gate;
        this.dynamic = dynamic;
        this.own = own;
        this.returned = Type.getReturnType(descriptor);
    }

    @Override
    public void enter(MethodVisitor code) {
        code.visitIntInsn(Opcodes.SIPUSH, probe);
        if (own != null) {
            own.call(code);
        } else if (dynamic) {
            OwnGate.link(code, gate);
        } else {
            code.visitMethodInsn(Opcodes.INVOKESTATIC, PROBES, "enter", "(I)Ljava/lang/Object;", false);
        }
    }

    @Override
    public void exit(MethodVisitor code, int slot) {
        if (returned.getSize() > 0) {
            code.visitInsn(returned.getSize() == 2 ? Opcodes.DUP2 : Opcodes.DUP);
        }
        code.visitVarInsn(Opcodes.ALOAD, slot);
        code.visitMethodInsn(Opcodes.INVOKESTATIC, PROBES, "exit", exitDescriptor(), false);
    }

    private String exitDescriptor() {
        switch (returned.getSort()) {
            case Type.VOID:
                return "(Ljava/lang/Object;)V";
            case Type.OBJECT:
            case Type.ARRAY:
                return "(Ljava/lang/Object;Ljava/lang/Object;)V";
            case Type.BOOLEAN:
            case Type.LONG:
            case Type.FLOAT:
            case Type.DOUBLE:
                return "(" + returned.getDescriptor() + "Ljava/lang/Object;)V";
            default:
                return "(ILjava/lang/Object;)V";
        }
    }

    @Override
    public void thrown(MethodVisitor code) {
        code.visitMethodInsn(
                Opcodes.INVOKESTATIC, PROBES, "thrown", "(Ljava/lang/Throwable;Ljava/lang/Object;)V", false);
    }
}
