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
            "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;J)"
                    + "Ljava/lang/invoke/CallSite;",
            false);

    private final int probe;
    private final int gate;
    private final boolean dynamic;
    private final Type returned;

    /**
     * A place-holder for the probe.
     *
     * @param probe below {@link Probes#CAPACITY}, which fits the instruction
     * @param dynamic whether the class file may have {@code invokedynamic} (version 51)
     * @param descriptor the method's
     */
    ProbeBracket(int probe, int gate, boolean dynamic, String descriptor) {
        this.probe = probe;
        this.gate = gate;
        this.dynamic = dynamic;
        this.returned = Type.getReturnType(descriptor);
    }

    @Override
    public void enter(MethodVisitor code) {
        code.visitIntInsn(Opcodes.SIPUSH, probe);
        if (dynamic) {
            code.visitInvokeDynamicInsn("enter", "(I)Ljava/lang/Object;", LINK, Numbered.GATE | gate);
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
