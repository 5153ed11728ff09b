package dev.understudy.agent.branch;

import dev.understudy.agent.bootstrap.Branches;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;

/**
 * Tells {@link Branches} before each jump of a method what the jump is about to look at.
 *
 * <p>The operands are doubled and no label is added, so no frame changes.
 */
final class BranchVisitor extends MethodVisitor {
    /** What it adds per jump. */
    static final int BYTES = 7;

    private static final String BRANCHES = Type.getInternalName(Branches.class);
    /** In the order of the instructions. */
    private static final String[] NAMES = {"eq", "ne", "lt", "ge", "gt", "le"};

    private static final int DEEPEST = 3;

    private final int[] numbers;
    private int jump;

    /** @param numbers of the method's jumps in the order of its code; 0 for one that isn't told of */
    BranchVisitor(MethodVisitor next, int[] numbers) {
        super(Opcodes.ASM9, next);
        this.numbers = numbers;
    }

    static boolean isConditional(int opcode) {
        return opcode != Opcodes.GOTO && opcode != Opcodes.JSR;
    }

    @Override
    public void visitJumpInsn(int opcode, Label label) {
        if (isConditional(opcode)) {
            int number = numbers[jump++];
            if (number > 0) {
                tell(opcode, number);
            }
        }
        super.visitJumpInsn(opcode, label);
    }

    private void tell(int opcode, int number) {
        if (opcode <= Opcodes.IFLE) {
            call(Opcodes.DUP, number, NAMES[opcode - Opcodes.IFEQ], "(II)V");
        } else if (opcode <= Opcodes.IF_ICMPLE) {
            call(Opcodes.DUP2, number, NAMES[opcode - Opcodes.IF_ICMPEQ], "(III)V");
        } else if (opcode <= Opcodes.IF_ACMPNE) {
            call(Opcodes.DUP2, number, NAMES[opcode - Opcodes.IF_ACMPEQ], "(Ljava/lang/Object;Ljava/lang/Object;I)V");
        } else {
            call(Opcodes.DUP, number, NAMES[opcode - Opcodes.IFNULL], "(Ljava/lang/Object;I)V");
        }
    }

    @Override
    public void visitTableSwitchInsn(int min, int max, Label otherwise, Label... targets) {
        choose();
        super.visitTableSwitchInsn(min, max, otherwise, targets);
    }

    @Override
    public void visitLookupSwitchInsn(Label otherwise, int[] keys, Label[] targets) {
        choose();
        super.visitLookupSwitchInsn(otherwise, keys, targets);
    }

    private void choose() {
        int number = numbers[jump++];
        if (number > 0) {
            call(Opcodes.DUP, number, "choose", "(II)V");
        }
    }

    private void call(int dup, int number, String name, String descriptor) {
        super.visitInsn(dup);
        super.visitIntInsn(Opcodes.SIPUSH, number);
        super.visitMethodInsn(Opcodes.INVOKESTATIC, BRANCHES, name, descriptor, false);
    }

    @Override
    public void visitMaxs(int maxStack, int maxLocals) {
        super.visitMaxs(maxStack + DEEPEST, maxLocals);
    }
}
