package dev.understudy.agent.weave;

import dev.understudy.agent.bootstrap.Locks;
import dev.understudy.agent.classfile.Attribute;
import dev.understudy.agent.classfile.ByteSink;
import dev.understudy.agent.classfile.ClassFile;
import dev.understudy.agent.classfile.CodeEdit;
import dev.understudy.agent.classfile.FrameReader;
import dev.understudy.agent.classfile.Instructions;
import dev.understudy.agent.classfile.PoolTail;
import dev.understudy.agent.lock.LockSites;
import dev.understudy.agent.lock.LockedMethod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import org.jspecify.annotations.Nullable;

/**
 * Has a method's code visited by what tells of locks, and takes down what that puts before and behind instructions as
 * pieces of a {@link CodeEdit}.
 *
 * <p>Told of are the instructions that it asks about; all others are those behind which it knows nothing. For one
 * method.
 */
final class LockPieces extends MethodVisitor {
    private static final String LOCKS = Type.getInternalName(Locks.class);
    private static final int ALOAD_0 = 42;
    private static final int ASTORE_0 = 75;
    private static final int WIDE = 196;

    private final ClassFile file;
    private final PoolTail pool;
    private final CodeEdit edit;
    private final int method;
    private final Map<Integer, Label> labels = new HashMap<>();
    private final List<Numbered.Lock> locks = new ArrayList<>();
    private final List<Told> told = new ArrayList<>();
    private ByteSink piece = new ByteSink(32);
    private final List<Told> toldHere = new ArrayList<>();
    private int offset;
    private boolean listens;
    /** Whether it has been told already that nothing is known of what came last. */
    private boolean unknown;

    private LockPieces(ClassFile file, PoolTail pool, CodeEdit edit, int method) {
        super(Opcodes.ASM9);
        this.file = file;
        this.pool = pool;
        this.edit = edit;
        this.method = method;
    }

    /**
     * Puts them into {@code edit}.
     *
     * @param token the slot that the method's token is in
     * @param inside whether there is anything to tell of but the method's own lock
     */
    static LockPieces put(
            LockSites sites,
            LockedMethod locked,
            ClassFile file,
            PoolTail pool,
            CodeEdit edit,
            int method,
            int token,
            boolean inside) {
        LockPieces pieces = new LockPieces(file, pool, edit, method);
        pieces.listens = true;
        MethodVisitor visitor =
                sites.visitor(pieces, locked, token, place -> pieces.locks.add(new Numbered.Lock(place, method)));
        visitor.visitCode();
        pieces.close(false);
        if (inside) {
            pieces.visit(visitor);
        }
        return pieces;
    }

    /** The places that it tells of. */
    List<Numbered.Lock> locks() {
        return locks;
    }

    /** Once the code was written, which begins at {@code code}: where their numbers stand. */
    void placed(int code) {
        for (Told one : told) {
            one.lock.at.add(code + Objects.requireNonNull(one.piece).at() + one.offset);
        }
    }

    private void visit(MethodVisitor to) {
        int code = edit.code();
        int[] lines = new int[edit.length() + 1];
        boolean[] frames = new boolean[edit.length() + 1];
        readTables(to, lines, frames);
        for (int at = code; at < code + edit.length(); at += Instructions.length(file, code, at)) {
            offset = at - code;
            listens = false;
            Label label = labels.get(offset);
            if (label != null) {
                to.visitLabel(label);
            }
            if (lines[offset] > 0) {
                to.visitLineNumber(lines[offset], new Label());
            }
            if (frames[offset]) {
                to.visitFrame(Opcodes.F_NEW, 0, new Object[0], 0, new Object[0]);
            }
            visitInstruction(to, at);
        }
    }

    private void readTables(MethodVisitor to, int[] lines, boolean[] frames) {
        int at = edit.code() + edit.length();
        int left = file.u2(at);
        for (at += 2; left > 0; left--, at += 8) {
            to.visitTryCatchBlock(label(file.u2(at)), label(file.u2(at + 2)), label(file.u2(at + 4)), null);
        }
        int attribute = at + 2;
        for (left = file.u2(at); left > 0; left--) {
            if (file.attributeAt(attribute) == Attribute.LINE_NUMBER_TABLE) {
                int line = attribute + 8;
                for (int more = file.u2(attribute + 6); more > 0; more--, line += 4) {
                    lines[file.u2(line)] = file.u2(line + 2);
                }
            }
            attribute += 6 + file.u4(attribute + 2);
        }
        FrameReader reader = new FrameReader(file, method);
        while (reader.next()) {
            frames[reader.offset()] = true;
        }
    }

    private Label label(int at) {
        return labels.computeIfAbsent(at, first -> new Label());
    }

