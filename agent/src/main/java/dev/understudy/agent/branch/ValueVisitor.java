package dev.understudy.agent.branch;

import dev.understudy.agent.bootstrap.Values;
import java.util.Iterator;
import java.util.List;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;

/**
 * Hands {@link Values} the values of a method that are looked at: from a slot or doubled on the stack, so that nothing
 * is changed; no label is added, so no frame changes.
 */
final class ValueVisitor extends MethodVisitor {
    /** What it adds per look at most. */
    static final int BYTES = 14;

    private static final String VALUES = Type.getInternalName(Values.class);
    /** Two longs and a number. */
    private static final int DEEPEST = 5;

    private final String descriptor;
    private final List<Look> entry;
    private final Iterator<List<Look>> places;
    private final int[] numbers;
    private int look;

    /** @param numbers of all looks in the order of the code; 0 for one that isn't told of */
    ValueVisitor(MethodVisitor next, String descriptor, MethodValues values, int[] numbers) {
        super(Opcodes.ASM9, next);
        this.descriptor = descriptor;
        this.entry = values.entry();
        this.places = values.places().iterator();
        this.numbers = numbers;
    }

    @Override
    public void visitCode() {
        super.visitCode();
        entry.forEach(this::tell);
    }

    @Override
    public void visitVarInsn(int opcode, int slot) {
        super.visitVarInsn(opcode, slot);
        if (MethodValues.isStore(opcode)) {
            places.next().forEach(this::tell);
        }
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String type) {
        if (MethodValues.isField(opcode, type)) {
            places.next().forEach(this::tell);
        }
        super.visitFieldInsn(opcode, owner, name, type);
    }

    @Override
    public void visitInsn(int opcode) {
        if (MethodValues.isReturn(opcode, descriptor)) {
            places.next().forEach(this::tell);
        }
        super.visitInsn(opcode);
    }

    private void tell(Look at) {
        int number = numbers[look++];
        if (number == 0) {
            return;
        }
        if (at.slot == Look.ON_STACK) {
            mv.visitInsn(at.type == Slots.LONG ? Opcodes.DUP2 : Opcodes.DUP);
        } else {
            mv.visitVarInsn(load(at.type), at.slot);
        }
        if (at.kind == BranchValue.Kind.PAIR) {
            mv.visitVarInsn(load(at.type), at.beside);
        }
        mv.visitIntInsn(Opcodes.SIPUSH, number);
        mv.visitMethodInsn(Opcodes.INVOKESTATIC, VALUES, name(at), descriptor(at), false);
    }

    private static int load(char type) {
        return type == Slots.INT ? Opcodes.ILOAD : type == Slots.LONG ? Opcodes.LLOAD : Opcodes.ALOAD;
    }

    private static String name(Look at) {
        switch (at.kind) {
            case NUMBER:
                return "number";
            case TRUTH:
                return "truth";
            case OBJECT:
                return "object";
            default:
                return "pair";
        }
    }

    private static String descriptor(Look at) {
        switch (at.kind) {
            case NUMBER:
                return "(" + at.type + "I)V";
            case TRUTH:
                return "(ZI)V";
            case OBJECT:
                return "(Ljava/lang/Object;I)V";
            default:
                return "(" + at.type + at.type + "I)V";
        }
    }

    @Override
    public void visitMaxs(int maxStack, int maxLocals) {
        super.visitMaxs(maxStack + DEEPEST, maxLocals);
    }
}
