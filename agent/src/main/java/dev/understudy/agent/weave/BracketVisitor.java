package dev.understudy.agent.weave;

import java.util.Arrays;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;

/**
 * Weaves a {@link Bracket} around one method: at entry, before every return, and in a handler over all of it.
 *
 * <p>The token lives in the slot above all of the method's own, so that no slot has to be moved, whatever a compiler or
 * obfuscator does with its slots. The handler's frame knows nothing but the token, which holds everywhere. A
 * constructor's begins behind the call that makes the object its own, before which no handler may stand around code.
 * Frames must be expanded.
 */
public final class BracketVisitor extends MethodVisitor {
    private static final String OBJECT = "java/lang/Object";

    private final Bracket bracket;
    private final int slot;
    private final boolean frames;
    private final Label entry = new Label();
    private final Label start = new Label();
    private int constructors;

    /**
     * A bracket around the method that is written to {@code next}; whoever calls this is loaded without this class.
     *
     * @param slot the method's number of local slots before weaving
     * @param frames whether the class file has stack map frames (version 50 and above)
     */
    static MethodVisitor of(MethodVisitor next, Bracket bracket, int slot, boolean frames) {
        return new BracketVisitor(next, bracket, slot, frames, 0);
    }

    /**
     * The same.
     *
     * @param constructors of a constructor, behind how many calls of constructors it begins
     */
    BracketVisitor(MethodVisitor next, Bracket bracket, int slot, boolean frames, int constructors) {
        super(Opcodes.ASM9, next);
        this.constructors = constructors;
        this.bracket = bracket;
        this.slot = slot;
        this.frames = frames;
    }

    /** Where it begins; its offset is known once the method was written. */
    Label entry() {
        return entry;
    }

    @Override
    public void visitCode() {
        super.visitCode();
        if (constructors == 0) {
            begin();
        }
    }

    @Override
    public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean ofInterface) {
        super.visitMethodInsn(opcode, owner, name, descriptor, ofInterface);
        if (constructors > 0 && name.equals("<init>") && --constructors == 0) {
            begin();
        }
    }

    private void begin() {
        mv.visitLabel(entry);
        bracket.enter(mv);
        mv.visitVarInsn(Opcodes.ASTORE, slot);
        mv.visitLabel(start);
    }

    @Override
    public void visitInsn(int opcode) {
        if (constructors == 0 && opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) {
            bracket.exit(mv, slot);
        }
        super.visitInsn(opcode);
    }

    @Override
    public void visitFrame(int type, int numLocal, @Nullable Object[] local, int numStack, @Nullable Object[] stack) {
        if (constructors > 0) {
            mv.visitFrame(type, numLocal, local, numStack, stack);
            return;
        }
        @Nullable Object[] withToken = new @Nullable Object[numLocal + slot + 1];
        System.arraycopy(local, 0, withToken, 0, numLocal);
        int used = 0;
        for (int i = 0; i < numLocal; i++) {
            used += Opcodes.LONG.equals(local[i]) || Opcodes.DOUBLE.equals(local[i]) ? 2 : 1;
        }
        int count = numLocal + slot - used;
        Arrays.fill(withToken, numLocal, count, Opcodes.TOP);
        withToken[count] = OBJECT;
        mv.visitFrame(type, count + 1, withToken, numStack, stack);
    }

    @Override
    public void visitMaxs(int maxStack, int maxLocals) {
        Label end = new Label();
        mv.visitTryCatchBlock(start, end, end, null);
        mv.visitLabel(end);
        if (frames) {
            @Nullable Object[] onlyToken = new @Nullable Object[slot + 1];
            Arrays.fill(onlyToken, Opcodes.TOP);
            onlyToken[slot] = OBJECT;
            mv.visitFrame(Opcodes.F_NEW, slot + 1, onlyToken, 1, new Object[] {"java/lang/Throwable"});
        }
        mv.visitInsn(Opcodes.DUP);
        mv.visitVarInsn(Opcodes.ALOAD, slot);
        bracket.thrown(mv);
        mv.visitInsn(Opcodes.ATHROW);
        super.visitMaxs(maxStack + AroundBody.DEEPER, slot + 1);
    }
}
