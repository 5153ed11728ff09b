package dev.understudy.agent.weave;

import dev.understudy.agent.classfile.ByteSink;
import dev.understudy.agent.classfile.ClassFile;
import dev.understudy.agent.classfile.CodeEdit;
import dev.understudy.agent.classfile.FrameReader;
import dev.understudy.agent.classfile.Instructions;
import dev.understudy.agent.classfile.PoolTail;
import dev.understudy.agent.classfile.UnusualClassFile;
import java.util.Map;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;

/**
 * Makes the same edits of a class file as {@link VisitedEdits#apply}, by putting pieces into its code: for
 * {@link Insertion}s and brackets in what compilers make today. All else it refuses, and that way does it. Confined to
 * one thread.
 */
final class DirectEdits {

    private final ClassFile file;
    private final PoolTail pool;
    private final PieceWriter code;
    private final CodeEdit.Names names;
    private final ByteSink body;
    /** Up to where the file has been copied. */
    private int done;

    private DirectEdits(ClassFile file) {
        this.file = file;
        this.pool = new PoolTail(file);
        this.code = new PieceWriter(pool);
        this.names = new CodeEdit.Names(pool);
        this.body = new ByteSink(file.length());
        this.done = file.header();
    }

    /**
     * As {@link VisitedEdits#apply}.
     *
     * @throws RuntimeException if it isn't for this class file or these edits
     */
    static byte[] apply(Map<String, MethodEdit> edits, byte[] classFile) {
        ClassFile file = ClassFile.editable(classFile);
        return new DirectEdits(file).apply(edits);
    }

    private byte[] apply(Map<String, MethodEdit> edits) {
        for (int method = 0; method < file.methods(); method++) {
            String name = file.name(method);
            MethodEdit edit = edits.getOrDefault(name + file.descriptor(method), edits.get(name));
            if (edit != null && file.codeBytes(method) > 0) {
                int attribute = file.code(method);
                file.copy(done, attribute, body);
                put(edit, method, attribute);
                done = attribute + 6 + file.u4(attribute + 2);
            }
        }
        file.copy(done, file.length(), body);
        return pool.behind(file, body.size()).copy(body).toBytes();
    }

    private void put(MethodEdit edit, int method, int attribute) {
        CodeEdit pieces = new CodeEdit(file, attribute);
        FrameReader frames = new FrameReader(file, method);
        if (edit instanceof Insertion) {
            Insertion insertion = (Insertion) edit;
            insert(insertion, pieces);
            pieces.write(body, names, frames, insertion.deeper());
        } else if (edit instanceof AroundBody) {
            surround(((AroundBody) edit).bracket, pieces, frames, file.u2(attribute + 8));
        } else {
            throw new UnusualClassFile("an edit of all instructions");
        }
    }

    private void insert(Insertion insertion, CodeEdit pieces) {
        insertion.enter(code);
        ByteSink entry = taken();
        if (entry != null) {
            pieces.behindWhatIsBefore(0, entry);
        }
        for (int at : pieces.returns()) {
            insertion.leave(code, file.u1(pieces.code() + at));
            ByteSink exit = taken();
            if (exit != null) {
                pieces.before(at, exit);
            }
        }
        for (int at : pieces.calls()) {
            int constant = file.u2(pieces.code() + at + 1);
            boolean instead = insertion.replace(
                    code, file.owner(constant), file.memberName(constant), file.memberDescriptor(constant));
            ByteSink call = taken();
            if (instead) {
                pieces.insteadOf(at, call == null ? new ByteSink(0) : call);
            } else if (call != null) {
                pieces.before(at, call);
            }
        }
    }

    private @Nullable ByteSink taken() {
        ByteSink taken = code.taken();
        return taken.size() == 0 ? null : taken;
    }

    private void surround(Bracket bracket, CodeEdit pieces, FrameReader frames, int slot) {
        bracket.enter(code);
        ByteSink entry = code.taken();
        Instructions.variable(entry, Opcodes.ASTORE, slot);
        CodeEdit.Piece from = pieces.behindWhatIsBefore(0, entry);
        for (int at : pieces.returns()) {
            bracket.exit(code, slot);
            ByteSink exit = taken();
            if (exit != null) {
                pieces.before(at, exit);
            }
        }
        code.visitInsn(Opcodes.DUP);
        code.visitVarInsn(Opcodes.ALOAD, slot);
        bracket.thrown(code);
        code.visitInsn(Opcodes.ATHROW);
        pieces.write(body, names, frames, slot, from, code.taken(), AroundBody.DEEPER);
    }
}
