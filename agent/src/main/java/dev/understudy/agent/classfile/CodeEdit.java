package dev.understudy.agent.classfile;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One method's attribute Code (JVMS §4.7.3) with pieces put between its instructions: jumps, switches, handlers, lines
 * and variables follow what moves. Confined to one thread.
 *
 * <p>Made, asked where what stands, given pieces, and written, in this order.
 */
public final class CodeEdit {
    private static final int MOST = 0xFFFF;

    private final ClassFile file;
    private final int attribute;
    private final int code;
    private final int length;
    private final Offsets jumps = new Offsets();
    private final Offsets switches = new Offsets();
    private final Offsets returns = new Offsets();
    private final Offsets calls = new Offsets();
    private boolean monitors;
    private final List<Piece> pieces = new ArrayList<>();
    /** By how much what led to each place moves, once all pieces are laid out. */
    private int[] shifts = {};

    /**
     * Looks the code through once.
     *
     * @param attribute where it begins
     * @throws UnusualClassFile if it has instructions that aren't known, or jumps to subroutines or by four bytes
     */
    public CodeEdit(ClassFile file, int attribute) {
        this.file = file;
        this.attribute = attribute;
        this.code = attribute + 14;
        this.length = file.u4(attribute + 10);
        byte[] bytes = file.bytes;
        int end = code + length;
        for (int at = code; at < end; at += Instructions.length(file, code, at)) {
            int opcode = bytes[at] & 0xFF;
            if (opcode >= Instructions.IFEQ) {
                note(opcode, at - code);
            }
        }
    }

    private void note(int opcode, int offset) {
        if (opcode < Instructions.JSR || opcode == Instructions.IFNULL || opcode == Instructions.IFNONNULL) {
            jumps.add(offset);
        } else if (opcode >= Instructions.IRETURN && opcode <= Instructions.RETURN) {
            returns.add(offset);
        } else if (opcode >= Instructions.INVOKEVIRTUAL && opcode <= Instructions.INVOKEINTERFACE) {
            calls.add(offset);
        } else if (Instructions.switches(opcode)) {
            switches.add(offset);
        } else if (opcode == Instructions.MONITORENTER || opcode == Instructions.MONITOREXIT) {
            monitors = true;
        } else if (opcode <= Instructions.RET || opcode >= Instructions.GOTO_W) {
            throw new UnusualClassFile("an instruction " + opcode);
        }
    }

    /** Where it returns. */
    public int[] returns() {
        return returns.all();
    }

    /** Where it calls methods by constants that name them. */
    public int[] calls() {
        return calls.all();
    }

    /** Whether it takes or leaves monitors itself. */
    public boolean hasMonitors() {
        return monitors;
    }

    /** The file's offset of its first instruction. */
    public int code() {
        return code;
    }

    /** How long its instructions are. */
    public int length() {
        return length;
    }

    /** Puts a piece before an instruction; what leads to it comes through. */
    public Piece before(int offset, ByteSink bytes) {
        return put(new Piece(offset, true, bytes));
    }

    /** Puts a piece behind whatever is before an instruction; what leads to the instruction doesn't come through. */
    public Piece behindWhatIsBefore(int offset, ByteSink bytes) {
        return put(new Piece(offset, false, bytes));
    }

    /** Puts a piece in the place of an instruction that leads nowhere else; what leads to that comes to the piece. */
    public Piece insteadOf(int offset, ByteSink bytes) {
        Piece piece = new Piece(offset, true, bytes);
        piece.instead = Instructions.length(file, code, code + offset);
        return put(piece);
    }

    /** In the order of the code; of those for one place the one put first comes first. */
    private Piece put(Piece piece) {
        int n = pieces.size();
        while (n > 0 && pieces.get(n - 1).from > piece.from) {
            n--;
        }
        pieces.add(n, piece);
        return piece;
    }

    /**
     * Writes the attribute, with a slot more, and a handler of all exceptions from some place to the end.
     *
     * @param names those of the class file
     * @param frames those of the method
     * @param slot which holds an object from {@code from} on
     * @param from a piece behind which the handler's range begins
     * @param handler its code
     * @param deeper how much more of the stack may be used
     * @return where the code begins in {@code out}
     * @throws UnusualClassFile if something there can't follow
     */
    public int write(
            ByteSink out, Names names, FrameReader frames, int slot, Piece from, ByteSink handler, int deeper) {
        int moved = layOut(handler.size());
        if (slot >= MOST) {
            throw new UnusualClassFile("a method that becomes too large");
        }
        int begin = writeCode(out, deeper, slot + 1, moved, handler);
        int at = writeHandlers(out, 1);
        out.u2(from.at + from.size()).u2(moved).u2(moved).u2(0);
        int countTo = out.size();
        out.u2(0);
        new FrameEdit(this, out, names.pool, slot, FrameReader.OBJECT | (names.object << 8))
                .write(frames, names.stackMapTable, from.from, moved, FrameReader.OBJECT | (names.throwable << 8));
        writeAttributes(out, begin, countTo, 1, at);
        return begin;
    }

    /**
     * Writes the attribute with nothing but its pieces.
     *
     * @param names those of the class file
     * @param frames those of the method
     * @param deeper how much more of the stack may be used
     * @throws UnusualClassFile if something there can't follow
     */
    public void write(ByteSink out, Names names, FrameReader frames, int deeper) {
        int begin = writeCode(out, deeper, file.u2(attribute + 8), layOut(0), new ByteSink(0));
        int at = writeHandlers(out, 0);
        int countTo = out.size();
        out.u2(0);
        boolean framed = new FrameEdit(this, out, names.pool, 0, 0).write(frames, names.stackMapTable);
        writeAttributes(out, begin, countTo, framed ? 1 : 0, at);
    }

