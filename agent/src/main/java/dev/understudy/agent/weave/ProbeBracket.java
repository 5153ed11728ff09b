package dev.understudy.agent.weave;

import dev.understudy.agent.bootstrap.Probes;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;

/**
 * The place-holder of a method: it asks the class's gate by {@code invokedynamic}, or has a static call in old classes.
 */
final class ProbeBracket implements Bracket {
    static final String PROBES = Probes.class.getName().replace('.', '/');

    static final String THROWN = "(Ljava/lang/Throwable;Ljava/lang/Object;)V";

    private final int probe;
    private final int gate;
    private final boolean dynamic;
    private final @Nullable OwnGate own;
    private final String descriptor;

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
        this.descriptor = descriptor;
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
        int doubling = doubling(descriptor);
        if (doubling != Opcodes.NOP) {
            code.visitInsn(doubling);
        }
        code.visitVarInsn(Opcodes.ALOAD, slot);
        code.visitMethodInsn(Opcodes.INVOKESTATIC, PROBES, "exit", exitDescriptor(descriptor), false);
    }

    /** The instruction that doubles what a method with that descriptor returns; NOP if that is nothing. */
    static int doubling(String descriptor) {
        switch (descriptor.charAt(descriptor.indexOf(')') + 1)) {
            case 'V':
                return Opcodes.NOP;
            case 'J':
            case 'D':
                return Opcodes.DUP2;
            default:
                return Opcodes.DUP;
        }
    }

    /** The descriptor of the method of Probes that is called before a method with that descriptor returns. */
    static String exitDescriptor(String descriptor) {
        char returned = descriptor.charAt(descriptor.indexOf(')') + 1);
        switch (returned) {
            case 'V':
                return "(Ljava/lang/Object;)V";
            case 'L':
            case '[':
                return "(Ljava/lang/Object;Ljava/lang/Object;)V";
            case 'Z':
            case 'J':
            case 'F':
            case 'D':
                return "(" + returned + "Ljava/lang/Object;)V";
            default:
                return "(ILjava/lang/Object;)V";
        }
    }

    @Override
    public void thrown(MethodVisitor code) {
        code.visitMethodInsn(Opcodes.INVOKESTATIC, PROBES, "thrown", THROWN, false);
    }
}
