package dev.understudy.sidecar.flame;

/**
 * Where stacks belong.
 *
 * @param listener empty if it isn't known, or there is none
 * @param debug which debug JVM; empty if it isn't known
 */
record Place(String listener, String debug, String route) {
    /** Of what the sidecar knows no exchange of. */
    static final Place UNKNOWN = new Place("", "", "(no route known)");
    /** Of what was done for no exchange. */
    static final Place NOBODYS = new Place("", "", "(no exchange)");
}