    private int writeCode(ByteSink out, int deeper, int locals, int moved, ByteSink handler) {
        out.copy(file.bytes, attribute, 6).u2(file.u2(attribute + 6) + deeper).u2(locals);
        int begin = out.u4(moved + handler.size()).size();
        copyCode(out, begin);
        out.copy(handler);
        return begin;
    }

    /** Answers with where what comes behind them stands in the file. */
    private int writeHandlers(ByteSink out, int more) {
        int tableAt = code + length;
        int handlers = file.u2(tableAt);
        out.u2(handlers + more);
        int at = tableAt + 2;
        for (int end = at + 8 * handlers; at < end; at += 8) {
            out.u2(moved(file.u2(at))).u2(moved(file.u2(at + 2))).u2(moved(file.u2(at + 4)));
            out.u2(file.u2(at + 6));
        }
        return at;
    }

    /** Finds where everything goes, and answers with the new length, behind which so many bytes more come. */
    private int layOut(int more) {
        for (int at : switches.all()) {
            put(new Piece(at, true, null));
        }
        int shift = 0;
        int done = 0;
        shifts = new int[length + 1];
        for (Piece piece : pieces) {
            Arrays.fill(shifts, done, piece.from, shift);
            done = piece.from;
            piece.at = piece.offset + shift;
            if (piece.bytes == null) {
                shift += (piece.offset & 3) - (piece.at & 3); // padding, 3 - (offset & 3) bytes of it
            } else {
                shift += piece.bytes.size() - piece.instead;
            }
        }
        Arrays.fill(shifts, done, shifts.length, shift);
        if (length + shift + more > MOST) {
            throw new UnusualClassFile("a method that becomes too large");
        }
        return length + shift;
    }

    /** Where what led to that place leads now. */
    int moved(int offset) {
        return offset + shifts[offset];
    }

    private void copyCode(ByteSink out, int begin) {
        int done = 0;
        for (Piece piece : pieces) {
            out.copy(file.bytes, code + done, piece.offset - done);
            done = piece.offset;
            if (piece.bytes != null) {
                out.copy(piece.bytes);
                done += piece.instead;
            } else {
                done = writeSwitch(out, piece, begin);
            }
        }
        out.copy(file.bytes, code + done, length - done);
        for (int jump : jumps.all()) {
            int here = moved(jump);
            int leads = moved(jump + (short) file.u2(code + jump + 1)) - here;
            if (leads != (short) leads) {
                throw new UnusualClassFile("a jump that becomes too long");
            }
            out.set2(begin + here + 1, leads);
        }
    }

    private int writeSwitch(ByteSink out, Piece place, int begin) {
        int at = code + place.offset;
        int operands = Instructions.operands(code, at);
        out.u1(file.u1(at));
        while (((out.size() - begin) & 3) != 0) {
            out.u1(0);
        }
        int behind = at + Instructions.length(file, code, at);
        int to = out.size() - operands;
        out.copy(file.bytes, operands, behind - operands);
        for (int n = Instructions.targets(file, code, at) - 1; n >= 0; n--) {
            int targetAt = Instructions.targetAt(file, code, at, n);
            out.set4(to + targetAt, moved(place.offset + file.u4(targetAt)) - place.at);
        }
        return behind - code;
    }

    /** Copies those but the frames, and says how many there are and how long all of it is. */
    private void writeAttributes(ByteSink out, int begin, int countTo, int written, int countAt) {
        int count = written;
        int at = countAt + 2;
        for (int left = file.u2(countAt); left > 0; left--) {
            int behind = at + 6 + file.u4(at + 2);
            if (file.attributeAt(at) != Attribute.STACK_MAP_TABLE) {
                CodeTables.copy(file, this, at, behind, out);
                count++;
            }
            at = behind;
        }
        out.set2(countTo, count);
        out.set4(begin - 12, out.size() - begin + 8);
    }

    /** Bytes between two instructions, or a switch, whose padding depends on where it comes to stand. */
    public static final class Piece {
        private final int offset;
        /** The first place that moves with it. */
        private final int from;

        private final @Nullable ByteSink bytes;
        /** How many bytes of the file it is there instead of. */
        private int instead;

        private int at;

        Piece(int offset, boolean before, @Nullable ByteSink bytes) {
            this.offset = offset;
            this.from = before ? offset + 1 : offset;
            this.bytes = bytes;
        }

        /** Where it stands in the code, once that was written. */
        public int at() {
            return at;
        }

        int size() {
            return bytes == null ? 0 : bytes.size();
        }
    }

    /** Constants that all of a class file's methods need. */
    public static final class Names {
        private final PoolTail pool;
        private final int stackMapTable;
        private final int object;
        private final int throwable;

        /** Puts them into {@code pool}. */
        public Names(PoolTail pool) {
            this.pool = pool;
            stackMapTable = pool.utf8("StackMapTable");
            object = pool.className("java/lang/Object");
            throwable = pool.className("java/lang/Throwable");
        }
    }

    /** Numbers in the order they came. */
    private static final class Offsets {
        private int[] numbers = new int[8];
        private int count;

        void add(int number) {
            if (count == numbers.length) {
                numbers = Arrays.copyOf(numbers, 2 * count);
            }
            numbers[count++] = number;
        }

        int[] all() {
            return Arrays.copyOf(numbers, count);
        }
    }
}
