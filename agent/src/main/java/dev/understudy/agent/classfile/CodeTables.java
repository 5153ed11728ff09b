package dev.understudy.agent.classfile;

/** The attributes of code that name places in it, copied with those where they are after a {@link CodeEdit}. */
final class CodeTables {
    private static final int LOCAL_VARIABLE = 0x40;
    private static final int RESOURCE_VARIABLE = 0x41;
    private static final int CAUGHT = 0x42;
    private static final int CAST = 0x47;

    private CodeTables() {}

    /**
     * Copies the one from {@code at} up to {@code behind}.
     *
     * @throws UnusualClassFile if it isn't known what it names
     */
    static void copy(ClassFile file, CodeEdit code, int at, int behind, ByteSink out) {
        int moves = out.size() - at;
        out.copy(file.bytes, at, behind - at);
        switch (file.attributeAt(at)) {
            case Attribute.LINE_NUMBER_TABLE:
                lines(file, code, at + 8, behind, out, moves);
                break;
            case Attribute.LOCAL_VARIABLE_TABLE:
            case Attribute.LOCAL_VARIABLE_TYPE_TABLE:
                for (int line = at + 8; line < behind; line += 10) {
                    range(file, code, line, out, moves);
                }
                break;
            case Attribute.TYPE_ANNOTATIONS:
                annotations(file, code, at, out, moves);
                break;
            default:
                throw new UnusualClassFile("code with " + file.utf8(file.u2(at)));
        }
    }

    /** JVMS §4.7.12: where each line begins. */
    private static void lines(ClassFile file, CodeEdit code, int from, int behind, ByteSink out, int moves) {
        for (int line = from; line < behind; line += 4) {
            out.set2(line + moves, code.moved(file.u2(line)));
        }
    }

    /** As in §4.7.13 and §4.7.14: where a variable begins to be there, and for how long. */
    private static void range(ClassFile file, CodeEdit code, int at, ByteSink out, int moves) {
        int start = file.u2(at);
        int moved = code.moved(start);
        out.set2(at + moves, moved).set2(at + moves + 2, code.moved(start + file.u2(at + 2)) - moved);
    }

    /** §4.7.20, as far as it is about code. */
    private static void annotations(ClassFile file, CodeEdit code, int attribute, ByteSink out, int moves) {
        int at = attribute + 8;
        for (int left = file.u2(attribute + 6); left > 0; left--) {
            int target = file.u1(at++);
            if (target == LOCAL_VARIABLE || target == RESOURCE_VARIABLE) {
                int many = file.u2(at);
                at += 2;
                for (int n = 0; n < many; n++, at += 6) {
                    range(file, code, at, out, moves);
                }
            } else if (target == CAUGHT) {
                at += 2;
            } else {
                out.set2(at + moves, code.moved(file.u2(at)));
                at += target < CAST ? 2 : 3;
            }
            at = file.behindAnnotation(at + 1 + 2 * file.u1(at));
        }
    }
}
