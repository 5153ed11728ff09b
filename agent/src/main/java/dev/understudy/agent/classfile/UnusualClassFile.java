package dev.understudy.agent.classfile;

/** Thrown for a class file with something in it that isn't edited here; it may be in order for others. */
public final class UnusualClassFile extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Without a stack trace, since somebody else goes on. */
    public UnusualClassFile(String what) {
        super(what, null, false, false);
    }
}
