package dev.understudy.agent.classfile;

/**
 * Writes a method's stack map frames (JVMS §4.7.4) with a local more, which holds an object from some place on, and a
 * last one for a handler of all exceptions, which knows of nothing else. Confined to one method.
 */
final class FrameEdit {
    private static final int SAME_EXTENDED = 251;
    private static final int STACK_EXTENDED = 247;
    /** So many locals a frame can append to those of the one before. */
    private static final int APPENDED = 3;

    private static final int FULL = 255;

    private final CodeEdit code;
    private final ByteSink out;
    private final PoolTail pool;
    private final int slot;
    private final int object;
    private int last = -1;

    /**
     * Nothing yet.
     *
     * @param pool gets the names of classes that parameters are of
     * @param slot of the local more, above all others
     * @param object the constant that is Object's
     */
    FrameEdit(CodeEdit code, ByteSink out, PoolTail pool, int slot, int object) {
        this.code = code;
        this.out = out;
        this.pool = pool;
        this.slot = slot;
        this.object = object;
    }

    /**
     * Writes the attribute.
     *
     * @param name the constant that is its name
     * @param from where the local is there
     * @param handler where the handler is in the edited code, and the constant of what it gets
     */
    void write(FrameReader frames, int name, int from, int handler, int throwable) {
        int lengthAt = begin(name);
        int count = 1;
        boolean had = false;
        for (; frames.next(); count++) {
            boolean has = frames.offset() >= from;
            put(frames, had, has);
            had = has;
        }
        out.u1(FULL).u2(delta(handler)).u2(slot + 1);
        out.zeros(slot); // of the tag top
        type(object);
        out.u2(1);
        type(throwable);
        end(lengthAt, count);
    }

    /**
     * Writes the attribute with those frames alone that are there, where they are now.
     *
     * @param name the constant that is its name
     * @return false if there is none, and nothing is written
     */
    boolean write(FrameReader frames, int name) {
        if (!frames.next()) {
            return false;
        }
        int lengthAt = begin(name);
        int count = 0;
        do {
            put(frames, false, false);
            count++;
        } while (frames.next());
        end(lengthAt, count);
        return true;
    }

    private int begin(int name) {
        int lengthAt = out.u2(name).size();
        out.u4(0).u2(0);
        return lengthAt;
    }

    private void end(int lengthAt, int count) {
        out.set2(lengthAt + 4, count).set4(lengthAt, out.size() - lengthAt - 4);
    }

    private void put(FrameReader frames, boolean had, boolean has) {
        int delta = delta(code.moved(frames.offset()));
        if (frames.isSame() && has == had) {
            same(frames, delta);
        } else if (frames.isSame() && frames.depth() == 0 && slot - frames.slots() < APPENDED) {
            appended(slot - frames.slots(), delta);
        } else {
            frames.nameParameters(pool);
            whole(frames, delta, has);
        }
    }

    private int delta(int offset) {
        int delta = offset - last - 1;
        last = offset;
        return delta;
    }

    private void same(FrameReader frames, int delta) {
        boolean stacked = frames.depth() == 1;
        if (delta < 64) {
            out.u1(stacked ? delta + 64 : delta);
        } else {
            out.u1(stacked ? STACK_EXTENDED : SAME_EXTENDED).u2(delta);
        }
        if (stacked) {
            type(frames.onStack(0));
        }
    }

    /** The local more is there from this frame on, and nothing else that wasn't. */
    private void appended(int free, int delta) {
        out.u1(SAME_EXTENDED + free + 1).u2(delta).zeros(free);
        type(object);
    }

    private void whole(FrameReader frames, int delta, boolean has) {
        int free = has ? slot - frames.slots() : 0;
        out.u1(FULL).u2(delta).u2(frames.locals() + free + (has ? 1 : 0));
        for (int n = 0; n < frames.locals(); n++) {
            type(frames.local(n));
        }
        if (has) {
            out.zeros(free);
            type(object);
        }
        out.u2(frames.depth());
        for (int n = 0; n < frames.depth(); n++) {
            type(frames.onStack(n));
        }
    }

    private void type(int type) {
        int tag = type & 0xFF;
        int number = tag == FrameReader.UNINITIALIZED ? code.moved(type >>> 8) : type >>> 8;
        out.type(tag, number, tag >= FrameReader.OBJECT);
    }
}