    private void visitInstruction(MethodVisitor to, int at) {
        int opcode = file.u1(at);
        if (opcode >= Opcodes.INVOKEVIRTUAL && opcode <= Opcodes.INVOKEINTERFACE) {
            int constant = file.u2(at + 1);
            listens = true;
            to.visitMethodInsn(
                    opcode,
                    file.owner(constant),
                    file.memberName(constant),
                    file.memberDescriptor(constant),
                    file.tag(constant) == ClassFile.INTERFACE_METHOD);
            offset += Instructions.length(file, edit.code(), at);
            close(false);
        } else if (opcode == Opcodes.MONITORENTER || opcode == Opcodes.MONITOREXIT) {
            listens = true;
            to.visitInsn(opcode);
        } else if (opcode >= Opcodes.GETSTATIC && opcode <= Opcodes.PUTFIELD) {
            int constant = file.u2(at + 1);
            to.visitFieldInsn(opcode, file.owner(constant), file.memberName(constant), file.memberDescriptor(constant));
        } else if (opcode == Opcodes.NEW || opcode == Opcodes.CHECKCAST) {
            to.visitTypeInsn(opcode, file.className(file.u2(at + 1)));
        } else if (opcode == Opcodes.ALOAD || opcode == Opcodes.ASTORE) {
            to.visitVarInsn(opcode, file.u1(at + 1));
        } else if (opcode >= ALOAD_0 && opcode < ALOAD_0 + 4) {
            to.visitVarInsn(Opcodes.ALOAD, opcode - ALOAD_0);
        } else if (opcode >= ASTORE_0 && opcode < ASTORE_0 + 4) {
            to.visitVarInsn(Opcodes.ASTORE, opcode - ASTORE_0);
        } else if (opcode >= Opcodes.LDC && opcode <= Opcodes.LDC + 1) {
            int constant = opcode == Opcodes.LDC ? file.u1(at + 1) : file.u2(at + 1);
            boolean named = file.tag(constant) == ClassFile.CLASS;
            to.visitLdcInsn(named ? Type.getObjectType(file.className(constant)) : "");
        } else if (opcode == WIDE && (file.u1(at + 1) == Opcodes.ALOAD || file.u1(at + 1) == Opcodes.ASTORE)) {
            to.visitVarInsn(file.u1(at + 1), file.u2(at + 2));
        } else if (opcode == Opcodes.DUP) {
            to.visitInsn(opcode);
        } else if (opcode != Opcodes.IINC) {
            if (!unknown) {
                to.visitInsn(Opcodes.NOP);
            }
            unknown = true;
            return;
        }
        unknown &= opcode == Opcodes.IINC;
    }

    /** What was put goes before the instruction that came now, or behind the one that came before. */
    private void close(boolean before) {
        if (piece.size() > 0) {
            CodeEdit.Piece put = before ? edit.before(offset, piece) : edit.behindWhatIsBefore(offset, piece);
            for (Told one : toldHere) {
                one.piece = put;
            }
            piece = new ByteSink(32);
            toldHere.clear();
        }
    }

    @Override
    public void visitInsn(int opcode) {
        if (listens && (opcode == Opcodes.MONITORENTER || opcode == Opcodes.MONITOREXIT)) {
            close(true);
        } else if (listens) {
            piece.u1(opcode);
        }
    }

    @Override
    public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean ofInterface) {
        if (!owner.equals(LOCKS)) {
            close(true);
        } else {
            piece.u1(opcode).u2(pool.method(owner, name, descriptor, ofInterface));
        }
    }

    @Override
    public void visitVarInsn(int opcode, int slot) {
        if (listens) {
            Instructions.variable(piece, opcode, slot);
        }
    }

    @Override
    public void visitLdcInsn(Object value) {
        if (listens) {
            Instructions.constant(
                    piece,
                    value instanceof Type
                            ? pool.className(((Type) value).getInternalName())
                            : pool.string(String.valueOf(value)));
        }
    }

    /** Only the number of a place comes so. */
    @Override
    public void visitIntInsn(int opcode, int number) {
        for (Numbered.Lock lock : locks) {
            if (lock.place.number == number) {
                Told one = new Told(lock, piece.size() + 1);
                toldHere.add(one);
                told.add(one);
            }
        }
        piece.u1(opcode).u2(number);
    }

    /** Where in a piece the number of a place stands. */
    private static final class Told {
        private final Numbered.Lock lock;
        private final int offset;
        private CodeEdit.@Nullable Piece piece;

        Told(Numbered.Lock lock, int offset) {
            this.lock = lock;
            this.offset = offset;
        }
    }
}
