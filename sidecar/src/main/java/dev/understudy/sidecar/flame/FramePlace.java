package dev.understudy.sidecar.flame;

/**
 * Where stacks belong.
 *
 * @param listener empty if it isn't known, or there is none
 * @param debug which debug JVM; empty if it isn't known
 */
record FramePlace(String listener, String debug, String route) {
    /** Of what the sidecar knows no exchange of. */
    static final FramePlace UNKNOWN = new FramePlace("", "", "(no route known)");
    /** Of what was done for no exchange. */
    static final FramePlace NOBODYS = new FramePlace("", "", "(no exchange)");
}
