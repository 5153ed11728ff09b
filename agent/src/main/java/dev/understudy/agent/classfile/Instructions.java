package dev.understudy.agent.classfile;

/** How long instructions are, and where those lead that lead elsewhere (JVMS §6.5). */
public final class Instructions {
    /** The first that isn't of fixed length without any say in where the next one is: {@code ifeq}. */
    static final int IFEQ = 153;

    static final int JSR = 168;
    static final int RET = 169;
    static final int TABLESWITCH = 170;
    static final int LOOKUPSWITCH = 171;
    static final int IRETURN = 172;
    static final int RETURN = 177;
    static final int INVOKEVIRTUAL = 182;
    static final int INVOKEINTERFACE = 185;
    static final int MONITORENTER = 194;
    static final int MONITOREXIT = 195;
    static final int WIDE = 196;
    static final int IFNULL = 198;
    static final int IFNONNULL = 199;
    static final int GOTO_W = 200;
    static final int JSR_W = 201;

    private static final int LDC = 18;
    private static final int LDC_W = 19;
    private static final int ILOAD = 21;
    private static final int ILOAD_0 = 26;
    private static final int ISTORE = 54;
    private static final int ISTORE_0 = 59;
    private static final int IINC = 132;

    /** A digit for each, 0 where it depends on what follows. */
    private static final String DIGITS = "1".repeat(16) + "23233" + "2".repeat(5) + "1".repeat(28) + "2".repeat(5)
            + "1".repeat(73) + "3" + "1".repeat(20) + "3".repeat(16) + "200" + "1".repeat(6) + "3".repeat(7) + "55"
            + "323" + "11" + "33" + "11" + "04" + "33" + "55";

    private static final byte[] LENGTHS = new byte[256];

    static {
        for (int opcode = 0; opcode < DIGITS.length(); opcode++) {
            LENGTHS[opcode] = (byte) (DIGITS.charAt(opcode) - '0');
        }
    }

    private Instructions() {}

    /**
     * The length of the instruction at {@code at} of a code that begins at {@code code}.
     *
     * @throws UnusualClassFile if there is no such instruction
     */
    public static int length(ClassFile file, int code, int at) {
        int opcode = file.bytes[at] & 0xFF;
        int length = LENGTHS[opcode];
        if (length > 0) {
            return length;
        }
        switch (opcode) {
            case TABLESWITCH:
            case LOOKUPSWITCH:
                int targets = targets(file, code, at);
                return targetAt(file, code, at, targets) - (opcode == TABLESWITCH ? 0 : 4) - at;
            case WIDE:
                return file.u1(at + 1) == IINC ? 6 : 4;
            default:
                throw new UnusualClassFile("an instruction " + opcode);
        }
    }

    /** Where the operands of a switch begin, which are aligned to the begin of the code. */
    static int operands(int code, int at) {
        return at + 4 - ((at - code) & 3);
    }

    /** Whether it is a jump of two bytes. */
    public static boolean jumps(int opcode) {
        return (opcode >= IFEQ && opcode <= JSR) || opcode == IFNULL || opcode == IFNONNULL;
    }

    /** Whether it leads to several places. */
    public static boolean switches(int opcode) {
        return opcode == TABLESWITCH || opcode == LOOKUPSWITCH;
    }

    /**
     * How many places a switch at {@code at} leads to.
     *
     * @throws UnusualClassFile if it says so many that the class file can't name them
     */
    static int targets(ClassFile file, int code, int at) {
        int operands = operands(code, at);
        long targets = file.u1(at) == TABLESWITCH
                ? (long) file.u4(operands + 8) - file.u4(operands + 4) + 2
                : (long) file.u4(operands + 4) + 1;
        if (targets <= 0 || targets > file.bytes.length) {
            throw new UnusualClassFile("a switch to " + targets);
        }
        return (int) targets;
    }

    /** Where the number stands by which it leads to the {@code n}-th of them, the default first. */
    static int targetAt(ClassFile file, int code, int at, int n) {
        int operands = operands(code, at);
        if (n == 0) {
            return operands;
        }
        return file.u1(at) == TABLESWITCH ? operands + 8 + 4 * n : operands + 4 + 8 * n;
    }

    /** The places that a jump or switch at {@code at} leads to, counted from the begin of the code; none for others. */
    public static int[] leadsTo(ClassFile file, int code, int at) {
        int opcode = file.u1(at);
        int here = at - code;
        if (jumps(opcode)) {
            return new int[] {here + (short) file.u2(at + 1)};
        }
        if (opcode == GOTO_W || opcode == JSR_W) {
            return new int[] {here + file.u4(at + 1)};
        }
        if (!switches(opcode)) {
            return new int[0];
        }
        int[] all = new int[targets(file, code, at)];
        for (int n = 0; n < all.length; n++) {
            all[n] = here + file.u4(targetAt(file, code, at, n));
        }
        return all;
    }

    /** Appends a load or store of a variable in the shortest form. */
    public static void variable(ByteSink out, int opcode, int slot) {
        if (slot < 4) {
            boolean loads = opcode < ISTORE;
            out.u1((loads ? ILOAD_0 + 4 * (opcode - ILOAD) : ISTORE_0 + 4 * (opcode - ISTORE)) + slot);
        } else if (slot < 256) {
            out.u1(opcode).u1(slot);
        } else {
            out.u1(WIDE).u1(opcode).u2(slot);
        }
    }

    /** Appends a load of a constant of one slot. */
    public static void constant(ByteSink out, int constant) {
        if (constant < 256) {
            out.u1(LDC).u1(constant);
        } else {
            out.u1(LDC_W).u2(constant);
        }
    }
}
